/**
 * Formats and adds amounts. An amount is a whole number of hundredths of the currency's unit ("cents"), for every
 * currency. Sums are sums of whole numbers; no amount passes through a fraction.
 *
 * @import { Money, Unconverted } from './types.d.ts'
 */

import { element } from './dom.js';
import { formatList, numberFormat, withMinus } from './numbers.js';
import { TEXT } from './text.js';

/** Writes cents as a decimal number, exactly. @param {number} cents a whole number */
export function decimalText(cents) {
  const magnitude = Math.abs(cents);
  const whole = Math.trunc(magnitude / 100);
  const sign = cents < 0 ? '-' : '';
  return `${sign}${whole}.${String(magnitude % 100).padStart(2, '0')}`;
}

/** Returns the number of decimals: the currency's own, or two if the amount needs them.
 * @param {number} cents @param {string} currency */
function decimals(cents, currency) {
  const own = numberFormat({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return own === 0 && cents % 100 === 0 ? 0 : 2;
}

/** Formats cents in a currency.
 * @param {number} cents @param {string} currency @param {Intl.NumberFormatOptions['signDisplay']} [signDisplay] */
export function formatCents(cents, currency, signDisplay = 'auto') {
  const value = /** @type {Intl.StringNumericLiteral} */ (decimalText(cents));
  if (!/^[A-Za-z]{3}$/.test(currency)) {
    const options = { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay };
    return withMinus(`${numberFormat(options).format(value)} ${currency}`);
  }
  return withMinus(currencyFormat(cents, currency, signDisplay).format(value));
}

/** Returns a formatter of an amount.
 * @param {number} cents @param {string} currency @param {Intl.NumberFormatOptions['signDisplay']} signDisplay */
function currencyFormat(cents, currency, signDisplay) {
  const digits = decimals(cents, currency);
  return numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay,
  });
}

/** Returns an amount whose decimals are small, for headlines. Its text is that of `formatMoney`.
 * @param {Money} money @param {Intl.NumberFormatOptions['signDisplay']} [signDisplay] */
export function headlineAmount({ amount_cents: cents, currency }, signDisplay = 'auto') {
  const text = formatCents(cents, currency, signDisplay);
  const [, whole = text, decimals = '', rest = ''] = /^(.*\d)([.,]\d\d)(\D*)$/.exec(text) ?? [];
  return element('span', {}, whole, decimals && element('span', { class: 'cents' }, decimals), rest);
}

/** Formats an amount. @param {Money} money @param {Intl.NumberFormatOptions['signDisplay']} [signDisplay] */
export function formatMoney(money, signDisplay = 'auto') {
  return formatCents(money.amount_cents, money.currency, signDisplay);
}

/** Formats an amount in few characters, for a narrow place that shows the whole amount elsewhere.
 * @param {Money} money */
export function shortAmount({ amount_cents: cents }) {
  const value = Math.round(Math.abs(cents) / 100);
  return numberFormat({ notation: value < 10_000 ? 'standard' : 'compact', maximumFractionDigits: 1 }).format(value);
}

/** Formats the label of an axis. Labels are round numbers, so they can be short.
 * @param {number} cents @param {string} currency @param {number} step the distance of two labels in cents */
export function formatAxisLabel(cents, currency, step) {
  const known = /^[A-Za-z]{3}$/.test(currency);
  const isShort = step >= (Math.abs(cents) >= 1e8 ? 1e6 : 1e4);
  const format = numberFormat({
    ...(known ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {}),
    ...(isShort ? { notation: 'compact' } : {}),
    minimumFractionDigits: 0,
    maximumFractionDigits: isShort || step < 100 ? 2 : 0,
  });
  return withMinus(format.format(cents / 100));
}

/** Adds whole numbers of cents.
 * @param {number[]} amounts @throws {RangeError} if the sum cannot be represented exactly */
export function sumCents(amounts) {
  const sum = amounts.reduce((total, cents) => total + cents, 0);
  if (!Number.isSafeInteger(sum)) {
    throw new RangeError(`the sum of ${amounts.length} amounts is not exact`);
  }
  return sum;
}

/** Lists amounts without an exchange rate. @param {Unconverted[]} amounts */
export function formatUnconverted(amounts) {
  const parts = amounts.map((amount) => {
    const { type = '', transactionCount: count } = amount;
    const kind = TEXT.unconvertedTypes[type];
    const text = kind === undefined ? formatMoney(amount) : `${kind} ${formatMoney(amount)}`;
    return count === undefined ? text : `${text} (${TEXT.transactionCount(count)})`;
  });
  return formatList(parts);
}
