/** The spending of a month beside its budgets.
 * @import { Actions, Budget, BudgetCategory, Budgets, Column, Money, Parameters, ViewDefinition } from './types.d.ts' */

import { codeName } from './categories.js';
import { progressBar } from './chart_progress.js';
import { categoryLink, choiceSelect } from './controls.js';
import { DAY, dayTime, formatMonth } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { formatCents, formatMoney, sumCents } from './money.js';
import { monthDays } from './month.js';
import { emptyState, excludedNote, unconvertedNote } from './notes.js';
import { listRow, table } from './table.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const budgetsView = {
  name: 'budgets',
  title: TEXT.budgets,
  requests: ({ month, year }) => ({
    budgets: {
      path: 'budgets/summary',
      tool: 'get_budget_summary',
      parameters: { ...(month !== undefined && { month }), ...(year !== undefined && { year }) },
    },
  }),
  draw: ({ budgets }, _parameters, actions) => {
    const today = new Date().toISOString().slice(0, 10);
    const month = `${budgets.year}-${String(budgets.month).padStart(2, '0')}`;
    const control = monthList(month, today.slice(0, 7), actions);
    return element('div', { class: 'view' }, budgetsFigure(budgets, month, actions, { control, today }));
  },
};

/** Returns the budgets of a month.
 * @param {Budgets | Budget[]} payload @param {string} month the empty text is the current month @param {Actions} actions
 * @param {{ control?: Node | undefined, today?: string | undefined, isPage?: boolean, days?: Parameters | undefined }} frame
 *   `isPage` if the categories without a budget are shown beside; `days` are the first and last day of the month, if they are known
 */
export function budgetsFigure(payload, month, actions, { control, today, isPage = false, days }) {
  const range = days ?? (month === '' ? { period: 'this-month' } : monthDays(month));
  const list = countedBudgets(payload);
  const set = list.filter(({ target }) => target !== undefined).sort((one, other) => ratio(other) - ratio(one));
  const unset = list
    .filter(({ target, total }) => target === undefined && total.amount_cents !== 0)
    .sort((one, other) => other.total.amount_cents - one.total.amount_cents);
  const frame = {
    title: TEXT.budgets,
    caption: month === '' ? TEXT.periods['this-month'] : TEXT.budgetsCaption(formatMonth(month)),
    control,
    notes: [
      unconvertedNote({ unconverted: list.flatMap(({ unconverted = [] }) => unconverted) }),
      excludedNote(Array.isArray(payload) ? [] : payload.excludedCategories),
    ],
  };
  if (set.length + (isPage ? 0 : unset.length) === 0) {
    return figureElement({ ...frame, picture: emptyState(TEXT.budgetsEmpty) });
  }
  return figureElement({
    ...frame,
    picture: element(
      'div',
      { class: 'groups single' },
      set.length === 0 ? emptyState(TEXT.budgetsNone) : budgetBars(set, range, actions, elapsedShare(range, today)),
      !isPage && !actions.rows && unset.length > 0 && unsetList(unset, range, actions),
    ),
  });
}

/** Returns the part of a month that is over, or nothing for another month than that of today.
 * @param {Parameters} days the first and last day @param {string | undefined} today */
function elapsedShare({ dateFrom = '', dateTo = '' }, today = '') {
  const isCurrent = dateFrom !== '' && dateFrom <= today && today <= dateTo;
  const count = (/** @type {string} */ last) => dayTime(last) - dayTime(dateFrom) + DAY;
  return isCurrent ? count(today) / count(dateTo) : undefined;
}

/** Returns the spending that counts against a budget: without what was refunded. @param {Budget} budget */
function spentOf({ net, total }) {
  return net ?? total;
}

/** Returns the budgets that count in totals. @param {Budgets | Budget[]} payload */
export function countedBudgets(payload) {
  return (Array.isArray(payload) ? payload : payload.budgets).filter(({ excluded }) => !excluded);
}

/** Returns the sum of all budgets and what is left of it; nothing without budgets, and in several currencies.
 * @param {Budgets | Budget[]} payload */
export function budgetTotals(payload) {
  const budgets = countedBudgets(payload).filter(({ target }) => target !== undefined);
  const currencies = new Set(budgets.flatMap((one) => [spentOf(one).currency, (one.target ?? one.total).currency]));
  const [currency] = currencies;
  if (currency === undefined || currencies.size > 1) {
    return undefined;
  }
  const money = (/** @type {number[]} */ cents) => ({ amount_cents: sumCents(cents), currency });
  return {
    spent: money(budgets.map((one) => spentOf(one).amount_cents)),
    target: money(budgets.map(({ target }) => target?.amount_cents ?? 0)),
  };
}

