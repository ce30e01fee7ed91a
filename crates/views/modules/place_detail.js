/** The places that explain one category, one merchant or one account: its months, what it consists of, and its rows.
 * @import { Actions, Budgets, Cashflow, History, Parameters, Part, Place, Portfolio, SpendingSummary } from './types.d.ts' */

import { codeName, isIncomeCategory } from './categories.js';
import { barChart } from './chart_bars.js';
import { rangeParameters } from './controls.js';
import { formatMonth, formatPeriod } from './dates.js';
import { element } from './dom.js';
import { comparisonText, figureElement, headline, headlines } from './figure.js';
import { formatMoney, headlineAmount } from './money.js';
import { monthLink, monthSelect } from './month.js';
import { emptyState, note, unconvertedNote } from './notes.js';
import { formatList } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';
import { merchantsSection } from './view_merchants.js';
import { NET_WORTH_RANGE, historyFigure } from './view_net_worth.js';
import { balanceText } from './view_portfolio.js';
import { transactionsFigure, transactionsRequest } from './view_transactions.js';

/** The days of a category and a merchant without a selection. */
const DETAIL_RANGE = { period: 'this-month' };

/** @type {Place} */
export const categoryPlace = {
  name: 'category',
  tab: 'spending',
  title: ({ categories = '' }) => formatList(categories.split(',').map(codeName)),
  range: DETAIL_RANGE,
  parts: (parameters, actions) => {
    const { categories = '' } = parameters;
    const isIncome = categories.split(',').some(isIncomeCategory);
    const merchants = merchantsPart({ categories }, parameters, actions);
    return [
      monthsPart('category', { categories }, isIncome, actions),
      ...(isIncome ? [] : [merchants]),
      rowsPart({ categories }, isIncome ? 'INCOME' : 'EXPENSE', parameters, actions),
    ];
  },
};

/** @type {Place} */
export const merchantPlace = {
  name: 'merchant',
  tab: 'spending',
  title: ({ merchants, merchantQuery = '' }) => merchants ?? merchantQuery,
  range: DETAIL_RANGE,
  parts: (parameters, actions) => {
    const { merchants, merchantQuery = '' } = parameters;
    const filters = merchants === undefined ? { merchantQuery } : { merchants };
    return [monthsPart('merchant', filters, false, actions), rowsPart(filters, undefined, parameters, actions)];
  },
};

/** @type {Place} */
export const accountPlace = {
  name: 'account',
  tab: 'accounts',
  title: () => TEXT.account,
  range: NET_WORTH_RANGE,
  parts: (parameters, actions) => {
    const { accountIds = '' } = parameters;
    const range = rangeParameters(parameters, NET_WORTH_RANGE);
    return [
      {
        name: 'balance',
        title: TEXT.balance,
        requests: {
          portfolio: { path: 'portfolio', parameters: {} },
          history: { path: 'portfolio/history', parameters: { ...range, by: 'account' } },
        },
        draw: ({ portfolio, history }) => balanceFigure(accountIds, portfolio, history),
        height: [456, 523],
      },
      rowsPart({ accountIds, showInternalTransfers: 'true' }, undefined, { ...parameters, ...range }, actions),
    ];
  },
};

/** Returns the months of what the filters select, with the budget of a category as a line.
 * @param {string} view @param {Record<string, string>} filters @param {boolean} isIncome @param {Actions} actions
 * @returns {Part} */
function monthsPart(view, filters, isIncome, actions) {
  const path = isIncome ? 'cashflow/summary' : 'spending/summary';
  const read = (/** @type {string} */ period) => ({ path, parameters: { ...filters, period, groupBy: 'month' } });
  const budgets = { path: 'budgets/summary', parameters: {}, optional: true };
  return {
    name: 'months',
    title: TEXT.byMonth,
    requests: {
      whole: read('last-12-months'),
      current: read('this-month'),
      ...(view === 'category' && !isIncome && { budgets }),
    },
    draw: ({ whole, current, budgets: list }) => detailMonths(view, filters, [whole, current], list, actions),
    height: [513, 526],
  };
}

/** @param {string} view @param {Record<string, string>} filters
 * @param {(SpendingSummary | Cashflow)[]} payloads the whole months, and the current month
 * @param {Budgets['budgets'] | undefined} budgets @param {Actions} actions */
