/**
 * Net worth over time, and what it consists of today.
 *
 * @import { Actions, CardRow, Column, History, HistoryPoint, Parameters, ViewDefinition } from './types.d.ts'
 */

import { lineChart } from './chart_line.js';
import { rangeParameters, rangeSwitch } from './controls.js';
import { formatDay, formatPeriod } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatMoney } from './money.js';
import { emptyState, note, unconvertedNote } from './notes.js';
import { formatPercent } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';
import { portfolioSection } from './view_portfolio.js';

const NET_WORTH_RANGE = '1y';

/** @type {ViewDefinition} */
export const netWorthView = {
  name: 'net-worth',
  title: TEXT.netWorth,
  requests: (parameters) => ({
    history: {
      path: 'portfolio/history',
      tool: 'get_portfolio_history',
      parameters: { ...historyParameters(parameters), ...(parameters.by !== undefined && { by: parameters.by }) },
    },
    portfolio: { path: 'portfolio', parameters: {}, optional: true },
  }),
  draw: (payloads, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      historyFigure(payloads.history, parameters, actions),
      payloads.portfolio && portfolioSection(payloads.portfolio),
    ),
};

/** @param {Parameters} parameters */
function historyParameters(parameters) {
  const { interval } = parameters;
  return { ...rangeParameters(parameters, NET_WORTH_RANGE), ...(interval !== undefined && { interval }) };
}

/**
 * @param {History} history
 * @param {Parameters} parameters
 * @param {Actions} actions
 */
function historyFigure(history, parameters, actions) {
  const { points } = history;
  const period = formatPeriod(history.dateFrom, history.dateTo);
  const frame = {
    title: TEXT.netWorth,
    caption: TEXT.netWorthCaption(period),
    control: rangeSwitch(parameters, NET_WORTH_RANGE, actions),
  };
  const last = points.at(-1);
  if (last === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.netWorthEmpty) });
  }
  return figureElement({
    ...frame,
    lead: [headlines(headline(formatDay(last.date), formatMoney(last.total), changeText(history)))],
    picture: lineChart({
      title: TEXT.netWorth,
      summary: summary(period, points),
      currency: last.total.currency,
      points: points.map((point) => ({
        date: point.date,
        cents: point.total.amount_cents,
        partial: isIncomplete(point) || point.estimated === true,
      })),
      card: (index) => ({ title: formatDay(points[index]?.date ?? last.date), rows: cardRows(history, index) }),
    }),
    notes: [
      partialNote(history),
      estimatedNote(points),
      unconvertedDaysNote(points),
      unconvertedNote(last.unconverted ? last : history),
    ],
    table: () => table(TEXT.netWorth, historyColumns(history), points.map((_, index) => index).reverse()),
  });
}

/** @param {History} history */
function changeText({ change, dateFrom, dateTo }) {
  if (change === undefined) {
    return undefined;
  }
  const percent = change.percent === undefined ? '' : ` (${formatPercent(change.percent, true)})`;
  const rise = change.amount.amount_cents < 0 ? 'fall' : 'rise';
  const text = `${formatMoney(change.amount, 'exceptZero')}${percent}`;
  return element('span', { class: rise, title: formatPeriod(dateFrom, dateTo) }, text);
}

/**
 * @param {string} period
 * @param {HistoryPoint[]} points
 */
function summary(period, points) {
  const totals = points.map(({ total }) => total);
  const sorted = [...totals].sort((one, other) => one.amount_cents - other.amount_cents);
  const named = [totals[0], totals.at(-1), sorted[0], sorted.at(-1)];
  return TEXT.netWorthSummary([period, ...named.map((total) => (total ? formatMoney(total) : ''))]);
}

/**
 * @param {History} history
 * @param {number} index
 * @returns {CardRow[]}
 */
function cardRows({ points, series = [] }, index) {
  const point = points[index];
  const total = { name: TEXT.total, value: point ? pointText(point) : '', series: 'main' };
  const parts = series.map((part) => ({ name: seriesName(part), value: seriesValue(part, index) }));
  return [total, ...parts];
}

/** @param {{ type?: string, name?: string }} series */
function seriesName({ type, name }) {
  return name ?? TEXT.accountTypes[type ?? 'other'] ?? type ?? '';
}

/**
 * @param {{ points: HistoryPoint[] }} series
 * @param {number} index
 */
function seriesValue({ points }, index) {
  const point = points[index];
  return point ? formatMoney(point.total) : TEXT.none;
}

/**
 * Returns true if the total of a point leaves out a balance: one that is not known, or one without an exchange rate.
 *
 * @param {HistoryPoint} point
 */
function isIncomplete({ partial, unconverted = [] }) {
  return partial === true || unconverted.length > 0;
}

/** @param {HistoryPoint} point */
function pointText(point) {
  const amount = formatMoney(point.total);
  if (isIncomplete(point)) {
    return TEXT.partialCell(amount);
  }
  return point.estimated ? TEXT.estimatedCell(amount) : amount;
}

/** @param {HistoryPoint[]} points */
function estimatedNote(points) {
  return points.some(({ estimated }) => estimated) ? note(TEXT.estimated, 'remark') : undefined;
}

/** @param {History} history */
function partialNote({ points, completeFrom }) {
  if (!points.some(({ partial }) => partial)) {
    return undefined;
  }
  return note(completeFrom === undefined ? TEXT.partialAll : TEXT.partial(formatDay(completeFrom)), 'warning');
}

/**
 * Returns a note for the days on which the line leaves out balances without an exchange rate.
 *
 * @param {HistoryPoint[]} points
 */
function unconvertedDaysNote(points) {
  const affected = points.filter(({ unconverted = [] }) => unconverted.length > 0);
  const [first] = affected;
  const last = affected.at(-1);
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const currencies = new Set(affected.flatMap(({ unconverted = [] }) => unconverted.map(({ currency }) => currency)));
  return note(
    TEXT.unconvertedDays([formatDay(first.date), formatDay(last.date), [...currencies].sort().join(', ')]),
    'warning',
  );
}

/**
 * @param {History} history
 * @returns {Column<number>[]}
 */
function historyColumns({ points, series = [] }) {
  const point = (/** @type {number} */ index) => /** @type {HistoryPoint} */ (points[index]);
  return [
    { name: TEXT.date, value: (index) => formatDay(point(index).date) },
    { name: TEXT.total, numeric: true, value: (index) => pointText(point(index)) },
    ...series.map((part) => ({
      name: seriesName(part),
      numeric: true,
      value: (/** @type {number} */ index) => seriesValue(part, index),
    })),
  ];
}
