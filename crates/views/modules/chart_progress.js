/** A bar of an amount beside its limit. The text beside the bar says the same, so screen readers skip the bar. */

import { svgElement } from './dom.js';

/** The length of the whole bar in its own units. */
const LENGTH = 1000;

/**
 * Returns a bar. Above the limit, the bar is full and a line shows the limit.
 *
 * @param {number} cents
 * @param {number} limit cents
 */
export function progressBar(cents, limit) {
  const whole = Math.max(cents, limit, 1);
  const over = cents > limit;
  const length = (/** @type {number} */ amount) => Math.max(0, Math.round((amount / whole) * LENGTH));
  const parts = [svgElement('rect', { width: LENGTH, height: 10, class: 'track' })];
  parts.push(svgElement('rect', { width: length(Math.min(cents, limit)), height: 10, class: 'bar main' }));
  if (over) {
    const start = length(limit);
    parts.push(svgElement('rect', { x: start, width: LENGTH - start, height: 10, class: 'bar over' }));
    parts.push(svgElement('rect', { x: Math.max(0, start - 2), width: 4, height: 10, class: 'target' }));
  }
  const options = {
    viewBox: `0 0 ${LENGTH} 10`,
    preserveAspectRatio: 'none',
    class: 'progress',
    'aria-hidden': 'true',
  };
  return svgElement('svg', options, ...parts);
}
