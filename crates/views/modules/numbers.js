/** Formats numbers in the reader's locale. */

/** @type {string | undefined} */
let locale;

/** Selects the locale of all numbers and dates. Without a call it is the browser's.
 * @param {string | undefined} tag a BCP 47 language tag; a malformed one is ignored */
export function setLocale(tag) {
  try {
    locale = tag === undefined ? undefined : Intl.getCanonicalLocales(tag)[0];
  } catch {
    locale = undefined;
  }
  formatters.clear();
}

/** @type {Map<string, Intl.NumberFormat | Intl.DateTimeFormat>} */
const formatters = new Map();

/** Returns a formatter of numbers. Creating one is slow, so each is created once.
 * @param {Intl.NumberFormatOptions} options @returns {Intl.NumberFormat} */
export function numberFormat(options) {
  const key = `number ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
  formatters.set(key, known);
  return /** @type {Intl.NumberFormat} */ (known);
}

/** Returns a formatter of dates. @param {Intl.DateTimeFormatOptions} options @returns {Intl.DateTimeFormat} */
export function dateFormat(options) {
  const key = `date ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return /** @type {Intl.DateTimeFormat} */ (known);
}

/** Returns a formatted number with a minus sign in place of a hyphen, which some locales write. @param {string} text */
export function withMinus(text) {
  return text.replace('-', '−');
}

/** Formats a percentage from 0 to 100 with two decimals, as the payloads have it.
 * @param {number} percent @param {boolean} [signed] writes a plus sign too */
export function formatPercent(percent, signed = false) {
  const format = numberFormat({
    style: 'unit',
    unit: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: signed ? 'exceptZero' : 'auto',
  });
  return withMinus(format.format(percent));
}

/** Formats a share from 0 to 100 in few characters: without decimals, below ten with one. @param {number} percent */
export function formatShare(percent) {
  const maximumFractionDigits = percent < 10 ? 1 : 0;
  return numberFormat({ style: 'unit', unit: 'percent', maximumFractionDigits }).format(percent);
}

/** Formats a count. @param {number} count */
export function formatCount(count) {
  return numberFormat({ maximumFractionDigits: 0 }).format(count);
}

/** Joins texts as a list in words. @param {string[]} texts */
export function formatList(texts) {
  return new Intl.ListFormat(locale).format(texts);
}

/** Formats a decimal number that is written as text, without rounding it. @param {string} text such as `0.04210000` */
export function formatDecimal(text) {
  const digits = Math.min(20, (text.split('.')[1] ?? '').replace(/0+$/, '').length);
  const value = /** @type {Intl.StringNumericLiteral} */ (text);
  return numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** Compares two names; numbers in them count by their value. @param {string} one @param {string} other */
export function compareNames(one, other) {
  return one.localeCompare(other, undefined, { numeric: true });
}
