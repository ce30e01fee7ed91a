/** Names of categories, of groups and of kinds of accounts. */

import { TEXT } from './text.js';

/** Returns the name of a code such as `FAST_FOOD`. Codes may be added later, so every code has a name.
 * @param {string} code */
export function codeName(code) {
  const kinds = /** @type {Record<string, string>[]} */ ([TEXT.incomes, TEXT.expenses, TEXT.names]);
  const names = kinds.find((known) => Object.hasOwn(known, code));
  const words = code.replaceAll('_', ' ').toLowerCase();
  return names?.[code] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns true if a code is that of a category of income. @param {string} code */
export function isIncomeCategory(code) {
  return Object.hasOwn(TEXT.incomes, code);
}
