/**
 * Recurring and upcoming payments as a list by due date.
 *
 * @import { Actions, Column, Recurring, RecurringPayment, ViewDefinition } from './types.d.ts'
 */

import { codeName } from './categories.js';
import { viewLink } from './controls.js';
import { formatDay, formatDayOfMonth, formatMonth, formatWeekday } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState, note, unconvertedNote } from './notes.js';
import { table } from './table.js';
import { TEXT } from './text.js';

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

/**
 * @param {Recurring} recurring
 * @param {Actions} actions
 */
function recurringFigure(recurring, actions) {
  const { recurringPayments: payments, totalCount, monthlyTotal, monthlyIncome } = recurring;
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
      totalCount !== undefined && totalCount > payments.length
        ? note(TEXT.moreRecurring([payments.length, totalCount]), 'remark')
        : undefined,
      unconvertedNote(recurring),
    ],
    table: () => table(TEXT.recurring, recurringColumns(), payments),
  });
}

/**
 * Returns true if a payment was due before the day of the list.
 *
 * @param {RecurringPayment} payment
 * @param {string} asOf
 */
function isOverdue({ status, next_expected_date: next }, asOf) {
  return status === 'OVERDUE' || (status === 'ACTIVE' && next !== undefined && next < asOf);
}

/**
 * Returns the payments below headings: overdue, then each month, then those without a date.
 *
 * @param {Recurring} recurring
 * @param {Actions} actions
 */
function calendar({ recurringPayments: payments, asOf }, actions) {
  const date = (/** @type {RecurringPayment} */ payment) => payment.next_expected_date ?? '9999';
  const sorted = [...payments].sort((one, other) => (date(one) < date(other) ? -1 : date(one) > date(other) ? 1 : 0));
  /** @type {Map<string, RecurringPayment[]>} */
  const sections = new Map();
  for (const payment of sorted) {
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

/**
 * @param {RecurringPayment} payment
 * @param {string} asOf
 * @param {Actions} actions
 */
function calendarRow(payment, asOf, actions) {
  const { next_expected_date: next, merchant_name: merchant, cadence } = payment;
  const name =
    merchant === undefined
      ? paymentName(payment)
      : viewLink(actions, 'transactions', { merchantQuery: merchant.slice(0, 100) }, merchant);
  const kind = payment.type === 'INCOME' ? ` · ${TEXT.incomeTag}` : '';
  return element(
    'li',
    {},
    element(
      'span',
      { class: 'day' },
      next === undefined ? TEXT.none : formatDayOfMonth(next),
      element('small', {}, next === undefined ? '' : formatWeekday(next)),
    ),
    element(
      'span',
      {},
      name,
      element('small', {}, `${TEXT.cadences[cadence] ?? codeName(cadence)} · ${codeName(payment.category)}${kind}`),
      priceBadge(payment),
      isOverdue(payment, asOf) &&
        next !== undefined &&
        element('span', { class: 'badge warning' }, TEXT.overdueBadge(formatDay(next))),
    ),
    element('span', { class: payment.type === 'INCOME' ? 'number rise' : 'number' }, amountText(payment)),
  );
}

/** @param {RecurringPayment} payment */
function paymentName({ merchant_name: merchant, title, category }) {
  return merchant ?? title ?? codeName(category);
}

/** @param {RecurringPayment} payment */
function amountText({ amount_cents: cents, currency, amount_varies: varies, type }) {
  const amount = formatCents(cents, currency, type === 'INCOME' ? 'always' : 'auto');
  return varies ? TEXT.about(amount) : amount;
}

/** @param {RecurringPayment} payment */
function priceBadge(payment) {
  const text = priceText(payment);
  return text === undefined ? undefined : element('span', { class: 'badge' }, text);
}

/** @param {RecurringPayment} payment */
function priceText({ previous_amount_cents: before, amount_changed_on: day, amount_cents: cents, currency }) {
  if (before === undefined) {
    return undefined;
  }
  const amount = formatCents(before, currency);
  const text = before < cents ? TEXT.priceUp(amount) : TEXT.priceDown(amount);
  return day === undefined ? text : TEXT.changedOn([text, formatDay(day)]);
}

/** @returns {Column<RecurringPayment>[]} */
function recurringColumns() {
  return [
    { name: TEXT.merchant, value: paymentName },
    {
      name: TEXT.nextDate,
      value: ({ next_expected_date: next }) => (next === undefined ? TEXT.none : formatDay(next)),
    },
    { name: TEXT.cadence, value: ({ cadence }) => TEXT.cadences[cadence] ?? codeName(cadence) },
    { name: TEXT.status, value: ({ status }) => codeName(status) },
    { name: TEXT.category, value: ({ category }) => codeName(category) },
    { name: TEXT.lastDate, value: ({ last_date: last }) => formatDay(last) },
    {
      name: TEXT.previous,
      numeric: true,
      value: ({ previous_amount_cents: before, currency }) =>
        before === undefined ? TEXT.none : formatCents(before, currency),
    },
    { name: TEXT.amount, numeric: true, value: amountText },
  ];
}
