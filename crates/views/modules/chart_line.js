/** Lines of amounts over days. @import { Drawing, LineOptions, LinePoint } from './types.d.ts' */

import { area, bisectCenter, extent, line, scaleLinear, utcTicks } from '../vendor/d3.js';
import { DAY, dayTime, formatTick } from './dates.js';
import { svgElement } from './dom.js';
import { chart } from './inspector.js';
import { BELOW, amountAxis, amountScale, amountTicks, bottomLabels, labelWidth, pictureHeight, root } from './plot.js';

/** @typedef {{ x: number, y: number }} Position */

const horizontal = (/** @type {Position} */ { x }) => x;
const vertical = (/** @type {Position} */ { y }) => y;
/** The distance of two labels below the line that is aimed at, in pixels. */
const TICK = 64;

/** Returns a line chart. @param {LineOptions} options */
export function lineChart(options) {
  return chart(options.title, (width) => drawLine(options, width));
}

/** Draws a line chart. @param {LineOptions} options @param {number} width @returns {Drawing} */
export function drawLine({ summary, currency, points, card, before = [], days, heights }, width) {
  const height = heights?.[width < 520 ? 0 : 1] ?? pictureHeight(width);
  const amounts = points.filter(({ missing }) => !missing).map((point) => point.cents);
  const [low, high] = /** @type {[number, number]} */ (extent([...amounts, ...before]));
  // A scale from zero, unless that would press a line far from zero flat.
  const fromZero = low <= 0 || low < high * 0.5;
  const padding = (high - low) * 0.08;
  const y = fromZero
    ? amountScale(Math.min(0, low), Math.max(0, high), height, !heights)
    : amountScale(low - padding, high + padding, height, !heights);
  const ticks = heights ? [] : amountTicks(y, currency);
  const left = heights ? 0 : labelWidth(ticks);
  const right = width - 8;
  const times = points.map((point) => dayTime(point.date));
  const first = times[0] ?? 0;
  const last = days === undefined ? (times.at(-1) ?? 0) : first + (days - 1) * DAY;
  const x = scaleLinear()
    .domain(first === last ? [first - 1, last + 1] : [first, last])
    .range([left + 4, right - 4]);
  const positions = points.map((point, index) => ({ x: x(times[index] ?? 0), y: y(point.cents) }));

  const svg = root(width, height, summary);
  svg.append(amountAxis(y, ticks, left, right));
  const count = Math.max(2, Math.floor((right - left) / TICK));
  const ticksOfTime = /** @type {Date[]} */ (utcTicks(new Date(first), new Date(last), count));
  const labelled = ticksOfTime.filter((date) => date.getTime() % DAY === 0);
  svg.append(
    bottomLabels(
      labelled.map((date) => ({ x: x(date.getTime()), label: formatTick(date) })),
      height,
      left,
      right,
    ),
  );
  const earlier = before.map((cents, index) => ({ x: x(first + index * DAY), y: y(cents) }));
  if (earlier.length > 0) {
    svg.append(svgElement('path', { d: joined(earlier), class: 'line before' }));
  }
  svg.append(...lines(positions, points, fromZero ? y(0) : height - BELOW, fromZero));

  const end = positions.at(-1) ?? { x: 0, y: 0 };
  if (!points.at(-1)?.missing) {
    svg.append(svgElement('circle', { cx: end.x, cy: end.y, r: 4, class: 'dot main' }));
  }
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
      const position = index === undefined || points[index]?.missing ? undefined : positions[index];
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

/** Returns the line, dashed from and to each incomplete point, and the area below.
 * @param {Position[]} positions @param {LinePoint[]} points @param {number} base @param {boolean} filled */
function lines(positions, points, base, filled) {
  const below = area(horizontal, () => base, vertical);
  return stretches(points).flatMap(({ from, to, partial }) => {
    const section = positions.slice(from, to + 1);
    const stroke = svgElement('path', { d: joined(section), class: partial ? 'line main dashed' : 'line main' });
    return filled ? [svgElement('path', { d: below(section) ?? '', class: 'area main' }), stroke] : [stroke];
  });
}

/** @param {Position[]} positions */
function joined(positions) {
  return line(horizontal, vertical)(positions) ?? '';
}

/** Divides a line into stretches, so that a stretch is partial if each of its sections begins or ends at an incomplete
 * point. Each stretch ends at the point at which the next one begins, except at a missing point.
 * @param {LinePoint[]} points */
function stretches(points) {
  /** @type {{ from: number, to: number, partial: boolean }[]} */
  const found = [];
  for (let to = 1; to < points.length; to += 1) {
    if (points[to - 1]?.missing || points[to]?.missing) {
      continue;
    }
    const partial = points[to - 1]?.partial === true || points[to]?.partial === true;
    const last = found.at(-1);
    if (last?.partial === partial && last.to === to - 1) {
      last.to = to;
    } else {
      found.push({ from: to - 1, to, partial });
    }
  }
  return found;
}
