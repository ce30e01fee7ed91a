/**
 * Controls that several views have.
 *
 * @import { Actions, Parameters } from './types.d.ts'
 */

import { element } from './dom.js';
import { TEXT } from './text.js';

/** The ranges of the switch, as the parameter `timeRange` names them. */
const RANGES = /** @type {const} */ (['1m', '3m', '6m', '1y', 'all']);

/**
 * Returns the selected range. Explicit dates are no range of the switch.
 *
 * @param {Parameters} parameters
 * @param {string | undefined} initial
 */
export function selectedRange(parameters, initial) {
  const { timeRange, dateFrom, dateTo } = parameters;
  return dateFrom !== undefined || dateTo !== undefined ? undefined : (timeRange ?? initial);
}

/**
 * Returns the parameters of a read for the selected range.
 *
 * @param {Parameters} parameters
 * @param {string} initial
 * @returns {Record<string, string>}
 */
export function rangeParameters(parameters, initial) {
  const range = selectedRange(parameters, initial);
  if (range !== undefined) {
    return { timeRange: range };
  }
  return dateParameters(parameters);
}

/**
 * Returns the days of a range as parameters. An absent end stays absent.
 *
 * @param {{ dateFrom?: string | undefined, dateTo?: string | undefined }} range
 * @returns {Record<string, string>}
 */
export function dateParameters({ dateFrom, dateTo }) {
  return { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) };
}

/**
 * Returns the switch of ranges, or nothing if the view cannot be changed.
 *
 * @param {Parameters} parameters
 * @param {string} initial
 * @param {Actions} actions
 */
export function rangeSwitch(parameters, initial, actions) {
  const { change } = actions;
  if (change === undefined) {
    return undefined;
  }
  const selected = selectedRange(parameters, actions.hasInitialRange ? initial : undefined);
  const buttons = RANGES.map((range) =>
    element(
      'button',
      {
        type: 'button',
        id: `range-${range}`,
        'aria-pressed': String(range === selected),
        'aria-label': TEXT.ranges[range],
        onclick: () => change({ ...withoutDates(parameters), timeRange: range }),
      },
      TEXT.rangesShort[range],
    ),
  );
  return element('div', { class: 'switch', role: 'group', 'aria-label': TEXT.range }, ...buttons);
}

/**
 * @param {Parameters} parameters
 * @returns {Parameters}
 */
function withoutDates({ dateFrom: _from, dateTo: _to, ...others }) {
  return others;
}

/**
 * Returns a text that is a link if the page has the other view.
 *
 * @param {Actions} actions
 * @param {string} view
 * @param {Parameters} parameters
 * @param {string} text
 */
export function viewLink(actions, view, parameters, text) {
  return actions.address === undefined ? text : element('a', { href: actions.address(view, parameters) }, text);
}
