/** Net worth over time, and what it consists of today.
 * @import { CardRow, Column, History, HistoryPoint, Parameters, ViewDefinition } from './types.d.ts' */

import { lineChart } from './chart_line.js';
import { periodSelect, rangeParameters } from './controls.js';
import { formatDay, formatPeriod } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatMoney, headlineAmount } from './money.js';
import { emptyState, note, unconvertedNote } from './notes.js';
import { formatList, formatPercent } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';
import { portfolioSection } from './view_portfolio.js';

/** The days of a net worth without a selection. */
export const NET_WORTH_RANGE = { timeRange: '1y' };

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
  draw: ({ history, portfolio }, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      historyFigure(history, { control: periodSelect(parameters, NET_WORTH_RANGE, actions) }),
      portfolio && portfolioSection(portfolio, actions),
    ),
};

/** @param {Parameters} parameters */
export function historyParameters(parameters) {
  const { interval } = parameters;
  return { ...rangeParameters(parameters, NET_WORTH_RANGE), ...(interval !== undefined && { interval }) };
}

/** Returns the days of the line: the opening and the points, without the days before anything was known. A day on which a
 * balance cannot be converted is missing, unless all days are so: a line through such a total would dip.
 * @param {History} history @returns {History & { isMissing: (point: HistoryPoint) => boolean }} */
export function historyLine(history) {
  const isUnknown = (/** @type {HistoryPoint} */ { partial, total }) => partial === true && total.amount_cents === 0;
  const all = [...(history.opening ? [history.opening] : []), ...history.points];
  const known = all.findIndex((point) => !isUnknown(point));
  const start = known < 0 ? all.length : known;
  const series = history.series?.map((part) => ({
    ...part,
    points: [...(history.opening && part.opening ? [part.opening] : []), ...part.points].slice(start),
  }));
  const points = all.slice(start);
  const isMissing = (/** @type {HistoryPoint} */ { unconverted = [] }) => unconverted.length > 0;
  const hasLine = points.some((point) => !isMissing(point));
  return { ...history, points, ...(series && { series }), isMissing: (point) => hasLine && isMissing(point) };
}

/** @param {History} payload
 * @param {{ control?: Node | undefined, title?: string, caption?: (period: string) => string }} frame */
export function historyFigure(payload, { control, title = TEXT.netWorth, caption = TEXT.netWorthCaption }) {
  const history = historyLine(payload);
  const { points } = history;
  const period = formatPeriod(history.dateFrom, history.dateTo);
  const frame = { title, caption: caption(period), control };
  const last = points.at(-1);
  if (last === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.netWorthEmpty) });
  }
  return figureElement({
    ...frame,
    lead: [headlines(headline(formatDay(last.date), headlineAmount(last.total), changeText(history)))],
    picture:
      points.length > 1 &&
      lineChart({
        title,
        summary: summary(title, period, points),
        currency: last.total.currency,
        points: linePoints(history),
        card: (index) => ({ title: formatDay(points[index]?.date ?? last.date), rows: cardRows(history, index) }),
      }),
    notes: [
      partialNote(history),
      points.some(({ estimated }) => estimated) ? note(TEXT.estimated, 'remark') : undefined,
      unconvertedDaysNote(points),
      unconvertedNote(last.unconverted ? last : history),
    ],
    table: () => table(title, historyColumns(history), points.map((_, index) => index).reverse()),
  });
}

/** @param {ReturnType<typeof historyLine>} history */
export function linePoints({ points, isMissing }) {
  return points.map((point) => ({
    date: point.date,
    cents: point.total.amount_cents,
    partial: isIncomplete(point) || point.estimated === true,
    missing: isMissing(point),
  }));
}

/** @param {History} history */
export function changeText({ change, dateFrom, dateTo, opening }) {
  if (change === undefined) {
    return undefined;
  }
  const percent = change.percent === undefined ? '' : ` (${formatPercent(change.percent, true)})`;
  const rise = change.amount.amount_cents < 0 ? 'fall' : 'rise';
  const text = `${formatMoney(change.amount, 'exceptZero')}${percent}`;
  const from = opening === undefined ? undefined : ` ${TEXT.since(formatDay(opening.date))}`;
  return element('span', { title: formatPeriod(dateFrom, dateTo) }, element('span', { class: rise }, text), from);
}

/** @param {string} title @param {string} period @param {HistoryPoint[]} points */
function summary(title, period, points) {
  const totals = points.map(({ total }) => total);
  const sorted = [...totals].sort((one, other) => one.amount_cents - other.amount_cents);
  const named = [totals[0], totals.at(-1), sorted[0], sorted.at(-1)];
  return TEXT.netWorthSummary([title, period, ...named.map((total) => (total ? formatMoney(total) : ''))]);
}

/** @param {History} history @param {number} index @returns {CardRow[]} */
export function cardRows({ points, series = [] }, index) {
  const point = points[index];
  const total = { name: TEXT.total, value: point ? pointText(point) : '', series: 'main' };
  const parts = series.map((part) => ({ name: seriesName(part), value: seriesValue(part, index) }));
  return [total, ...parts];
}

/** @param {{ type?: string, name?: string }} series */
export function seriesName({ type, name }) {
  return TEXT.accountTypes[type ?? ''] ?? name ?? type ?? '';
}

/** @param {{ points: HistoryPoint[] }} series @param {number} index */
function seriesValue({ points }, index) {
  const point = points[index];
  return point ? formatMoney(point.total) : TEXT.none;
}

/** Returns true if the total of a point leaves out a balance: one that is not known, or one without an exchange rate.
 * @param {HistoryPoint} point */
export function isIncomplete({ partial, unconverted = [] }) {
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

/** @param {History} history */
export function partialNote({ points, completeFrom }) {
  if (!points.some(({ partial }) => partial)) {
    return undefined;
  }
  return note(completeFrom === undefined ? TEXT.partialAll : TEXT.partial(formatDay(completeFrom)), 'warning');
}

/** Returns a note for the days on which the line leaves out balances without an exchange rate.
 * @param {HistoryPoint[]} points */
function unconvertedDaysNote(points) {
  const affected = points.filter(({ unconverted = [] }) => unconverted.length > 0);
  const isGap = affected.length < points.length;
  const [first] = affected;
  const last = affected.at(-1);
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const currencies = new Set(affected.flatMap(({ unconverted = [] }) => unconverted.map(({ currency }) => currency)));
  return note(
    TEXT.unconvertedDays([formatDay(first.date), formatDay(last.date), formatList([...currencies].sort())], isGap),
    'warning',
  );
}

/** @param {History} history @returns {Column<number>[]} */
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
