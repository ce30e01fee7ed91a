/**
 * Bars by month: two beside each other, or several on top of each other.
 *
 * @import { Card, Drawing } from './types.d.ts'
 */

import { max, scaleBand, stack } from '../vendor/d3.js';
import { formatShortMonth } from './dates.js';
import { svgElement } from './dom.js';
import { chart } from './inspector.js';
import { ABOVE, BELOW, amountAxis, amountScale, amountTicks, bottomLabels, labelWidth, root } from './plot.js';

/**
 * @typedef {object} BarGroup
 * @property {string} period `YYYY-MM`
 * @property {number[]} amounts cents, one of each series
 * @property {boolean} [part] true if the amounts are those of a part of the month
 */

/**
 * @typedef {object} BarOptions
 * @property {string} title
 * @property {string} summary the text alternative
 * @property {string} currency
 * @property {string[]} series the names of the series in the style sheet
 * @property {BarGroup[]} groups at least one
 * @property {boolean} [stacked] true for bars on top of each other
 * @property {number | undefined} [limit] cents; a dashed line at this height
 * @property {(index: number) => Card} card
 */

/**
 * Returns a bar chart.
 *
 * @param {BarOptions} options
 */
export function barChart(options) {
  return chart(options.title, (width) => drawBars(options, width));
}

/**
 * Draws a bar chart.
 *
 * @param {BarOptions} options
 * @param {number} width
 * @returns {Drawing}
 */
export function drawBars(options, width) {
  const { groups, currency, card, limit } = options;
  const height = width < 520 ? 230 : 300;
  const total = (/** @type {BarGroup} */ { amounts }) =>
    options.stacked ? amounts.reduce((sum, cents) => sum + cents, 0) : (max(amounts) ?? 0);
  const y = amountScale(0, max([limit ?? 0, ...groups.map(total)]) ?? 0, height);
  const ticks = amountTicks(y, currency);
  const left = labelWidth(ticks);
  const right = width - 4;
  const x = scaleBand()
    .domain(groups.map((_, index) => index))
    .range([left, right])
    .paddingInner(0.3)
    .paddingOuter(0.15);
  const band = x.bandwidth();
  const centre = (/** @type {number} */ index) => (x(index) ?? 0) + band / 2;

  const svg = root(width, height, options.summary);
  const background = svgElement('rect', {
    y: ABOVE,
    height: height - BELOW - ABOVE,
    width: x.step(),
    class: 'highlight',
    visibility: 'hidden',
  });
  svg.append(background, amountAxis(y, ticks, left, right));
  const labels = groups.map(({ period }, index) => ({ x: centre(index), label: formatShortMonth(period) }));
  svg.append(bottomLabels(labels, height, left, right));
  const bars = options.stacked ? stackedBars(options, y) : pairedBars(options, band, y);
  svg.append(
    ...bars.map(({ index, offset, breadth, top, bottom, series }) =>
      svgElement('rect', {
        x: (x(index) ?? 0) + offset,
        y: top,
        width: breadth ?? band,
        height: Math.max(0, bottom - top),
        class: groups[index]?.part ? `bar ${series} part` : `bar ${series}`,
      }),
    ),
  );
  if (limit !== undefined) {
    svg.append(svgElement('line', { x1: left, x2: right, y1: y(limit), y2: y(limit), class: 'limit' }));
  }
  return {
    svg,
    count: groups.length,
    card,
    nearest: (pointer) => Math.max(0, Math.min(groups.length - 1, Math.floor((pointer - left) / x.step()))),
    anchor: (index) => ({ x: centre(index), y: y(total(groups[index] ?? { period: '', amounts: [0] })) }),
    mark: (index) => {
      background.setAttribute('visibility', index === undefined ? 'hidden' : 'visible');
      background.setAttribute('x', String(centre(index ?? 0) - x.step() / 2));
    },
  };
}

/**
 * @typedef {{ index: number, offset: number, breadth?: number, top: number, bottom: number, series: string }} Bar
 */

/**
 * Returns the bars of each group beside each other.
 *
 * @param {BarOptions} options
 * @param {number} band width of a group
 * @param {(cents: number) => number} y
 * @returns {Bar[]}
 */
function pairedBars({ groups, series }, band, y) {
  const gap = band > 16 ? 2 : 0;
  const breadth = (band - gap * (series.length - 1)) / series.length;
  return groups.flatMap(({ amounts }, index) =>
    amounts.map((cents, at) => ({
      index,
      offset: at * (breadth + gap),
      breadth,
      top: y(cents),
      bottom: y(0),
      series: series[at] ?? '',
    })),
  );
}

/**
 * Returns the bars of each group on top of each other.
 *
 * @param {BarOptions} options
 * @param {(cents: number) => number} y
 * @returns {Bar[]}
 */
function stackedBars({ groups, series }, y) {
  const keys = series.map((_, at) => at);
  const value = (/** @type {BarGroup} */ group, /** @type {number} */ at) => group.amounts[at] ?? 0;
  const layers = /** @type {number[][][]} */ (stack().keys(keys).value(value)(groups));
  return layers.flatMap((layer, at) =>
    layer.map(([from = 0, to = 0], index) => ({
      index,
      offset: 0,
      top: y(to),
      bottom: y(from),
      series: series[at] ?? '',
    })),
  );
}
