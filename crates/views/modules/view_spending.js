/**
 * Where the money went: categories, months, and the flow from income to categories.
 *
 * @import { Actions, Cashflow, Column, Parameters, Spending, SpendingCategory, ViewDefinition } from './types.d.ts'
 * @import { FlowLink, FlowNode } from './chart_sankey.js'
 */

import { codeName } from './categories.js';
import { barChart } from './chart_bars.js';
import { progressBar } from './chart_progress.js';
import { flowChart } from './chart_sankey.js';
import { dateParameters, rangeParameters, rangeSwitch, viewLink } from './controls.js';
import { formatMonth, formatPeriod, partMonths } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines, legend } from './figure.js';
import { formatCents, formatMoney, sumCents } from './money.js';
import { emptyState, excludedNote, partMonthsNote, unconvertedNote } from './notes.js';
import { formatCount, formatPercent } from './numbers.js';
import { GROUP_SERIES, spendingFlow, spendingGroups } from './spending_flow.js';
import { table } from './table.js';
import { TEXT } from './text.js';
import { merchantsSection } from './view_merchants.js';

const SPENDING_RANGE = '3m';
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
      categoriesFigure(spending, parameters, actions),
      flowFigure(spending, cashflow),
      monthsOfGroups(spending),
      merchants && merchantsSection(merchants, actions),
    ),
};

/**
 * @param {Spending} spending
 * @param {Parameters} parameters
 * @param {Actions} actions
 */
function categoriesFigure(spending, parameters, actions) {
  const period = formatPeriod(spending.dateFrom, spending.dateTo);
  const { categories, totalExpense } = spending;
  const largest = categories[0];
  const frame = {
    title: TEXT.spending,
    caption: TEXT.spendingCaption(period),
    control: rangeSwitch(parameters, SPENDING_RANGE, actions),
    notes: [unconvertedNote(spending), excludedNote(spending.excludedCategories)],
  };
  if (largest === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.spendingEmpty) });
  }
  const highest = largest.total.amount_cents;
  const rows = categories
    .slice(0, SHOWN)
    .map((category) =>
      element(
        'li',
        {},
        element(
          'span',
          { class: 'line' },
          element('span', {}, categoryLink(category, spending, actions)),
          element(
            'span',
            { class: 'number' },
            formatMoney(category.total),
            element('small', {}, ` ${formatPercent(category.percentOfTotal)}`),
          ),
        ),
        progressBar(category.total.amount_cents, highest),
      ),
    );
  const summary = TEXT.spendingSummary([
    period,
    formatMoney(totalExpense),
    codeName(largest.category),
    formatMoney(largest.total),
  ]);
  return figureElement({
    ...frame,
    lead: [headlines(headline(TEXT.total, formatMoney(totalExpense)))],
    picture: element('ol', { class: 'bars', 'aria-label': summary }, ...rows),
    table: () => table(TEXT.spending, categoryColumns(), categories),
  });
}

/**
 * @param {SpendingCategory} category
 * @param {Spending} spending
 * @param {Actions} actions
 */
