/** The axes of a chart. */

import { scaleLinear } from '../vendor/d3.js';
import { svgElement } from './dom.js';
import { formatAxisLabel } from './money.js';

/** Height of the labels below a chart, in pixels. */
export const BELOW = 26;
/** Height above the plot, in pixels. */
const ABOVE = 14;

/** The width of a digit of a label in pixels, in the widest of the fonts. */
const CHARACTER = 7.7;
/** The smallest distance of two labels beside each other in pixels. */
const GAP = 10;

/** Returns the height of a chart in pixels. A picture in an assistant is low, because it stands in a conversation.
 * @param {number} width */
export function pictureHeight(width) {
  const isApp = document.documentElement.classList.contains('app');
  return isApp ? 130 : width < 520 ? 220 : 300;
}

/** Returns the root of a chart. `summary` is the text alternative.
 * @param {number} width @param {number} height @param {string} summary */
export function root(width, height, summary) {
  return svgElement('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': summary });
}

/** Returns the scale of amounts, with an end at round numbers unless `isRound` is false.
 * @param {number} low cents @param {number} high cents @param {number} height of the whole chart in pixels
 * @param {boolean} [isRound] */
export function amountScale(low, high, height, isRound = true) {
  const top = high > low ? high : low + 100;
  const scale = scaleLinear()
    .domain([low, top])
    .range([height - BELOW, ABOVE]);
  return isRound ? scale.nice(5) : scale;
}

/** Returns the ticks of the axis of amounts with their labels.
 * @param {ReturnType<typeof amountScale>} scale @param {string} currency */
export function amountTicks(scale, currency) {
  const values = /** @type {number[]} */ (scale.ticks(5));
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) : 100;
  return values.map((value) => ({ value, label: formatAxisLabel(value, currency, step) }));
}

/** Returns the width that labels need, in pixels. @param {{ label: string }[]} ticks */
export function labelWidth(ticks) {
  return Math.ceil(Math.max(...ticks.map(({ label }) => label.length)) * CHARACTER) + 10;
}

/** Returns the horizontal lines and the labels of the axis of amounts.
 * @param {ReturnType<typeof amountScale>} scale @param {{ value: number, label: string }[]} ticks
 * @param {number} left where the plot begins @param {number} right where the plot ends */
export function amountAxis(scale, ticks, left, right) {
  const parts = ticks.flatMap(({ value, label }) => {
    const y = Math.round(scale(value)) + 0.5;
    const line = { x1: left, x2: right, y1: y, y2: y, class: value === 0 ? 'zero' : 'grid' };
    return [svgElement('line', line), svgElement('text', { x: left - 8, y, dy: '0.32em', class: 'label end' }, label)];
  });
  return svgElement('g', { 'aria-hidden': 'true' }, ...parts);
}

/** Returns labels below a plot. If some would touch, only every second, every third and so on is kept.
 * @param {{ x: number, label: string }[]} ticks @param {number} height of the whole chart @param {number} left
 * @param {number} right */
export function bottomLabels(ticks, height, left, right) {
  const placed = ticks
    .map(({ x, label }) => ({ x, label, half: (label.length * CHARACTER) / 2 }))
    .filter(({ x, half }) => x - half >= Math.max(0, left - 30) && x + half <= right + 8);
  const every = (/** @type {number} */ stride) => placed.filter((_, index) => index % stride === 0);
  let kept = placed;
  for (let stride = 2; touches(kept); stride += 1) {
    kept = every(stride);
  }
  const labels = kept.map(({ x, label }) => svgElement('text', { x, y: height - 7, class: 'label middle' }, label));
  return svgElement('g', { 'aria-hidden': 'true' }, ...labels);
}

/** @param {{ x: number, half: number }[]} labels */
function touches(labels) {
  return labels.some(({ x, half }, index) => {
    const before = labels[index - 1];
    return before !== undefined && x - half < before.x + before.half + GAP;
  });
}
