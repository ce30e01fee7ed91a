/** Home: where a person stands, what needs attention, this month, what comes next, and what changed.
 * @import { Actions, Banks, Budgets, Cashflow, History, Place, Recurring, Spending, SpendingSummary } from './types.d.ts' */

import { lineChart } from './chart_line.js';
import { categoryLink, viewLink } from './controls.js';
import { formatDay, formatMonthName, formatShortPeriod } from './dates.js';
import { element, foreignText } from './dom.js';
import { changeMark, comparisonText, headline } from './figure.js';
import { formatMoney, formatUnconverted, headlineAmount } from './money.js';
import { monthDays } from './month.js';
import { emptyState, excludedNote, unconvertedNote } from './notes.js';
import { formatList } from './numbers.js';
import { listRow } from './table.js';
import { TEXT } from './text.js';
import { bankProblems } from './view_banks.js';
import { budgetRow, budgetTotals, countedBudgets, remainingText } from './view_budgets.js';
import {
  cardRows,
  changeText,
  historyLine,
  isIncomplete,
  linePoints,
  partialNote,
  seriesName,
} from './view_net_worth.js';
import { calendarLine, isNewPrice, isOverdue, paymentLink, priceText } from './view_recurring.js';
import { transactionRow } from './view_transactions.js';

/** The number of rows of each list. */
const ROWS = 6;
/** The width in pixels below which only the first thing that needs attention is shown. */
const PHONE = 640;

/** @type {Place} */
export const homePlace = {
  name: 'home',
  title: () => TEXT.home,
  parts: (_parameters, actions) => {
    const month = { period: 'this-month' };
    const compared = { ...month, compareTo: 'same-days-of-last-month' };
    const types = ['INCOME', 'EXPENSE'];
    const due = { path: 'recurring-payments', parameters: { types, upcomingWithinDays: 14 } };
    const all = { path: 'recurring-payments', parameters: { types, limit: 200 }, optional: true };
    const budgets = { path: 'budgets/summary', parameters: {}, optional: true };
    const today = { path: 'portfolio/history', parameters: { ...month, interval: 'month', by: 'type' } };
    return [
      {
        name: 'worth',
        title: TEXT.netWorth,
        requests: {
          today,
          line: { path: 'portfolio/history', parameters: { timeRange: '3m', interval: 'day' }, optional: true },
        },
        draw: ({ today, line }) => worthCard(today, line, actions),
        height: [212, 343],
      },
      {
        name: 'attention',
        title: TEXT.attention,
        requests: {
          banks: { path: 'banks/status', parameters: {}, optional: true },
          budgets,
          recurring: all,
          today: { ...today, optional: true },
        },
        draw: (payloads) => attentionCard(payloads, actions),
        height: [101, 343],
      },
      {
        name: 'month',
        title: TEXT.soFar,
        requests: {
          spending: { path: 'spending/summary', parameters: { ...compared, groupBy: 'day' } },
          before: { path: 'spending/summary', parameters: { period: 'last-month', groupBy: 'day' }, optional: true },
          cashflow: { path: 'cashflow/summary', parameters: month, optional: true },
          budgets,
        },
        draw: (payloads) => paceCard(/** @type {any} */ (payloads), actions),
        height: [259, 477],
        later: true,
      },
      {
        name: 'next',
        title: TEXT.nextDays,
        requests: { recurring: due },
        draw: ({ recurring }) => nextCard(recurring, actions),
        height: [455, 477],
        later: true,
      },
      {
        name: 'moved',
        title: TEXT.moved,
        requests: { spending: { path: 'spending/categories', parameters: compared } },
        draw: ({ spending }) => movedCard(spending, actions),
        height: [438, 460],
        later: true,
      },
      {
        name: 'latest',
        title: TEXT.latest,
        requests: { transactions: { path: 'transactions', parameters: { pageSize: ROWS } } },
        draw: ({ transactions }) =>
          card(
            viewLink(actions, 'search', {}, TEXT.latest),
            transactions.transactions.length === 0
              ? emptyState(TEXT.transactionsNone)
              : element(
                  'ul',
                  { class: 'rows transactions' },
                  ...transactions.transactions.map((/** @type {any} */ one) => transactionRow(one, actions, true)),
                ),
          ),
        height: [417, 460],
        later: true,
      },
    ];
  },
};

/** @param {Node | string} title @param {(Node | undefined | false)[]} content */
function card(title, ...content) {
  return element('section', { class: 'card' }, element('h2', {}, title), ...content);
}

/** @param {History} today the month, with its parts @param {History | undefined} months the line
 * @param {Actions} actions */
