/** The remarks below a picture, and the states without a picture. @import { Unconverted } from './types.d.ts' */

import { codeName } from './categories.js';
import { formatMonth } from './dates.js';
import { element } from './dom.js';
import { formatUnconverted } from './money.js';
import { formatList } from './numbers.js';
import { TEXT } from './text.js';

/** Returns a note for amounts that a total leaves out because no exchange rate is known.
 * @param {{ unconverted?: Unconverted[] }} payload */
export function unconvertedNote(payload) {
  const amounts = payload.unconverted ?? [];
  return amounts.length === 0 ? undefined : note(TEXT.unconverted(formatUnconverted(amounts)), 'warning');
}

/** Returns a note for categories that a total leaves out. @param {string[] | undefined} categories */
export function excludedNote(categories = []) {
  return categories.length === 0 ? undefined : note(TEXT.excluded(formatList(categories.map(codeName))), 'remark');
}

/** Returns a note for the months of which a range has only a part, so that their bars are not compared with whole months.
 * @param {Set<string>} parts */
export function partMonthsNote(parts) {
  const months = [...parts];
  return months.length === 0 ? undefined : note(TEXT.partMonths(formatList(months.map(formatMonth))), 'remark');
}

/** Returns a note. @param {string} text @param {'remark' | 'warning'} kind */
export function note(text, kind) {
  return element('p', { class: `note ${kind}` }, text);
}

/** Returns the state of a picture without data. @param {string} text */
export function emptyState(text) {
  return element('p', { class: 'state' }, text);
}

/** Returns the state of a view that waits for its data. */
export function loadingState() {
  return element('p', { class: 'state', role: 'status' }, TEXT.loading);
}

/** Returns the state of a view whose data could not be read.
 * @param {string} title what is not there @param {{ message: string, requestId?: string | undefined }} failure
 * @param {(() => void) | undefined} retry */
export function errorState(title, failure, retry) {
  return element(
    'div',
    { class: 'card state error', role: 'alert' },
    element('h2', {}, title),
    element('p', {}, TEXT.errorTitle),
    element('p', {}, failure.message),
    failure.requestId === undefined ? undefined : element('p', { class: 'muted' }, TEXT.requestId(failure.requestId)),
    retry && element('button', { type: 'button', onclick: retry }, TEXT.retry),
  );
}
