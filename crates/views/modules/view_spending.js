/** Where the money went: categories, months, and the flow from income to categories.
 * @import { Actions, Cashflow, Column, FlowLink, FlowNode, Month, Parameters, Spending, SpendingCategory, ViewDefinition } from './types.d.ts' */

import { codeName } from './categories.js';
import { barChart } from './chart_bars.js';
import { barRow } from './chart_progress.js';
import { flowChart } from './chart_sankey.js';
import { categoryLink, linkRange, periodSelect, rangeParameters } from './controls.js';
import { formatMonth, formatPeriod } from './dates.js';
import { element } from './dom.js';
import { comparisonText, figureElement, headline, headlines, legend } from './figure.js';
import { formatCents, formatMoney, headlineAmount, sumCents } from './money.js';
import { incompleteMonths, monthLink, monthSelect } from './month.js';
import { emptyState, excludedNote, partMonthsNote, unconvertedNote } from './notes.js';
import { formatCount, formatPercent, formatShare } from './numbers.js';
import { GROUP_SERIES, spendingFlow, spendingGroups } from './spending_flow.js';
import { cardCells, table } from './table.js';
import { TEXT } from './text.js';
import { merchantsSection } from './view_merchants.js';

/** The days of a spending without a selection. */
export const SPENDING_RANGE = { period: 'this-month' };
/** The number of categories that are shown before the table. */
const SHOWN = 12;

/** @type {ViewDefinition} */
export const spendingView = {
  name: 'spending',
  title: TEXT.spending,
  requests: (parameters) => {
    const range = rangeParameters(parameters, SPENDING_RANGE);
    return {
      spending: {
        path: 'spending/categories',
        tool: 'get_spending_by_category',
        parameters: { ...range, groupBy: 'month' },
      },
      cashflow: {
        path: 'cashflow/summary',
        tool: 'get_cashflow_summary',
        parameters: range,
        optional: true,
      },
      merchants: { path: 'spending/merchants/top', parameters: { ...range, limit: 10 }, optional: true },
    };
  },
  draw: ({ spending, cashflow, merchants }, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      categoriesFigure(spending, parameters, actions, periodSelect(parameters, SPENDING_RANGE, actions)),
      flowFigure(spending, cashflow, parameters, actions),
      monthsOfGroups(spending, actions),
      merchants && merchantsSection(merchants, parameters, actions),
    ),
};

/** Returns the largest categories as bars, and the sum of all others.
 * @param {Spending} spending @param {Parameters} parameters @param {Actions} actions @param {Node} [control] */
export function categoriesFigure(spending, parameters, actions, control) {
  const period = formatPeriod(spending.dateFrom, spending.dateTo);
  const { categories, totalExpense } = spending;
  const largest = categories[0];
  const frame = {
    title: TEXT.spending,
    caption: TEXT.spendingCaption(period),
    control,
    notes: [
      actions.rows || categories.length === 0 ? undefined : legend(groupSeries(categories)),
      unconvertedNote(spending),
      excludedNote(spending.excludedCategories),
    ],
  };
  if (largest === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.spendingEmpty) });
  }
  const highest = largest.total.amount_cents;
  const before = new Map(spending.comparison?.categories?.map((one) => [one.category, one]));
  const count = actions.rows ?? SHOWN;
  const shown = categories.length === count + 1 ? categories : categories.slice(0, count);
  const colours = new Map(spendingGroups(categories).map(({ group, series }) => [group, series]));
  const rows = shown.map((category) =>
    barRow(categoryLink(actions, category.category, linkRange(parameters, spending)), category.total, highest, {
      share: formatShare(category.percentOfTotal),
      change: before.get(category.category)?.change,
      series: colours.get(category.group),
    }),
  );
  const others = categories.slice(shown.length).map(({ total }) => total.amount_cents);
  if (others.length > 0) {
    const total = { amount_cents: sumCents(others), currency: totalExpense.currency };
    rows.push(barRow(TEXT.otherCategories(others.length), total, highest, { series: 'group-6' }));
  }
  const summary = TEXT.spendingSummary([
    period,
    formatMoney(totalExpense),
    codeName(largest.category),
    formatMoney(largest.total),
  ]);
  return figureElement({
    ...frame,
    lead: [headlines(headline(TEXT.total, headlineAmount(totalExpense), comparisonText(spending.comparison)))],
    picture: element('ol', { class: 'bars', 'aria-label': summary }, ...rows),
    table: () => table(TEXT.spending, categoryColumns(), categories),
  });
}

