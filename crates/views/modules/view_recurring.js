/** Recurring and upcoming payments as a list by due date.
 * @import { Actions, Recurring, RecurringPayment, ViewDefinition } from './types.d.ts' */

import { codeName } from './categories.js';
import { merchantLink } from './controls.js';
import { DAY, dayTime, formatDay, formatDayOfMonth, formatMonth, formatWeekday } from './dates.js';
import { element, foreignText } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState, note, unconvertedNote } from './notes.js';
import { TEXT } from './text.js';

/** The number of days for which a change of a price is news. */
const NEWS_DAYS = 35;

/** @type {ViewDefinition} */
export const recurringView = {
  name: 'recurring',
  title: TEXT.recurring,
  requests: (parameters) => ({
    recurring: {
      path: 'recurring-payments',
      tool: 'detect_recurring_payments',
      parameters: { types: ['EXPENSE', 'INCOME'], limit: 200, ...parameters },
    },
  }),
  draw: ({ recurring }, _parameters, actions) => element('div', { class: 'view' }, recurringFigure(recurring, actions)),
};

/** Returns all recurring payments by their due days. @param {Recurring} recurring @param {Actions} actions */
export function recurringFigure(recurring, actions) {
  const { recurringPayments: payments, totalCount = payments.length, monthlyTotal, monthlyIncome } = recurring;
  const count = Math.min(payments.length, actions.rows ?? payments.length);
  const frame = { title: TEXT.recurring, caption: TEXT.recurringCaption };
  if (payments.length === 0) {
    return figureElement({ ...frame, picture: emptyState(TEXT.recurringEmpty), notes: [unconvertedNote(recurring)] });
  }
  const hasIncome = monthlyIncome !== undefined && payments.some(({ type }) => type === 'INCOME');
  return figureElement({
    ...frame,
    lead: [
      headlines(
        headline(TEXT.monthlyTotal, formatMoney(monthlyTotal)),
        hasIncome ? headline(TEXT.monthlyIncome, formatMoney(monthlyIncome)) : undefined,
      ),
    ],
    picture: calendar(recurring, actions),
    notes: [
      totalCount > count ? note(TEXT.moreRecurring([count, totalCount]), 'remark') : undefined,
      unconvertedNote(recurring),
    ],
  });
}

/** Returns true if a payment was due before the day of the list.
 * @param {RecurringPayment} payment @param {string} asOf */
export function isOverdue({ status, next_expected_date: next }, asOf) {
  return status === 'OVERDUE' || (status === 'ACTIVE' && next !== undefined && next < asOf);
}

/** Returns the payments below headings: overdue, then each month, then those without a date.
 * @param {Recurring} recurring @param {Actions} actions */
function calendar({ recurringPayments: payments, asOf }, actions) {
  const date = (/** @type {RecurringPayment} */ payment) => payment.next_expected_date ?? '9999';
  const sorted = [...payments].sort((one, other) => (date(one) < date(other) ? -1 : date(one) > date(other) ? 1 : 0));
  /** @type {Map<string, RecurringPayment[]>} */
  const sections = new Map();
  for (const payment of sorted.slice(0, actions.rows)) {
    const next = payment.next_expected_date;
    const month = next === undefined ? TEXT.noDate : formatMonth(next);
    const heading = isOverdue(payment, asOf) ? TEXT.overdue : month;
    sections.set(heading, [...(sections.get(heading) ?? []), payment]);
  }
  const parts = [...sections].map(([heading, members]) =>
    element(
      'section',
      {},
      element('h3', {}, heading),
      element('ul', { class: 'calendar' }, ...members.map((payment) => calendarRow(payment, asOf, actions))),
    ),
  );
  return element('div', { class: 'groups single' }, ...parts);
}

/** @param {RecurringPayment} payment @param {string} asOf @param {Actions} actions */
function calendarRow(payment, asOf, actions) {
  const { next_expected_date: next, cadence } = payment;
  const kind = payment.type === 'INCOME' ? ` · ${TEXT.incomeTag}` : '';
  const price = isNewPrice(payment, asOf) && priceText(payment);
  const isLate = isOverdue(payment, asOf) && next !== undefined;
  return calendarLine(
    next,
    payment.type === 'INCOME',
    amountText(payment),
    paymentLink(payment, actions),
    element('small', {}, `${TEXT.cadences[cadence] ?? codeName(cadence)} · ${codeName(payment.category)}${kind}`),
    price && element('span', { class: 'badge' }, price),
    isLate && element('span', { class: 'badge warning' }, TEXT.overdueBadge(formatDay(next))),
  );
}

/** Returns a payment of a calendar as a row.
 * @param {string | undefined} date @param {boolean} isIncome @param {string} amount
 * @param {(Node | string | undefined | false)[]} content */
export function calendarLine(date, isIncome, amount, ...content) {
  const day = date === undefined ? TEXT.none : formatDayOfMonth(date);
  return element(
    'li',
    {},
    element('span', { class: 'day' }, day, element('small', {}, date === undefined ? '' : formatWeekday(date))),
    element('span', { class: 'text' }, ...content),
    element('span', { class: isIncome ? 'number rise' : 'number' }, amount),
  );
}

/** Returns the name of a payment as a link to its payee. @param {RecurringPayment} payment @param {Actions} actions */
export function paymentLink(payment, actions) {
  const { merchant_name: merchant } = payment;
  return merchant === undefined
    ? foreignText(paymentName(payment))
    : merchantLink(actions, merchant, { type: payment.type });
}

/** @param {RecurringPayment} payment */
export function paymentName({ merchant_name: merchant, title, category }) {
  return merchant ?? title ?? codeName(category);
}

/** @param {RecurringPayment} payment */
function amountText({ amount_cents: cents, currency, amount_varies: varies, type }) {
  const amount = formatCents(cents, currency, type === 'INCOME' ? 'always' : 'auto');
  return varies ? TEXT.about(amount) : amount;
}

/** Returns true if the price of a payment changed so recently that it is news.
 * @param {RecurringPayment} payment @param {string} asOf */
export function isNewPrice({ amount_changed_on: day }, asOf) {
  return day !== undefined && dayTime(asOf) - dayTime(day) <= NEWS_DAYS * DAY;
}

/** Returns the change of a price in words, or nothing without a change. @param {RecurringPayment} payment */
export function priceText({ previous_amount_cents: before, amount_cents: cents, currency }) {
  if (before === undefined) {
    return undefined;
  }
  const amount = formatCents(before, currency);
  return before < cents ? TEXT.priceUp(amount) : TEXT.priceDown(amount);
}