function worthCard(today, months, actions) {
  const title = viewLink(actions, 'accounts', {}, TEXT.netWorth);
  const last = today.points.at(-1);
  const series = today.series ?? [];
  if (last === undefined || series.length === 0) {
    return card(
      title,
      emptyState(TEXT.portfolioEmpty),
      element('ul', { class: 'steps' }, ...TEXT.firstSteps.map((step) => element('li', {}, element('code', {}, step)))),
    );
  }
  const parts = series.map((part) => {
    const now = part.points.at(-1);
    const total = now?.total ?? last.total;
    const isKnown = [now, part.opening].every((point) => point === undefined || !isIncomplete(point));
    const before = isKnown ? part.opening?.total : undefined;
    const cents = total.amount_cents - (before?.amount_cents ?? total.amount_cents);
    const kind = cents < 0 ? 'fall' : 'rise';
    const change = formatMoney({ ...total, amount_cents: cents }, 'exceptZero');
    return element(
      'li',
      {},
      element('span', { class: 'muted' }, seriesName(part)),
      element('span', { class: 'amount' }, formatMoney(total)),
      cents !== 0 && element('small', { class: kind }, change),
    );
  });
  const line = months && historyLine(months);
  return card(
    title,
    headline('', headlineAmount(last.total), changeText(today)),
    line && line.points.length > 1
      ? lineChart({
          title: TEXT.netWorth,
          summary: TEXT.netWorthShort([formatShortPeriod(line.dateFrom, line.dateTo), formatMoney(last.total)]),
          currency: last.total.currency,
          points: linePoints(line),
          heights: [62, 110],
          card: (index) => ({ title: formatDay(line.points[index]?.date ?? ''), rows: cardRows(line, index) }),
        })
      : undefined,
    element('ul', { class: 'parts' }, ...parts),
    unconvertedNote(last),
    partialNote(today),
  );
}

/** Returns what needs attention; nothing if nothing does.
 * @param {{ banks?: Banks, budgets?: Budgets['budgets'], recurring?: Recurring, today?: History }} payloads
 * @param {Actions} actions */
function attentionCard({ banks, budgets = [], recurring, today }, actions) {
  const payments = recurring?.recurringPayments ?? [];
  const asOf = recurring?.asOf ?? '';
  const troubled = (banks?.banks ?? []).map((bank) => ({ name: bank.bank_name, problems: bankProblems(bank) }));
  const missing = today?.points.at(-1)?.unconverted ?? [];
  const items = [
    ...troubled
      .filter(({ problems }) => problems.length > 0)
      .map(({ name, problems }) => item(viewLink(actions, 'accounts', {}, foreignText(name)), formatList(problems))),
    ...(missing.length > 0
      ? [item(viewLink(actions, 'accounts', {}, TEXT.netWorth), TEXT.unconverted(formatUnconverted(missing)))]
      : []),
    ...payments
      .filter((payment) => isOverdue(payment, asOf))
      .map((payment) =>
        item(paymentLink(payment, actions), TEXT.overdueBadge(formatDay(payment.next_expected_date ?? ''))),
      ),
    ...countedBudgets(budgets)
      .filter(({ remaining }) => remaining !== undefined && remaining.amount_cents < 0)
      .map(({ category, net, total, target }) =>
        item(
          categoryLink(actions, category, { period: 'this-month' }),
          TEXT.overBudget(remainingText(net ?? total, target ?? total)),
        ),
      ),
    ...payments
      .filter((payment) => isNewPrice(payment, asOf))
      .map((payment) => item(paymentLink(payment, actions), priceText(payment) ?? '')),
  ];
  if (items.length === 0) {
    return undefined;
  }
  const count = window.innerWidth < PHONE ? 1 : ROWS - 1;
  const rest = items.slice(count);
  return card(
    TEXT.attentionCount(items.length),
    element('ul', { class: 'rows attention-items' }, ...items.slice(0, count)),
    rest.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, TEXT.moreItems(rest.length)),
        element('ul', { class: 'rows' }, ...rest),
      ),
  );
}

/** @param {Node | string} name @param {string} text */
const item = (name, text) => listRow(name, false, text);

/** @param {{ spending: SpendingSummary, before?: SpendingSummary, cashflow?: Cashflow, budgets?: Budgets['budgets'] }}
 *   payloads
 * @param {Actions} actions */