/** @returns {Column<SpendingCategory>[]} */
function categoryColumns() {
  return [
    { name: TEXT.category, value: ({ category }) => codeName(category) },
    { name: TEXT.group, value: ({ group }) => codeName(group) },
    { name: TEXT.transactions, numeric: true, value: ({ transactionCount }) => formatCount(transactionCount) },
    { name: TEXT.share, numeric: true, value: ({ percentOfTotal }) => formatPercent(percentOfTotal) },
    { name: TEXT.refunds, numeric: true, value: ({ refunds }) => (refunds ? formatMoney(refunds) : TEXT.none) },
    { name: TEXT.amount, numeric: true, value: ({ total }) => formatMoney(total) },
  ];
}

/** Returns the flow from income to categories, if the incomes of the same transactions are known.
 * @param {Spending} spending @param {Cashflow | undefined} cashflow @param {Parameters} parameters @param {Actions} actions
 */
export function flowFigure(spending, cashflow, parameters, actions) {
  const flow = spendingFlow(spending, cashflow);
  if (flow === undefined || cashflow === undefined) {
    return undefined;
  }
  const { currency } = spending.totalExpense;
  const rest = cashflow.net.amount_cents;
  const restText = `${rest < 0 ? TEXT.fromSavings : TEXT.leftOver} ${formatCents(Math.abs(rest), currency)}`;
  const money = (/** @type {number} */ cents) => ({ amount_cents: cents, currency });
  const middle = flow.nodes.filter(({ column }) => column === 1);
  const highest = Math.max(...middle.map(({ cents }) => cents));
  const groups = middle.map(({ name, cents, series }) => barRow(name, money(cents), highest, { series }));
  const link = (/** @type {FlowNode | undefined} */ node) =>
    node?.category === undefined
      ? (node?.name ?? '')
      : categoryLink(actions, node.category, linkRange(parameters, spending));
  const chart = flowChart({
    title: TEXT.flow,
    summary: TEXT.flowSummary([formatMoney(cashflow.incomeTotal), formatMoney(spending.totalExpense), restText]),
    currency,
    ...flow,
    card: (node) => flowCard(node, currency),
    select:
      actions.address &&
      ((index) => {
        const target = link(flow.nodes[index]);
        location.hash = target instanceof HTMLAnchorElement ? target.hash : location.hash;
      }),
  });
  return figureElement({
    title: TEXT.flow,
    caption: TEXT.flowCaption,
    // A narrow screen has no room for the labels of the chart: it shows the groups as a list.
    picture: element('div', { class: 'flow-picture' }, chart, element('ol', { class: 'bars' }, ...groups)),
    table: () => flowTable(flow, currency, link),
  });
}

/** @param {FlowNode} node @param {string} currency */
function flowCard(node, currency) {
  const parts = (node.parts ?? []).map((part) => ({ name: part.name, value: formatCents(part.cents, currency) }));
  const total = {
    name: node.parts ? TEXT.total : TEXT.amount,
    value: formatCents(node.cents, currency),
    series: node.series,
  };
  return { title: node.name, rows: [...parts, total] };
}

/** @param {{ nodes: FlowNode[], links: FlowLink[] }} flow @param {string} currency
 * @param {(node: FlowNode | undefined) => Node | string} link */
