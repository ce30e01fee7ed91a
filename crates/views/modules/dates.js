/**
 * Formats days and months. A day is `YYYY-MM-DD` and has no time zone, so it is read and written in UTC: in the
 * browser's time zone it could become the day before.
 */

import { dateFormat } from './numbers.js';
import { TEXT } from './text.js';

/** Milliseconds of a day in UTC. */
export const DAY = 86_400_000;

/** Returns the milliseconds of a day's start in UTC. @param {string} day */
export function dayTime(day) {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Formats a day. A text that is no day, which an address may hold, stays as it is. @param {string} day */
export function formatDay(day) {
  const time = dayTime(day);
  return Number.isNaN(time) ? day : dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(time);
}

/** Formats a day without its year. @param {string} day */
export function formatDayOfMonth(day) {
  return dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(dayTime(day));
}

/** Formats the day of the week. @param {string} day */
export function formatWeekday(day) {
  return dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(dayTime(day));
}

/** Formats a range of days in few words, such as `1–24 Oct`. @param {string} from @param {string} to */
export function formatShortPeriod(from, to) {
  const format = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.formatRange(dayTime(from), dayTime(to));
}

/** Formats a month without its year. @param {string} month `YYYY-MM`, or a day of the month */
export function formatMonthName(month) {
  return dateFormat({ month: 'long', timeZone: 'UTC' }).format(dayTime(`${month.slice(0, 7)}-01`));
}

/** Formats a month with its year. @param {string} month `YYYY-MM`, or a day of the month */
export function formatMonth(month) {
  return dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(dayTime(`${month.slice(0, 7)}-01`));
}

/** Formats a month in a few characters. January shows its year. @param {string} month `YYYY-MM` */
export function formatShortMonth(month) {
  const time = dayTime(`${month.slice(0, 7)}-01`);
  const isFirst = month.slice(5, 7) === '01';
  return dateFormat(isFirst ? { year: 'numeric', timeZone: 'UTC' } : { month: 'short', timeZone: 'UTC' }).format(time);
}

/** Formats a tick of a time axis: the year in January, the month at its first day, otherwise day and month.
 * @param {Date} date */
export function formatTick(date) {
  const day = date.toISOString().slice(0, 10);
  return day.endsWith('-01') ? formatShortMonth(day.slice(0, 7)) : formatDayOfMonth(day);
}

/** Formats the day of a timestamp in the browser's time zone. @param {string} timestamp RFC 3339 */
export function formatTimestamp(timestamp) {
  return dateFormat({ dateStyle: 'medium' }).format(Date.parse(timestamp));
}

/** Returns the months, as `YYYY-MM`, of which a range of days has only a part: at most its first and its last.
 * @param {string | undefined} from @param {string | undefined} to */
export function partMonths(from, to) {
  const months = new Set();
  if (from !== undefined && !from.endsWith('-01')) {
    months.add(from.slice(0, 7));
  }
  if (to !== undefined && !new Date(dayTime(to) + DAY).toISOString().startsWith('01', 8)) {
    months.add(to.slice(0, 7));
  }
  return months;
}

/** Formats a range of days. An absent end is open. @param {string | undefined} from @param {string | undefined} to */
export function formatPeriod(from, to) {
  if (from !== undefined && to !== undefined) {
    // A text that is no day, which an address may hold, stays as it is.
    return Number.isNaN(dayTime(from) + dayTime(to))
      ? `${from} – ${to}`
      : dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).formatRange(dayTime(from), dayTime(to));
  }
  if (from !== undefined) {
    return TEXT.since(formatDay(from));
  }
  return to === undefined ? TEXT.allTime : TEXT.until(formatDay(to));
}
