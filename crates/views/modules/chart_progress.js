/** A bar of an amount beside its limit. The text beside the bar says the same, so screen readers skip the bar.
 * @import { Money } from './types.d.ts' */

import { element, svgElement } from './dom.js';
import { changeMark } from './figure.js';
import { formatMoney } from './money.js';

/** The length of the whole bar in its own units. */
const LENGTH = 1000;

/** Returns a bar. Above the limit, the bar is full and a line shows the limit.
 * @param {number} cents @param {number} limit cents
 * @param {{ today?: number | undefined, series?: string | undefined }} [options] `today` is the elapsed share of the days
 *   for which the limit is */
export function progressBar(cents, limit, { today, series = 'main' } = {}) {
  const whole = Math.max(cents, limit, 1);
  const over = cents > limit;
  const length = (/** @type {number} */ amount) => Math.max(0, Math.round((amount / whole) * LENGTH));
  const parts = [svgElement('rect', { width: LENGTH, height: 10, class: 'track' })];
  parts.push(svgElement('rect', { width: length(Math.min(cents, limit)), height: 10, class: 'bar', series }));
  if (over) {
    const start = length(limit);
    parts.push(svgElement('rect', { x: start, width: LENGTH - start, height: 10, class: 'bar', series: 'over' }));
    parts.push(svgElement('rect', { x: Math.max(0, start - 2), width: 4, height: 10, class: 'target' }));
  }
  if (today !== undefined && today < 1) {
    parts.push(svgElement('rect', { x: length(limit * today) - 2, width: 4, height: 10, class: 'today' }));
  }
  const options = {
    viewBox: `0 0 ${LENGTH} 10`,
    preserveAspectRatio: 'none',
    class: 'progress',
    'aria-hidden': 'true',
  };
  return svgElement('svg', options, ...parts);
}

/** Returns a row of a list of amounts: a name, its amount, and a bar.
 * @param {Node | string} name @param {Money} total @param {number} highest cents of the longest bar
 * @param {{ share?: string, change?: Money | undefined, series?: string | undefined }} [options] `change` is against earlier
 *   days */
export function barRow(name, total, highest, { share, change, series } = {}) {
  const amount = element(
    'span',
    { class: 'number' },
    formatMoney(total),
    share !== undefined && element('small', {}, ` ${share}`),
  );
  return element(
    'li',
    {},
    element('span', { class: 'line' }, element('span', {}, name, change && changeMark(change)), amount),
    progressBar(total.amount_cents, highest, { series }),
  );
}