function categoryLink({ category }, { dateFrom, dateTo }, actions) {
  const range = dateParameters({ dateFrom, dateTo });
  return viewLink(actions, 'transactions', { categories: category, ...range }, codeName(category));
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

/**
 * Returns the flow from income to categories, if the incomes of the same transactions are known.
 *
 * @param {Spending} spending
 * @param {Cashflow | undefined} cashflow
 */
function flowFigure(spending, cashflow) {
  const flow = spendingFlow(spending, cashflow);
  if (flow === undefined || cashflow === undefined) {
    return undefined;
  }
  const { currency } = spending.totalExpense;
  const rest = cashflow.net.amount_cents;
  const restText = `${rest < 0 ? TEXT.fromSavings : TEXT.leftOver} ${formatCents(Math.abs(rest), currency)}`;
  return figureElement({
    title: TEXT.flow,
    caption: TEXT.flowCaption,
    picture: flowChart({
      title: TEXT.flow,
      summary: TEXT.flowSummary([formatMoney(cashflow.incomeTotal), formatMoney(spending.totalExpense), restText]),
      currency,
      ...flow,
      card: (node) => flowCard(node, currency),
    }),
    table: () => flowTable(flow, currency),
  });
}

/**
 * @param {FlowNode} node
 * @param {string} currency
 */
function flowCard(node, currency) {
  const parts = (node.parts ?? []).map((part) => ({ name: part.name, value: formatCents(part.cents, currency) }));
  const total = {
    name: node.parts ? TEXT.total : TEXT.amount,
    value: formatCents(node.cents, currency),
    series: node.series,
  };
  return { title: node.name, rows: [...parts, total] };
}

/**
 * @param {{ nodes: FlowNode[], links: FlowLink[] }} flow
 * @param {string} currency
 */
function flowTable({ nodes, links }, currency) {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const incomes = (nodes[0]?.parts ?? []).map(({ name, cents }) => ({ from: name, to: TEXT.income, cents }));
  const flows = links.map(({ source, target, cents }) => ({
    from: names.get(source) ?? '',
    to: names.get(target) ?? '',
    cents,
  }));
  /** @type {Column<{ from: string, to: string, cents: number }>[]} */
  const columns = [
    { name: TEXT.from, value: ({ from }) => from },
    { name: TEXT.to, value: ({ to }) => to },
    { name: TEXT.amount, numeric: true, value: ({ cents }) => formatCents(cents, currency) },
  ];
  return table(TEXT.flow, columns, [...incomes, ...flows]);
}

/**
 * Returns the spending by month and group.
 *
 * @param {Spending} spending
 */
function monthsOfGroups({ categories, totalExpense, dateFrom, dateTo }) {
  const months = (categories[0]?.periods ?? []).map(({ period }) => period);
  const [first] = months;
  const last = months.at(-1);
  if (first === undefined || last === undefined || first === last) {
    return undefined;
  }
  const groups = spendingGroups(categories);
  const kept = groups.slice(0, GROUP_SERIES.length - 1);
  const others = groups.slice(kept.length);
  const other = { name: TEXT.otherGroups, series: 'group-6', categories: others.flatMap((group) => group.categories) };
  const series = others.length > 0 ? [...kept, other] : kept;
  const amount = (/** @type {SpendingCategory[]} */ members, /** @type {number} */ at) =>
    sumCents(members.map(({ periods = [] }) => periods[at]?.total.amount_cents ?? 0));
  const parts = partMonths(dateFrom, dateTo);
  const rows = months.map((period, at) => ({
    period,
    amounts: series.map((one) => amount(one.categories, at)),
    part: parts.has(period),
  }));
  const { currency } = totalExpense;
  /** @param {{ amounts: number[] }} row */
  const total = ({ amounts }) => formatCents(sumCents(amounts), currency);
  /** @type {Column<{ period: string, amounts: number[] }>[]} */
  const columns = [
    { name: TEXT.month, value: ({ period }) => formatMonth(period) },
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
        series: series.map((one) => one.series),
        groups: rows,
        card: (index) => monthCard(rows[index], series, currency),
      }),
      legend(series.map(({ name, series: colour }) => ({ name, series: colour }))),
    ),
    notes: [partMonthsNote(dateFrom, dateTo)],
    table: () => table(TEXT.byMonth, columns, rows),
  });
}

/**
 * @param {{ period: string, amounts: number[] } | undefined} row
 * @param {{ name: string, series: string }[]} series
 * @param {string} currency
 */
function monthCard(row, series, currency) {
  const amounts = row?.amounts ?? [];
  const parts = series.map(({ name, series: colour }, at) => ({
    name,
    value: formatCents(amounts[at] ?? 0, currency),
    series: colour,
  }));
  const total = { name: TEXT.total, value: formatCents(sumCents(amounts), currency) };
  return { title: row ? formatMonth(row.period) : '', rows: [...parts.reverse(), total] };
}
