/**
 * A line of amounts over days.
 *
 * @import { Card, Drawing } from './types.d.ts'
 */

import { area, bisectCenter, extent, line, scaleLinear, utcTicks } from '../vendor/d3.js';
import { dayTime, formatTick } from './dates.js';
import { svgElement } from './dom.js';
import { chart } from './inspector.js';
import { BELOW, amountAxis, amountScale, amountTicks, bottomLabels, labelWidth, root } from './plot.js';

/** The distance of two labels below the line that is aimed at, in pixels. */
const TICK = 64;

/**
 * @typedef {object} LinePoint
 * @property {string} date
 * @property {number} cents
 * @property {boolean} partial the amount is incomplete; the line is dashed there
 */

/**
 * Returns a line chart.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.summary the text alternative
 * @param {string} options.currency
 * @param {LinePoint[]} options.points at least one, in the order of their days
 * @param {(index: number) => Card} options.card
 */
export function lineChart({ title, summary, currency, points, card }) {
  return chart(title, (width) => drawLine({ summary, currency, points, card, width }));
}

/**
 * Draws a line chart.
 *
 * @param {{ summary: string, currency: string, points: LinePoint[], card: (index: number) => Card, width: number }} options
 * @returns {Drawing}
 */
export function drawLine({ summary, currency, points, card, width }) {
  const height = width < 520 ? 220 : 300;
  const amounts = points.map((point) => point.cents);
  const [low, high] = /** @type {[number, number]} */ (extent(amounts));
  // A scale from zero, unless that would press a line far from zero flat.
  const fromZero = low <= 0 || low < high * 0.5;
  const padding = (high - low) * 0.08;
  const y = fromZero
    ? amountScale(Math.min(0, low), Math.max(0, high), height)
    : amountScale(low - padding, high + padding, height);
  const ticks = amountTicks(y, currency);
  const left = labelWidth(ticks);
  const right = width - 8;
  const times = points.map((point) => dayTime(point.date));
  const [first, last] = /** @type {[number, number]} */ (extent(times));
  const x = scaleLinear()
    .domain(first === last ? [first - 1, last + 1] : [first, last])
    .range([left + 4, right - 4]);
  const positions = points.map((point, index) => ({ x: x(times[index] ?? 0), y: y(point.cents) }));

  const svg = root(width, height, summary);
  svg.append(amountAxis(y, ticks, left, right));
  const count = Math.max(2, Math.floor((right - left) / TICK));
  const days = /** @type {Date[]} */ (utcTicks(new Date(first), new Date(last), count));
  svg.append(
    bottomLabels(
      days.map((date) => ({ x: x(date.getTime()), label: formatTick(date) })),
      height,
      left,
      right,
    ),
  );
  svg.append(...lines(positions, points, fromZero ? y(0) : height - BELOW, fromZero));

  const end = positions.at(-1) ?? { x: 0, y: 0 };
  svg.append(svgElement('circle', { cx: end.x, cy: end.y, r: 4, class: 'dot main' }));
  const guide = svgElement('line', { y1: 8, y2: height - BELOW, class: 'guide' });
  const dot = svgElement('circle', { r: 5, class: 'dot main' });
  const marker = svgElement('g', { visibility: 'hidden' }, guide, dot);
  svg.append(marker);
  return {
    svg,
    count: points.length,
    card,
    nearest: (pointer) => bisectCenter(times, x.invert(pointer)),
    anchor: (index) => positions[index] ?? end,
    mark: (index) => {
      const position = index === undefined ? undefined : positions[index];
      marker.setAttribute('visibility', position ? 'visible' : 'hidden');
      if (position) {
        guide.setAttribute('x1', String(position.x));
        guide.setAttribute('x2', String(position.x));
        dot.setAttribute('cx', String(position.x));
        dot.setAttribute('cy', String(position.y));
      }
    },
  };
}

/**
 * Returns the line, dashed from and to each incomplete point, and the area below.
 *
 * @param {{ x: number, y: number }[]} positions
 * @param {LinePoint[]} points
 * @param {number} base
 * @param {boolean} filled
 */
function lines(positions, points, base, filled) {
  const path = line(
    (/** @type {{ x: number }} */ position) => position.x,
    (/** @type {{ y: number }} */ position) => position.y,
  );
  const below = area(
    (/** @type {{ x: number }} */ position) => position.x,
    () => base,
    (/** @type {{ y: number }} */ position) => position.y,
  );
  return [
    ...(filled ? [svgElement('path', { d: below(positions) ?? '', class: 'area main' })] : []),
    ...stretches(points).map(({ from, to, partial }) =>
      svgElement('path', {
        d: path(positions.slice(from, to + 1)) ?? '',
        class: partial ? 'line main dashed' : 'line main',
      }),
    ),
  ];
}

/**
 * Divides a line into stretches, so that a stretch is partial if each of its sections begins or ends at an incomplete
 * point. Each stretch ends at the point at which the next one begins.
 *
 * @param {LinePoint[]} points
 */
function stretches(points) {
  /** @type {{ from: number, to: number, partial: boolean }[]} */
  const found = [];
  for (let to = 1; to < points.length; to += 1) {
    const partial = points[to - 1]?.partial === true || points[to]?.partial === true;
    const last = found.at(-1);
    if (last?.partial === partial) {
      last.to = to;
    } else {
      found.push({ from: to - 1, to, partial });
    }
  }
  return found;
}
