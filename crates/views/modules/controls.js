/** The period of a view, and links between views. @import { Actions, Parameters, Range } from './types.d.ts' */

import { codeName } from './categories.js';
import { formatPeriod } from './dates.js';
import { element, foreignText } from './dom.js';
import { TEXT } from './text.js';

/** The names of the parameters that select days. */
const RANGE_NAMES = /** @type {const} */ (['period', 'timeRange', 'dateFrom', 'dateTo']);

/** Returns the selected days as the parameters of a read.
 * @param {Parameters} parameters @param {Range} initial the days of a view without a selection
 * @returns {Record<string, string>} */
export function rangeParameters(parameters, initial) {
  const selected = selectedRange(parameters);
  return Object.keys(selected).length === 0 ? { ...initial } : selected;
}

/** Returns the days that the parameters select. Days of the calendar come before a period by name, as in the routes.
 * @param {Parameters} parameters */
export function selectedRange(parameters) {
  const { period, timeRange, dateFrom, dateTo } = parameters;
  if (dateFrom !== undefined || dateTo !== undefined) {
    return dateParameters({ dateFrom, dateTo });
  }
  if (period !== undefined) {
    return { period };
  }
  return /** @type {Record<string, string>} */ (timeRange === undefined ? {} : { timeRange });
}

/** Returns the days of a range as parameters. An absent end stays absent.
 * @param {{ dateFrom?: string | undefined, dateTo?: string | undefined }} range @returns {Record<string, string>} */
function dateParameters({ dateFrom, dateTo }) {
  return { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) };
}

/** Returns the parameters of a link to the days that a payload is about: the selection if there is one, because a name such
 * as `this-month` stays right tomorrow.
 * @param {Parameters} parameters @param {{ dateFrom?: string | undefined, dateTo?: string | undefined }} payload */
export function linkRange(parameters, payload) {
  return rangeParameters(parameters, dateParameters(payload));
}

/** Returns the list of periods, or nothing if the view cannot be changed.
 * @param {Parameters} parameters @param {Range} initial @param {Actions} actions */
export function periodSelect(parameters, initial, { change, hasInitialRange }) {
  if (change === undefined) {
    return undefined;
  }
  const selected = rangeParameters(parameters, hasInitialRange ? initial : { timeRange: 'all' });
  const value = selected.period ?? selected.timeRange ?? 'days';
  const choices = Object.entries(TEXT.periods);
  const days = value === 'days' ? [[value, formatPeriod(selected.dateFrom, selected.dateTo)]] : [];
  const select = (/** @type {string} */ code) => {
    const others = Object.entries(parameters).filter(([name]) => !RANGE_NAMES.some((range) => range === name));
    change({ ...Object.fromEntries(others), [code.includes('-') ? 'period' : 'timeRange']: code });
  };
  return choiceSelect(
    { id: 'period', class: 'period', 'aria-label': TEXT.range },
    [...days, ...choices],
    value,
    select,
  );
}

/** Returns a list of values by their names.
 * @param {Record<string, string>} attributes @param {string[][]} choices @param {string | undefined} value
 * @param {(value: string) => void} [select] */
export function choiceSelect(attributes, choices, value, select) {
  const options = choices.map(([code, name]) =>
    element('option', { value: code, dir: 'auto', selected: code === value }, name),
  );
  const onchange = select && ((/** @type {any} */ { target }) => select(target.value));
  return element('select', { ...attributes, onchange }, ...options);
}

/** Returns the name of a category as a link to its place.
 * @param {Actions} actions @param {string} category @param {Parameters} range */
export function categoryLink(actions, category, range) {
  return viewLink(actions, 'category', { categories: category, ...range }, codeName(category));
}

/** Returns the name of a merchant as a link to its place.
 * The name of a merchant of expenses selects all rows that count as it; any other one, and one that a list would divide, the rows
 * with this text.
 * @param {Actions} actions @param {string} merchant @param {{ range?: Parameters, type?: string | undefined }} [options] */
export function merchantLink(actions, merchant, { range = {}, type = 'EXPENSE' } = {}) {
  const isMerchant = type === 'EXPENSE' && !merchant.includes(',') && merchant.length <= 200;
  const chosen = isMerchant ? { merchants: merchant } : { merchantQuery: merchant.slice(0, 100) };
  return viewLink(actions, 'merchant', { ...chosen, ...range }, foreignText(merchant));
}

/** Returns a control below its label. @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control);
}

/** Returns the days that the parameters select, in words. @param {Parameters} parameters */
export function rangeText({ period = '', timeRange = period, dateFrom, dateTo }) {
  return /** @type {Record<string, string>} */ (TEXT.periods)[timeRange] ?? formatPeriod(dateFrom, dateTo);
}

/** Returns a name as a link to what it names, or as a button that asks the assistant about it, where one of them is possible.
 * @param {Actions} actions @param {string} view @param {Parameters} parameters @param {Node | string} text */
export function viewLink({ address, follow }, view, parameters, text) {
  if (address !== undefined) {
    return element('a', { href: address(view, parameters) }, text);
  }
  const onclick = () => follow?.(parameters, text);
  return follow === undefined ? text : element('button', { type: 'button', class: 'name', onclick }, text);
}