function detailMonths(view, filters, payloads, budgets, actions) {
  const months = payloads.flatMap((payload) =>
    (payload.periods ?? []).map((one) => ({
      ...one,
      total: 'totalExpense' in one ? one.totalExpense : one.incomeTotal,
    })),
  );
  const last = months.at(-1);
  if (last === undefined || months.every(({ total }) => total.amount_cents === 0)) {
    return figureElement({ title: TEXT.byMonth, caption: TEXT.lastYear, picture: emptyState(TEXT.monthsEmpty) });
  }
  const { currency } = last.total;
  const budget = budgets?.find(({ category }) => category === filters.categories)?.target;
  const limit = budget?.currency === currency ? budget : undefined;
  const groups = months.map(({ period, total }, index) => ({
    period,
    amounts: [total.amount_cents],
    part: index === months.length - 1,
  }));
  const row = (/** @type {number} */ index) => months[index] ?? last;
  return figureElement({
    title: TEXT.byMonth,
    caption: TEXT.lastYear,
    picture: barChart({
      title: TEXT.byMonth,
      summary: TEXT.monthsSummary([formatMonth(months[0]?.period ?? ''), formatMonth(last.period)]),
      currency,
      series: ['main'],
      groups,
      limit: limit?.amount_cents,
      select: monthSelect(actions, months, view, filters),
      card: (index) => ({
        title: formatMonth(row(index).period),
        rows: [
          { name: TEXT.amount, value: formatMoney(row(index).total), series: 'main' },
          ...(limit ? [{ name: TEXT.budget, value: formatMoney(limit) }] : []),
        ],
      }),
    }),
    notes: [
      limit && note(TEXT.budgetLine(formatMoney(limit)), 'remark'),
      ...payloads.map((payload) => unconvertedNote(payload)),
    ],
    table: () =>
      table(
        TEXT.byMonth,
        [
          { name: TEXT.month, value: (month) => monthLink(actions, month, view, filters) },
          { name: TEXT.amount, numeric: true, value: ({ total }) => formatMoney(total) },
        ],
        [...months].reverse(),
      ),
  });
}

/** Returns the merchants of a category.
 * @param {Record<string, string>} filters @param {Parameters} parameters @param {Actions} actions @returns {Part} */
function merchantsPart(filters, parameters, actions) {
  const range = rangeParameters(parameters, DETAIL_RANGE);
  return {
    name: 'merchants',
    title: TEXT.merchants,
    requests: { merchants: { path: 'spending/merchants/top', parameters: { ...filters, ...range, limit: 8 } } },
    draw: ({ merchants }) =>
      merchants.merchants.length === 0 ? undefined : merchantsSection(merchants, range, actions),
    height: [366, 350],
  };
}

/** Returns the rows that the filters select, with their total.
 * @param {Record<string, string>} filters
 * @param {'INCOME' | 'EXPENSE' | undefined} type the only type of the rows; undefined for both
 * @param {Parameters} parameters @param {Actions} actions @returns {Part} */
function rowsPart(filters, type, parameters, actions) {
  const range = rangeParameters(parameters, DETAIL_RANGE);
  const selected = { ...filters, ...range, ...(type && { types: type }) };
  const { showInternalTransfers: _, ...counted } = filters;
  const isCompared = type === 'EXPENSE' && range.period === 'this-month';
  return {
    name: 'rows',
    title: TEXT.transactions,
    requests: {
      transactions: transactionsRequest(selected),
      ...(type !== 'INCOME' && {
        spending: {
          path: 'spending/summary',
          parameters: {
            ...counted,
            ...range,
            groupBy: 'none',
            ...(isCompared && { compareTo: 'same-days-of-last-month' }),
          },
          optional: true,
        },
      }),
      ...(type !== 'EXPENSE' && {
        cashflow: { path: 'cashflow/summary', parameters: { ...counted, ...range }, optional: true },
      }),
    },
    draw: ({ transactions, spending, cashflow }) =>
      transactionsFigure(transactions, selected, actions, {
        caption: formatPeriod(
          spending?.dateFrom ?? cashflow?.dateFrom ?? range.dateFrom,
          spending?.dateTo ?? cashflow?.dateTo ?? range.dateTo,
        ),
        lead: [totals(type, spending, cashflow)],
      }),
    height: [900, 900],
  };
}

/** @param {'INCOME' | 'EXPENSE' | undefined} type @param {SpendingSummary | undefined} spending
 * @param {Cashflow | undefined} cashflow */
function totals(type, spending, cashflow) {
  const shown = [
    spending
      ? headline(TEXT.spent, headlineAmount(spending.totalExpense), comparisonText(spending.comparison))
      : undefined,
    cashflow && (type === 'INCOME' || cashflow.incomeTotal.amount_cents > 0)
      ? headline(TEXT.income, headlineAmount(cashflow.incomeTotal))
      : undefined,
  ];
  return element('div', {}, headlines(...shown), unconvertedNote(cashflow ?? spending ?? {}));
}

/** @param {string} id @param {Portfolio} portfolio @param {History} history */
function balanceFigure(id, portfolio, history) {
  const item = portfolio.items.find(({ accounts }) => accounts.some((one) => one.id === id));
  const account = item?.accounts.find((one) => one.id === id);
  const { dateFrom, dateTo, interval } = history;
  const series = history.series?.find((one) => one.id === id);
  const name = account?.name ?? series?.name ?? TEXT.account;
  const heading = document.getElementById('heading');
  if (heading !== null) {
    heading.textContent = name;
    document.title = `${name} – ${TEXT.product}`;
  }
  const own = { dateFrom, dateTo, interval, points: [], ...series };
  const kind = account && `\u2068${item?.bank_name}\u2069 · ${codeName(account.subtype ?? account.type)}`;
  const balance = account && balanceText(account.balance_cents, account.currency, account.estimated);
  const text = [kind, balance].filter((part) => part !== undefined).join(' · ');
  return historyFigure(own, { title: TEXT.balance, caption: (period) => [text, period].filter(Boolean).join(' · ') });
}
