/** Formats numbers in the reader's locale. */

/** @type {string | undefined} */
let locale;

/**
 * Selects the locale of all numbers and dates. Without a call it is the browser's.
 *
 * @param {string | undefined} tag a BCP 47 language tag; a malformed one is ignored
 */
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

/**
 * Returns a formatter of numbers. Creating one is slow, so each is created once.
 *
 * @param {Intl.NumberFormatOptions} options
 * @returns {Intl.NumberFormat}
 */
export function numberFormat(options) {
  const key = `number ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
  formatters.set(key, known);
  return /** @type {Intl.NumberFormat} */ (known);
}

/**
 * Returns a formatter of dates.
 *
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {Intl.DateTimeFormat}
 */
export function dateFormat(options) {
  const key = `date ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return /** @type {Intl.DateTimeFormat} */ (known);
}

/**
 * Formats a percentage from 0 to 100 with two decimals, as the payloads have it.
 *
 * @param {number} percent
 * @param {boolean} [signed] writes a plus sign too
 */
export function formatPercent(percent, signed = false) {
  return numberFormat({
    style: 'unit',
    unit: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: signed ? 'exceptZero' : 'auto',
  }).format(percent);
}

/**
 * Formats a count.
 *
 * @param {number} count
 */
export function formatCount(count) {
  return numberFormat({ maximumFractionDigits: 0 }).format(count);
}

/**
 * Formats a decimal number that is written as text, without rounding it.
 *
 * @param {string} text such as `0.04210000`
 */
export function formatDecimal(text) {
  const digits = Math.min(20, (text.split('.')[1] ?? '').replace(/0+$/, '').length);
  const value = /** @type {Intl.StringNumericLiteral} */ (text);
  return numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
