/** Bars by month: two beside each other, or several on top of each other.
 * @import { BarGroup, BarOptions, Drawing } from './types.d.ts' */

import { max, scaleBand } from '../vendor/d3.js';
import { formatShortMonth } from './dates.js';
import { svgElement } from './dom.js';
import { chart } from './inspector.js';
import { BELOW, amountAxis, amountScale, amountTicks, bottomLabels, labelWidth, pictureHeight, root } from './plot.js';

/** Returns a bar chart. @param {BarOptions} options */
export function barChart(options) {
  return chart(options.title, (width) => drawBars(options, width), options.select);
}

/** Draws a bar chart. @param {BarOptions} options @param {number} width @returns {Drawing} */
export function drawBars(options, width) {
  const { groups, currency, card, limit } = options;
  const height = pictureHeight(width);
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
    height: height - BELOW,
    width: x.step(),
    class: 'highlight',
    visibility: 'hidden',
  });
  svg.append(background, amountAxis(y, ticks, left, right));
  const labels = groups.map(({ period }, index) => ({ x: centre(index), label: formatShortMonth(period) }));
  svg.append(bottomLabels(labels, height, left, right));
  svg.append(
    ...groupBars(options, band, y).map(({ index, offset, breadth, top, bottom, series }) =>
      svgElement('rect', {
        x: (x(index) ?? 0) + offset,
        y: top,
        width: breadth,
        height: Math.max(0, bottom - top),
        class: groups[index]?.part ? 'bar part' : 'bar',
        series,
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

/** Returns the bars of each group: beside each other, or on top of each other.
 * @param {BarOptions} options @param {number} band width of a group @param {(cents: number) => number} y */
function groupBars({ groups, series, stacked }, band, y) {
  const gap = band > 16 ? 2 : 0;
  const breadth = stacked ? band : (band - gap * (series.length - 1)) / series.length;
  return groups.flatMap(({ amounts }, index) => {
    let below = 0;
    return amounts.map((cents, at) => {
      const from = below;
      below += stacked ? cents : 0;
      const offset = stacked ? 0 : at * (breadth + gap);
      return { index, offset, breadth, top: y(from + cents), bottom: y(from), series: series[at] ?? '' };
    });
  });
}
