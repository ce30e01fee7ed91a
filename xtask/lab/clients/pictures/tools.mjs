// The tools with a picture, and what a picture must show for a result.

const own = ({ amount_cents, currency }) => ({ amount_cents, currency });

/** Returns what is left of a total without the parts that have one of the rows: the last row is the rest. */
const others = (total, parts, rows) => ({
  amount_cents: parts.slice(0, rows - 1).reduce((cents, part) => cents - part.total.amount_cents, total.amount_cents),
  currency: total.currency,
});

/** By tool: the arguments of a call, and the texts and amounts that the picture must show: `first` before the reader wants all,
 * in so many rows, and `shown` afterwards. */
export const TOOLS = {
  get_portfolio_history: { input: { timeRange: '1y' }, shown: ({ points, change }) => [points.at(-1).total, ...(change ? [change.amount] : [])] },
  get_portfolio_snapshot: { input: {}, shown: ({ total, items }) => [total, ...items.flatMap((item) => [item.total, item.bank_name])] },
  get_cashflow_summary: { input: { timeRange: '6m', groupBy: 'month' }, shown: ({ incomeTotal, expenseTotal, net }) => [incomeTotal, expenseTotal, net] },
  get_spending_by_category: { input: { timeRange: '3m' }, first: ({ totalExpense, categories }, rows) => [totalExpense, others(totalExpense, categories, rows)], shown: ({ totalExpense, categories }) => [totalExpense, ...categories.slice(0, 12).map(({ total }) => total)] },
  get_top_merchants: { input: { timeRange: '3m' }, first: ({ totalExpense, merchants }, rows) => [others(totalExpense, merchants, rows)], shown: ({ merchants }) => merchants.flatMap(({ merchant, total }) => [merchant, total]) },
  detect_recurring_payments: { input: {}, shown: ({ monthlyTotal, recurringPayments }) => [monthlyTotal, ...recurringPayments.map(own)] },
  get_budget_summary: { input: {}, shown: ({ budgets }) => budgets.flatMap(({ total, target }) => (target ? [total, target] : [])) },
  search_transactions: { input: { pageSize: 25, banks: ['First Platypus Bank'] }, shown: ({ transactions }) => transactions.flatMap((one) => [one.merchant_name ?? one.title, own(one)]) },
  get_connected_banks_status: { input: {}, shown: ({ banks }) => banks.map((bank) => bank.bank_name) },
};

/** Compares without spaces and signs, because both depend on the place in the picture. */
const plain = (text) => text.replace(/[\s+−-]/g, '');

/** Returns what the text of a tool's picture lacks for a result. */
export function missingTexts(name, structured, text, locale = 'en-GB', texts = TOOLS[name].shown) {
  const format = (part) =>
    typeof part === 'string' ? part : new Intl.NumberFormat(locale, { style: 'currency', currency: part.currency }).format(part.amount_cents / 100);
  return texts(structured).map(format).filter((part) => !plain(text).includes(plain(part)));
}
