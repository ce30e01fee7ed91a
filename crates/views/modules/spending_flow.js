/** The flow of an income into groups and categories of spending.
 * Money has no marks, so no ribbon says which income paid for which group: the left column is the whole income, divided
 * into its categories. If more was spent than came in, the difference is "from savings"; otherwise the rest is "left
 * over", which leads to no category. So the sums of the first two columns are the same.
 * @import { Cashflow, FlowLink, FlowNode, Spending, SpendingCategory } from './types.d.ts' */

import { codeName } from './categories.js';
import { sumCents } from './money.js';
import { TEXT } from './text.js';

/** The colours of groups, in the order of their totals. All groups after them have the last one. */
export const GROUP_SERIES = ['group-1', 'group-2', 'group-3', 'group-4', 'group-5', 'group-6'];

/** Returns the groups with their categories, the largest first. @param {SpendingCategory[]} categories */
export function spendingGroups(categories) {
  /** @type {Map<string, SpendingCategory[]>} */
  const groups = new Map();
  for (const category of categories) {
    groups.set(category.group, [...(groups.get(category.group) ?? []), category]);
  }
  const totals = [...groups].map(([group, members]) => ({
    group,
    name: codeName(group),
    categories: members,
    cents: sumCents(members.map(({ total }) => total.amount_cents)),
  }));
  totals.sort((one, other) => other.cents - one.cents || (one.group < other.group ? -1 : 1));
  return totals.map((total, index) => ({ ...total, series: GROUP_SERIES[Math.min(index, 5)] ?? '' }));
}

/** Returns nodes and links of the flow, or nothing if the payloads do not describe the same transactions.
 * @param {Spending} spending @param {Cashflow | undefined} cashflow
 * @returns {{ nodes: FlowNode[], links: FlowLink[] } | undefined} */
export function spendingFlow(spending, cashflow) {
  const expense = spending.totalExpense;
  const income = cashflow?.incomeTotal;
  const total = cashflow?.expenseTotal;
  const agrees = total?.amount_cents === expense.amount_cents && total.currency === expense.currency;
  if (income === undefined || !agrees || cashflow?.incomeCategories === undefined || expense.amount_cents === 0) {
    return undefined;
  }
  const rest = income.amount_cents - expense.amount_cents;
  const parts = cashflow.incomeCategories
    .filter((part) => part.total.amount_cents > 0)
    .map((part) => ({ name: codeName(part.category), cents: part.total.amount_cents }));
  const whole = Math.max(income.amount_cents, expense.amount_cents);
  if (rest < 0) {
    parts.push({ name: TEXT.fromSavings, cents: -rest });
  }
  /** @type {FlowNode[]} */
  const nodes = [{ id: 'income', name: TEXT.income, column: 0, cents: whole, series: 'in', parts }];
  /** @type {FlowLink[]} */
  const links = [];
  const add = (/** @type {FlowNode} */ node, /** @type {string} */ source) => {
    nodes.push(node);
    links.push({ source, target: node.id, cents: node.cents });
  };
  for (const { group, name, cents, categories, series } of spendingGroups(spending.categories)) {
    if (cents > 0) {
      add({ id: `group ${group}`, name, column: 1, cents, series }, 'income');
      for (const { category, total: amount } of categories.filter((one) => one.total.amount_cents > 0)) {
        const id = `category ${category}`;
        const node = { id, name: codeName(category), column: 2, cents: amount.amount_cents, series, category };
        add(node, `group ${group}`);
      }
    }
  }
  if (rest > 0) {
    add({ id: 'rest', name: TEXT.leftOver, column: 1, cents: rest, series: 'rest' }, 'income');
  }
  return { nodes, links };
}
