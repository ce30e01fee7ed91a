/** The expected payments of the next weeks as a calendar. @import { Money, Recurring } from './types.d.ts' */

import { DAY, dayTime, formatDay, formatDayOfMonth, formatWeekday } from './dates.js';
import { element, foreignText } from './dom.js';
import { figureElement, headline, headlines } from './figure.js';
import { formatMoney, headlineAmount, shortAmount, sumCents } from './money.js';
import { emptyState, unconvertedNote } from './notes.js';
import { TEXT } from './text.js';
import { paymentName } from './view_recurring.js';

/** The number of weeks of the calendar. */
const WEEKS = 5;

/** @typedef {{ name: string, amount: Money, isIncome: boolean, isPaid: boolean }} Due */

/** Returns the calendar: this week with what was paid, and the payments that are expected.
 * @param {Recurring} recurring */
export function upcomingCalendar(recurring) {
  const { asOf, occurrences = [], occurrencesTotal, occurrencesIncome, recurringPayments } = recurring;
  const frame = { title: TEXT.nextWeeks, caption: TEXT.nextWeeksCaption };
  if (occurrences.length === 0 || occurrencesTotal === undefined || occurrencesIncome === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.nextEmpty) });
  }
  /** @type {Map<string, Due[]>} */
  const days = new Map();
  const add = (/** @type {string} */ day, /** @type {Due} */ due) => days.set(day, [...(days.get(day) ?? []), due]);
  const known = new Map(recurringPayments.map((payment) => [payment.id, payment]));
  for (const payment of recurringPayments) {
    const { last_date: day, last_amount_cents: cents = 0, currency, type } = payment;
    const amount = { amount_cents: cents, currency };
    add(day, { name: paymentName(payment), amount, isIncome: type === 'INCOME', isPaid: true });
  }
  for (const { date, amount, recurring_payment_id: id } of occurrences) {
    const payment = known.get(id);
    const name = payment ? paymentName(payment) : '';
    add(date, { name, amount, isIncome: payment?.type === 'INCOME', isPaid: false });
  }
  const start = weekStart(asOf);
  const day = (/** @type {number} */ index) => new Date(start + index * DAY).toISOString().slice(0, 10);
  const names = Array.from({ length: 7 }, (_, at) => element('th', { scope: 'col' }, formatWeekday(day(at))));
  const weeks = Array.from({ length: WEEKS }, (_, week) =>
    element(
      'tr',
      {},
      ...Array.from({ length: 7 }, (_, at) => dayCell(day(week * 7 + at), days.get(day(week * 7 + at)) ?? [], asOf)),
    ),
  );
  return figureElement({
    ...frame,
    lead: [
      headlines(
        headline(TEXT.toPay, headlineAmount(occurrencesTotal)),
        headline(TEXT.toCome, headlineAmount(occurrencesIncome)),
      ),
    ],
    picture: element(
      'table',
      { class: 'month-grid' },
      element('caption', { class: 'unseen' }, TEXT.nextWeeks),
      element('thead', {}, element('tr', {}, ...names)),
      element('tbody', {}, ...weeks),
    ),
    notes: [unconvertedNote({ unconverted: recurring.occurrencesUnconverted ?? [] })],
  });
}

/** Returns the start of the week of a day, in milliseconds. The first day of a week is that of the reader's region.
 * @param {string} day */
function weekStart(day) {
  const region = /** @type {any} */ (new Intl.Locale(Intl.NumberFormat().resolvedOptions().locale));
  const first = (region.getWeekInfo?.() ?? region.weekInfo ?? { firstDay: 1 }).firstDay;
  return dayTime(day) - ((new Date(dayTime(day)).getUTCDay() - first + 7) % 7) * DAY;
}

/** @param {string} day @param {Due[]} dues @param {string} asOf */
function dayCell(day, dues, asOf) {
  const kind = day === asOf ? 'today' : day < asOf ? 'past' : undefined;
  const label = day.endsWith('-01') ? formatDayOfMonth(day) : String(Number(day.slice(8)));
  const number = element('time', { datetime: day, title: formatDay(day) }, label);
  const entries = [true, false].map((isIncome) =>
    dayAmount(
      dues.filter((due) => due.isIncome === isIncome),
      isIncome,
    ),
  );
  return element('td', { class: kind }, number, ...entries);
}

/** Returns the sum of the payments of a day in one direction, or their number if they have several currencies.
 * @param {Due[]} dues @param {boolean} isIncome */
function dayAmount(dues, isIncome) {
  const [first] = dues;
  if (first === undefined) {
    return undefined;
  }
  const isOne = dues.every(({ amount }) => amount.currency === first.amount.currency);
  const title = dues.map(({ name, amount }) => `${name} ${formatMoney(amount)}`).join('\n');
  const count = `${dues.length} ×`;
  const cents = dues.map(({ amount }) => amount.amount_cents);
  const total = isOne ? { amount_cents: sumCents(cents), currency: first.amount.currency } : undefined;
  const [exact, short] = total ? [formatMoney(total), shortAmount(total)] : [count, count];
  const kind = `${isIncome ? 'rise' : 'out'}${dues.every(({ isPaid }) => isPaid) ? ' paid' : ''}`;
  return element(
    'span',
    { class: `due ${kind}`, title },
    element('span', { class: 'exact' }, isIncome ? `+${exact}` : exact),
    element('span', { class: 'short', 'aria-hidden': 'true' }, isIncome ? `+${short}` : short),
    element(
      'span',
      { class: 'due-name' },
      dues.length === 1 ? foreignText(first.name) : TEXT.paymentCount(dues.length),
    ),
  );
}
