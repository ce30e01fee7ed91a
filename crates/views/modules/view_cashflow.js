/**
 * Income and expense by month, with the line of the budgets.
 *
 * @import { Actions, Budgets, Cashflow, CashflowPeriod, CategoryTotal, Column, Parameters, ViewDefinition } from './types.d.ts'
 */

import { codeName } from './categories.js';
import { barChart } from './chart_bars.js';
import { dateParameters, rangeParameters, rangeSwitch, viewLink } from './controls.js';
import { formatMonth, formatPeriod, partMonths } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines, legend } from './figure.js';
import { formatCents, formatMoney, sumCents } from './money.js';
import { emptyState, excludedNote, note, partMonthsNote, unconvertedNote } from './notes.js';
import { formatCount } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';

const CASHFLOW_RANGE = '1y';

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
    budgets: { path: 'budgets/summary', parameters: {}, optional: true },
  }),
  draw: ({ cashflow, budgets }, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      monthsFigure(cashflow, budgetTotal(budgets, cashflow.expenseTotal.currency), parameters, actions),
      incomeFigure(cashflow, actions),
    ),
};

/**
 * Returns the sum of all budgets in the currency of the totals, or nothing without budgets.
 *
 * @param {Budgets | Budgets['budgets'] | undefined} payload
 * @param {string} currency
 */
function budgetTotal(payload, currency) {
  const budgets = Array.isArray(payload) ? payload : (payload?.budgets ?? []);
  const targets = budgets.flatMap(({ target }) => (target?.currency === currency ? [target.amount_cents] : []));
  return targets.length === 0 ? undefined : sumCents(targets);
}

/**
 * @param {Cashflow} cashflow
 * @param {number | undefined} budget
 * @param {Parameters} parameters
 * @param {Actions} actions
 */
function monthsFigure(cashflow, budget, parameters, actions) {
  const { incomeTotal, expenseTotal, net, periods = [] } = cashflow;
  const period = formatPeriod(cashflow.dateFrom, cashflow.dateTo);
  const { currency } = expenseTotal;
  const parts = partMonths(cashflow.dateFrom, cashflow.dateTo);
  const isEmpty = incomeTotal.amount_cents === 0 && expenseTotal.amount_cents === 0;
  const limit = budget === undefined ? undefined : formatCents(budget, currency);
  const chart = {
    title: TEXT.cashflow,
    summary: TEXT.cashflowSummary([period, formatMoney(incomeTotal), formatMoney(expenseTotal), formatMoney(net)]),
    currency,
    series: ['in', 'out'],
    limit: budget,
    // Without months, the totals are one pair of bars.
    groups: periods.map((one) => ({ period: one.period, amounts: monthAmounts(one), part: parts.has(one.period) })),
    card: (/** @type {number} */ index) => periodCard(periods[index]),
  };
  return figureElement({
    title: TEXT.cashflow,
    caption: TEXT.cashflowCaption(period),
    control: rangeSwitch(parameters, CASHFLOW_RANGE, actions),
    lead: [
      headlines(
        headline(TEXT.income, formatMoney(incomeTotal), undefined, 'in'),
        headline(TEXT.expense, formatMoney(expenseTotal), undefined, 'out'),
        headline(TEXT.net, formatMoney(net, 'exceptZero')),
      ),
    ],
    picture: isEmpty
      ? emptyState(TEXT.cashflowEmpty)
      : element(
          'div',
          {},
          periods.length > 0 && barChart(chart),
          periods.length > 0 &&
            legend([
              { name: TEXT.income, series: 'in' },
              { name: TEXT.expense, series: 'out' },
              ...(limit === undefined ? [] : [{ name: TEXT.budgetLine(limit), series: 'limit' }]),
            ]),
        ),
    notes: [
      limit === undefined || periods.length === 0 ? undefined : note(TEXT.budgetNote, 'remark'),
      isEmpty || periods.length === 0 ? undefined : partMonthsNote(cashflow.dateFrom, cashflow.dateTo),
      unconvertedNote(cashflow),
      excludedNote(cashflow.excludedCategories),
    ],
    ...(periods.length > 0 && { table: () => table(TEXT.cashflow, monthColumns(), periods) }),
  });
}

/** @param {CashflowPeriod} period */
function monthAmounts({ incomeTotal, expenseTotal }) {
  return [incomeTotal.amount_cents, expenseTotal.amount_cents];
}

/** @param {CashflowPeriod | undefined} period */
function periodCard(period) {
  if (period === undefined) {
    return { title: '', rows: [] };
  }
  return {
    title: formatMonth(period.period),
    rows: [
      { name: TEXT.income, value: formatMoney(period.incomeTotal), series: 'in' },
      { name: TEXT.expense, value: formatMoney(period.expenseTotal), series: 'out' },
      { name: TEXT.net, value: formatMoney(period.net, 'exceptZero') },
    ],
  };
}

/** @returns {Column<CashflowPeriod>[]} */
function monthColumns() {
  return [
    { name: TEXT.month, value: ({ period }) => formatMonth(period) },
    { name: TEXT.income, numeric: true, value: ({ incomeTotal }) => formatMoney(incomeTotal) },
    { name: TEXT.expense, numeric: true, value: ({ expenseTotal }) => formatMoney(expenseTotal) },
    { name: TEXT.net, numeric: true, value: ({ net }) => formatMoney(net, 'exceptZero') },
  ];
}

/**
 * @param {Cashflow} cashflow
 * @param {Actions} actions
 */
function incomeFigure({ incomeCategories = [], dateFrom, dateTo }, actions) {
  if (incomeCategories.length === 0) {
    return undefined;
  }
  const range = dateParameters({ dateFrom, dateTo });
  const link = (/** @type {string} */ category) =>
    viewLink(actions, 'transactions', { categories: category, ...range }, codeName(category));
  /** @type {Column<CategoryTotal>[]} */
  const columns = [
    { name: TEXT.category, value: ({ category }) => link(category) },
    { name: TEXT.transactions, numeric: true, value: ({ transactionCount = 0 }) => formatCount(transactionCount) },
    { name: TEXT.amount, numeric: true, value: ({ total }) => formatMoney(total) },
  ];
  return figureElement({
    title: TEXT.income,
    caption: formatPeriod(dateFrom, dateTo),
    picture: table(TEXT.income, columns, incomeCategories, 'wide'),
  });
}
