/** Income and expense by month.
 * @import { Actions, Cashflow, CashflowPeriod, CategoryTotal, Column, Money, Parameters, ViewDefinition } from './types.d.ts' */

import { barChart } from './chart_bars.js';
import { barRow } from './chart_progress.js';
import { categoryLink, linkRange, periodSelect, rangeParameters } from './controls.js';
import { formatMonth, formatPeriod } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatMoney, headlineAmount } from './money.js';
import { incompleteMonths, monthLink, monthSelect } from './month.js';
import { emptyState, excludedNote, partMonthsNote, unconvertedNote } from './notes.js';
import { cardCells, table } from './table.js';
import { TEXT } from './text.js';

const CASHFLOW_RANGE = { period: 'last-12-months' };

/** @type {ViewDefinition} */
export const cashflowView = {
  name: 'cashflow',
  title: TEXT.cashflow,
  requests: (parameters) => ({
    cashflow: {
      path: 'cashflow/summary',
      tool: 'get_cashflow_summary',
      parameters: { ...rangeParameters(parameters, CASHFLOW_RANGE), groupBy: 'month' },
    },
  }),
  draw: ({ cashflow }, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      monthsFigure(cashflow, actions, periodSelect(parameters, CASHFLOW_RANGE, actions)),
      incomeFigure(cashflow, parameters, actions),
    ),
};

/** Returns income and expense by month. @param {Cashflow} cashflow @param {Actions} actions @param {Node} [control] */
export function monthsFigure(cashflow, actions, control) {
  const { incomeTotal, expenseTotal, net, periods = [] } = cashflow;
  const period = formatPeriod(cashflow.dateFrom, cashflow.dateTo);
  const { currency } = expenseTotal;
  const parts = incompleteMonths(periods, cashflow);
  const isEmpty = incomeTotal.amount_cents === 0 && expenseTotal.amount_cents === 0;
  const chart = {
    title: TEXT.cashflow,
    summary: TEXT.cashflowSummary([period, formatMoney(incomeTotal), formatMoney(expenseTotal), formatMoney(net)]),
    currency,
    series: ['in', 'out'],
    groups: periods.map((one) => ({ period: one.period, amounts: monthAmounts(one), part: parts.has(one.period) })),
    select: monthSelect(actions, periods),
    card: (/** @type {number} */ index) => ({
      title: formatMonth(periods[index]?.period ?? ''),
      rows: periods[index] ? cardCells(monthColumns(actions), periods[index], ['in', 'out']) : [],
    }),
  };
  return figureElement({
    title: TEXT.cashflow,
    caption: TEXT.cashflowCaption(period),
    control,
    lead: [
      headlines(
        headline(TEXT.income, headlineAmount(incomeTotal), undefined, 'in'),
        headline(TEXT.expense, headlineAmount(expenseTotal), undefined, 'out'),
        headline(TEXT.net, headlineAmount(net, 'exceptZero')),
      ),
    ],
    picture: isEmpty ? emptyState(TEXT.cashflowEmpty) : periods.length > 0 ? barChart(chart) : totalBars(cashflow),
    notes: [
      isEmpty || periods.length === 0 ? undefined : partMonthsNote(parts),
      unconvertedNote(cashflow),
      excludedNote(cashflow.excludedCategories),
    ],
    ...(periods.length > 0 && { table: () => table(TEXT.cashflow, monthColumns(actions), periods) }),
  });
}

/** @param {Cashflow} cashflow */
function totalBars({ incomeTotal, expenseTotal }) {
  const highest = Math.max(incomeTotal.amount_cents, expenseTotal.amount_cents);
  const row = (/** @type {string} */ name, /** @type {Money} */ total, /** @type {string} */ series) =>
    barRow(name, total, highest, { series });
  return element('ul', { class: 'bars' }, row(TEXT.income, incomeTotal, 'in'), row(TEXT.expense, expenseTotal, 'out'));
}

/** @param {CashflowPeriod} period */
function monthAmounts({ incomeTotal, expenseTotal }) {
  return [incomeTotal.amount_cents, expenseTotal.amount_cents];
}

/** @param {Actions} actions @returns {Column<CashflowPeriod>[]} */
function monthColumns(actions) {
  return [
    { name: TEXT.month, value: (month) => monthLink(actions, month) },
    { name: TEXT.income, numeric: true, value: ({ incomeTotal }) => formatMoney(incomeTotal) },
    { name: TEXT.expense, numeric: true, value: ({ expenseTotal }) => formatMoney(expenseTotal) },
    { name: TEXT.net, numeric: true, value: ({ net }) => formatMoney(net, 'exceptZero') },
  ];
}

/** Returns the income by category.
 * @param {Cashflow} cashflow @param {Parameters} parameters @param {Actions} actions */
export function incomeFigure({ incomeCategories = [], dateFrom, dateTo }, parameters, actions) {
  if (incomeCategories.length === 0) {
    return undefined;
  }
  const range = linkRange(parameters, { dateFrom, dateTo });
  /** @type {Column<CategoryTotal>[]} */
  const columns = [
    {
      name: TEXT.category,
      value: ({ category, transactionCount = 0 }) => {
        const count = element('small', {}, TEXT.transactionCount(transactionCount));
        return element('span', {}, categoryLink(actions, category, range), count);
      },
    },
    { name: TEXT.amount, numeric: true, value: ({ total }) => formatMoney(total) },
  ];
  return figureElement({
    title: TEXT.income,
    caption: formatPeriod(dateFrom, dateTo),
    picture: table(TEXT.income, columns, incomeCategories, 'wide'),
  });
}
