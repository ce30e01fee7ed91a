/** Links from a month to its days. @import { Actions, Month, Parameters } from './types.d.ts' */

import { viewLink } from './controls.js';
import { DAY, dayTime, formatMonth, partMonths } from './dates.js';

/** Returns the first and the last day of a month. @param {string} month `YYYY-MM` */
export function monthDays(month) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { dateFrom: `${month}-01`, dateTo: `${month}-${String(last).padStart(2, '0')}` };
}

/** Returns the month whose days the range covers exactly; undefined if it is not one whole month.
 * A month that begins up to the 16th has the name of the calendar month in which it begins, a later one that of the next.
 * @param {{ dateFrom?: string, dateTo?: string }} range @param {string} start the day on which months begin */
export function monthOfDays({ dateFrom = '', dateTo = '' }, start) {
  const count = (dayTime(dateTo) - dayTime(dateFrom)) / DAY + 1;
  const begins = start === 'last-working-day' || Number(start) === Number(dateFrom.slice(8));
  const isMonth = begins && count >= 28 && count <= 33;
  const named = dayTime(dateFrom) + (Number(dateFrom.slice(8)) > 16 ? 16 * DAY : 0);
  return isMonth ? new Date(named).toISOString().slice(0, 7) : undefined;
}

/** Returns the days of a month: its own if it has them, because the months of a person may begin on another day.
 * @param {Month} month */
function daysOfMonth({ period, dateFrom, dateTo }) {
  return dateFrom !== undefined && dateTo !== undefined ? { dateFrom, dateTo } : monthDays(period);
}

/** Returns the months of which a range has only a part; none if the months are not those of the calendar.
 * @param {Month[]} months @param {{ dateFrom?: string, dateTo?: string }} range */
export function incompleteMonths(months, { dateFrom, dateTo }) {
  const isWithin = (/** @type {Month} */ { period, ...days }) =>
    [days.dateFrom, days.dateTo].every((day) => day === undefined || day.slice(0, 7) === period);
  const isCalendar = months.every(isWithin);
  return isCalendar ? partMonths(dateFrom, dateTo) : new Set();
}

/** Returns the name of a month as a link to its days.
 * @param {Actions} actions @param {Month} month @param {string} [view] @param {Parameters} [parameters] */
export function monthLink(actions, month, view = 'spending', parameters = {}) {
  return viewLink(actions, view, { ...parameters, ...daysOfMonth(month) }, formatMonth(month.period));
}

/** Returns a function that follows the bars of a month, or nothing outside the page.
 * @param {Actions} actions @param {Month[]} months @param {string} [view] @param {Parameters} [parameters] */
export function monthSelect({ address }, months, view = 'spending', parameters = {}) {
  return (
    address &&
    ((/** @type {number} */ index) => {
      location.hash = address(view, { ...parameters, ...daysOfMonth(months[index] ?? { period: '' }) });
    })
  );
}