function flowTable({ nodes, links }, currency, link) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const incomes = (nodes[0]?.parts ?? []).map(({ name, cents }) => ({ from: name, to: TEXT.income, cents }));
  const flows = links.map(({ source, target, cents }) => ({
    from: known.get(source)?.name ?? '',
    to: link(known.get(target)),
    cents,
  }));
  /** @type {Column<{ from: string, to: Node | string, cents: number }>[]} */
  const columns = [
    { name: TEXT.from, value: ({ from }) => from },
    { name: TEXT.to, value: ({ to }) => to },
    { name: TEXT.amount, numeric: true, value: ({ cents }) => formatCents(cents, currency) },
  ];
  return table(TEXT.flow, columns, [...incomes, ...flows]);
}

/** Returns the largest groups, and all others as one, with their colours. @param {SpendingCategory[]} categories */
function groupSeries(categories) {
  const groups = spendingGroups(categories);
  const kept = groups.slice(0, GROUP_SERIES.length - 1);
  const others = groups.slice(kept.length).flatMap((group) => group.categories);
  const other = { name: TEXT.otherGroups, series: 'group-6', categories: others };
  return others.length > 0 ? [...kept, other] : kept;
}

/** Returns the spending by month and group.
 * @param {Spending} spending @param {Actions} actions
 * @param {Month[]} [days] the same months with their days */
export function monthsOfGroups({ categories, totalExpense, dateFrom, dateTo }, actions, days = []) {
  const months = (categories[0]?.periods ?? []).map(({ period }) => period);
  const [first] = months;
  const last = months.at(-1);
  if (first === undefined || last === undefined || first === last) {
    return undefined;
  }
  const series = groupSeries(categories);
  const amount = (/** @type {SpendingCategory[]} */ members, /** @type {number} */ at) =>
    sumCents(members.map(({ periods = [] }) => periods[at]?.total.amount_cents ?? 0));
  const colours = series.map((one) => one.series);
  const parts = incompleteMonths(days, { ...(dateFrom && { dateFrom }), ...(dateTo && { dateTo }) });
  // The months of all days begin with the first expense, and those with their days with the first transaction.
  const known = new Map(days.map((month) => [month.period, month]));
  const rows = months.map((period, at) => ({
    period,
    amounts: series.map((one) => amount(one.categories, at)),
    part: parts.has(period),
    dateFrom: known.get(period)?.dateFrom,
    dateTo: known.get(period)?.dateTo,
  }));
  const { currency } = totalExpense;
  /** @param {{ amounts: number[] }} row */
  const total = ({ amounts }) => formatCents(sumCents(amounts), currency);
  /** @type {Column<Month & { amounts: number[] }>[]} */
  const columns = [
    { name: TEXT.month, value: (row) => monthLink(actions, row) },
    ...series.map(({ name }, at) => ({
      name,
      numeric: true,
      value: (/** @type {{ amounts: number[] }} */ { amounts }) => formatCents(amounts[at] ?? 0, currency),
    })),
    { name: TEXT.total, numeric: true, value: total },
  ];
  return figureElement({
    title: TEXT.byMonth,
    caption: TEXT.byMonthCaption,
    picture: element(
      'div',
      {},
      barChart({
        title: TEXT.byMonth,
        summary: TEXT.byMonthSummary([formatMoney(totalExpense), formatMonth(first), formatMonth(last)]),
        currency,
        stacked: true,
        series: colours,
        groups: rows,
        select: monthSelect(actions, rows),
        card: (index) => {
          const row = rows[index] ?? { period: '', amounts: [] };
          const cells = cardCells(columns, row, colours);
          // The last series is the highest in the picture.
          return { title: formatMonth(row.period), rows: [...cells.slice(0, -1).reverse(), ...cells.slice(-1)] };
        },
      }),
      legend(series),
    ),
    notes: [partMonthsNote(parts)],
    table: () => table(TEXT.byMonth, columns, rows),
  });
}