/** @param {Budget} budget */
function ratio(budget) {
  const { target } = budget;
  return target === undefined ? 0 : spentOf(budget).amount_cents / Math.max(1, target.amount_cents);
}

/** @param {Budget[]} budgets @param {Parameters} range @param {Actions} actions @param {number | undefined} elapsed */
function budgetBars(budgets, range, actions, elapsed) {
  const rows = budgets
    .slice(0, actions.rows)
    .map((budget) =>
      budgetRow(categoryLink(actions, budget.category, range), spentOf(budget), budget.target ?? budget.total, elapsed),
    );
  const others = budgetTotals(budgets.slice(rows.length));
  if (others !== undefined) {
    rows.push(budgetRow(TEXT.otherCategories(budgets.length - rows.length), others.spent, others.target, elapsed));
  }
  const all = budgetTotals(budgets);
  if (all !== undefined && budgets.length > 1) {
    rows.unshift(budgetRow(element('strong', {}, TEXT.allBudgets), all.spent, all.target, elapsed));
  }
  return element('ul', { class: 'bars' }, ...rows);
}

/** Returns a budget as a row with a bar.
 * @param {Node | string} name @param {Money} total @param {Money} target @param {number | undefined} elapsed */
export function budgetRow(name, total, target, elapsed) {
  const remaining = remainingText(total, target);
  const isOver = total.currency === target.currency && total.amount_cents > target.amount_cents;
  return element(
    'li',
    {},
    element(
      'span',
      { class: 'line' },
      element('span', {}, name),
      element('span', { class: 'number' }, TEXT.spentOf([formatMoney(total), formatMoney(target)])),
    ),
    total.currency === target.currency && progressBar(total.amount_cents, target.amount_cents, { today: elapsed }),
    element('small', { class: isOver ? 'over' : undefined }, remaining),
  );
}

/** Returns what is left of a budget, or how much it is exceeded. @param {Money} total @param {Money} target */
export function remainingText(total, target) {
  if (total.currency !== target.currency) {
    return TEXT.none;
  }
  const cents = target.amount_cents - total.amount_cents;
  const amount = formatCents(Math.abs(cents), total.currency);
  return cents < 0 ? TEXT.overBy(amount) : TEXT.left(amount);
}

/** @param {Budget[]} budgets @param {Parameters} range @param {Actions} actions */
function unsetList(budgets, range, actions) {
  const rows = budgets.map(({ category, total }) =>
    listRow(categoryLink(actions, category, range), formatMoney(total)),
  );
  return element('section', {}, element('h3', {}, TEXT.withoutBudget), element('ul', { class: 'rows' }, ...rows));
}

/** Returns the list of the last twelve months and the shown one, or nothing if the view cannot be changed.
 * @param {string} shown `YYYY-MM` @param {string} last `YYYY-MM` @param {Actions} actions */
function monthList(shown, last, { change }) {
  const [year = 0, month = 0] = last.split('-').map(Number);
  const before = (/** @type {number} */ count) => new Date(Date.UTC(year, month - 1 - count)).toISOString().slice(0, 7);
  const months = new Set([...Array.from({ length: 12 }, (_, count) => before(count)), shown]);
  const choices = [...months].map((code) => [code, formatMonth(code)]);
  const select = (/** @type {string} */ code) => {
    const [chosen = '', number] = code.split('-');
    change?.({ year: chosen, month: String(Number(number)) });
  };
  return change && choiceSelect({ id: 'period', class: 'period', 'aria-label': TEXT.month }, choices, shown, select);
}

/** Returns the targets of income. @param {BudgetCategory[] | { categories: BudgetCategory[] } | undefined} payload */
export function targetsFigure(payload = []) {
  const targets = Array.isArray(payload) ? payload : payload.categories;
  const rows = targets.filter(({ target_amount_cents: cents }) => cents !== undefined);
  if (rows.length === 0) {
    return undefined;
  }
  /** @type {Column<BudgetCategory>[]} */
  const list = [
    { name: TEXT.category, value: ({ category }) => codeName(category) },
    {
      name: TEXT.target,
      numeric: true,
      value: ({ target_amount_cents: cents = 0, currency }) => formatCents(cents, currency),
    },
  ];
  return figureElement({
    title: TEXT.incomeTargets,
    caption: TEXT.incomeTargetsCaption,
    picture: table(TEXT.incomeTargets, list, rows, 'wide'),
  });
}