function paceCard({ spending, before, cashflow, budgets = [] }, actions) {
  const { periods, totalExpense, comparison, dateTo = '' } = spending;
  const { currency } = totalExpense;
  const now = runningTotals(periods);
  const then = runningTotals(before?.periods ?? []);
  const first = periods[0]?.dateFrom ?? dateTo;
  // The month of a person may begin on another day; then it is as long as the one before, and has no name.
  const isCalendar = first.endsWith('-01');
  const days = isCalendar ? Number(monthDays(first.slice(0, 7)).dateTo.slice(8)) : Math.max(now.length, then.length);
  const all = budgetTotals(budgets);
  const amount = (/** @type {number | undefined} */ cents) => formatMoney({ amount_cents: cents ?? 0, currency });
  const thisMonth = isCalendar ? formatMonthName(first) : TEXT.periods['this-month'];
  const lastMonth = isCalendar ? formatMonthName(before?.periods[0]?.dateFrom ?? first) : TEXT.periods['last-month'];
  const points = now.map((cents, index) => ({ date: periods[index]?.dateFrom ?? first, cents, partial: false }));
  const link = { period: 'this-month' };
  return card(
    viewLink(actions, 'spending', link, TEXT.monthSoFar(thisMonth)),
    headline('', headlineAmount(totalExpense), comparisonText(comparison)),
    (now.at(-1) ?? 0) + (then.at(-1) ?? 0) > 0 &&
      points.length > 0 &&
      lineChart({
        title: TEXT.soFar,
        summary: TEXT.paceSummary([thisMonth, amount(now.at(-1)), lastMonth, amount(then.at(-1))]),
        currency,
        points,
        before: then.slice(0, days),
        days,
        heights: [68, 190],
        card: (index) => ({
          title: formatDay(points[index]?.date ?? first),
          rows: [
            { name: thisMonth, value: amount(now[index]), series: 'main' },
            ...(then.length > 0
              ? [{ name: lastMonth, value: amount(then[index] ?? then.at(-1)), series: 'rest' }]
              : []),
          ],
        }),
      }),
    cashflow &&
      element(
        'p',
        { class: 'line' },
        TEXT.incomeSoFar,
        element('span', { class: 'number' }, formatMoney(cashflow.incomeTotal)),
      ),
    all &&
      element(
        'ul',
        { class: 'bars' },
        budgetRow(viewLink(actions, 'spending', link, TEXT.budgets), all.spent, all.target, now.length / days),
      ),
    unconvertedNote(spending),
    excludedNote(spending.excludedCategories),
  );
}

/** Returns the total up to each day. @param {SpendingSummary['periods']} periods */
function runningTotals(periods) {
  let sum = 0;
  return periods.map(({ totalExpense }) => {
    sum += totalExpense.amount_cents;
    return sum;
  });
}

/** @param {Recurring} recurring @param {Actions} actions */
function nextCard(recurring, actions) {
  const { occurrences = [], occurrenceCount = 0, occurrencesTotal, occurrencesIncome } = recurring;
  const title = viewLink(actions, 'upcoming', {}, TEXT.nextDays);
  if (occurrences.length === 0) {
    return card(title, emptyState(TEXT.nextEmpty));
  }
  const known = new Map(recurring.recurringPayments.map((payment) => [payment.id, payment]));
  const rows = occurrences.slice(0, ROWS).map(({ date, amount, recurring_payment_id: id }) => {
    const payment = known.get(id);
    const isIncome = payment?.type === 'INCOME';
    const link = payment && paymentLink(payment, actions);
    return calendarLine(date, isIncome, formatMoney(amount, isIncome ? 'always' : 'auto'), link);
  });
  const more = occurrenceCount - rows.length;
  return card(
    title,
    element('ul', { class: 'calendar' }, ...rows),
    occurrencesTotal &&
      occurrencesIncome &&
      element(
        'p',
        { class: 'muted' },
        TEXT.nextTotals([formatMoney(occurrencesTotal), formatMoney(occurrencesIncome)]),
      ),
    more > 0 && element('p', { class: 'more' }, viewLink(actions, 'upcoming', {}, TEXT.moreItems(more))),
    unconvertedNote({ unconverted: recurring.occurrencesUnconverted ?? [] }),
  );
}

/** Returns the categories whose spending changed most against the same days of the month before.
 * @param {Spending} spending @param {Actions} actions */
function movedCard({ comparison, categories }, actions) {
  const changes = (comparison?.categories ?? []).filter(({ change }) => change.amount_cents !== 0);
  if (comparison === undefined || changes.length === 0 || comparison.totalExpense.total.amount_cents === 0) {
    return undefined;
  }
  const size = (/** @type {{ change: { amount_cents: number } }} */ { change }) => Math.abs(change.amount_cents);
  const now = new Map(categories.map(({ category, total }) => [category, total]));
  const rows = changes
    .sort((one, other) => size(other) - size(one))
    .slice(0, ROWS)
    .map(({ category, change, total }) => {
      const spent = now.get(category) ?? { ...total, amount_cents: 0 };
      return listRow(
        categoryLink(actions, category, { period: 'this-month' }),
        changeMark(change),
        TEXT.afterAmount([formatMoney(spent), formatMoney(total)]),
      );
    });
  const days = formatShortPeriod(comparison.dateFrom, comparison.dateTo);
  return card(
    viewLink(actions, 'spending', { period: 'this-month' }, TEXT.moved),
    element('p', { class: 'muted' }, TEXT.against(days)),
    element('ul', { class: 'rows' }, ...rows),
  );
}
