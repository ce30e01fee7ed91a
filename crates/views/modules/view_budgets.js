/**
 * The spending of a month beside its budgets.
 *
 * @import { Actions, Budget, BudgetCategory, Budgets, Column, Money, Parameters, ViewDefinition } from './types.d.ts'
 */

import { codeName } from './categories.js';
import { progressBar } from './chart_progress.js';
import { viewLink } from './controls.js';
import { formatMonth } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { formatCents, formatMoney, sumCents } from './money.js';
import { emptyState, excludedNote, unconvertedNote } from './notes.js';
import { table } from './table.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const budgetsView = {
  name: 'budgets',
  title: TEXT.budgets,
  requests: (parameters) => ({
    budgets: { path: 'budgets/summary', tool: 'get_budget_summary', parameters: monthParameters(parameters) },
    targets: { path: 'budgets/categories', parameters: {}, optional: true },
    preferences: { path: 'preferences', parameters: {}, optional: true },
  }),
  draw: ({ budgets, targets, preferences }, parameters, actions) => {
    const month = selectedMonth(budgets, parameters, preferences?.today);
    return element(
      'div',
      { class: 'view' },
      budgetsFigure(budgets, month, actions),
      targetsFigure(Array.isArray(targets) ? targets : (targets?.categories ?? [])),
    );
  },
};

/** @param {Parameters} parameters */
function monthParameters({ month, year }) {
  return { ...(month !== undefined && { month }), ...(year !== undefined && { year }) };
}

/**
 * Returns the month of a payload as `YYYY-MM`: the tool returns it; the route does not, so it is the selected month or
 * the month of the user's today.
 *
 * @param {Budgets | Budget[]} payload
 * @param {Parameters} parameters
 * @param {string | undefined} today
 */
function selectedMonth(payload, parameters, today) {
  const returned = Array.isArray(payload) ? undefined : payload;
  const current = today ?? new Date().toISOString().slice(0, 10);
  const year = returned?.year ?? parameters.year ?? current.slice(0, 4);
  const month = returned?.month ?? parameters.month ?? current.slice(5, 7);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/**
 * @param {Budgets | Budget[]} payload
 * @param {string} month
 * @param {Actions} actions
 */
function budgetsFigure(payload, month, actions) {
  const list = Array.isArray(payload) ? payload : payload.budgets;
  const set = list.filter(({ target }) => target !== undefined).sort((one, other) => ratio(other) - ratio(one));
  const unset = list
    .filter(({ target, total }) => target === undefined && total.amount_cents !== 0)
    .sort((one, other) => other.total.amount_cents - one.total.amount_cents);
  const frame = {
    title: TEXT.budgets,
    caption: TEXT.budgetsCaption(formatMonth(month)),
    control: monthSwitch(month, actions),
    notes: [
      unconvertedNote({ unconverted: list.flatMap(({ unconverted = [] }) => unconverted) }),
      excludedNote(Array.isArray(payload) ? [] : payload.excludedCategories),
    ],
  };
  if (set.length + unset.length === 0) {
    return figureElement({ ...frame, picture: emptyState(TEXT.budgetsEmpty) });
  }
  return figureElement({
    ...frame,
    picture: element(
      'div',
      { class: 'groups single' },
      set.length === 0 ? emptyState(TEXT.budgetsNone) : budgetBars(set, month, actions),
      unset.length > 0 && unsetList(unset, month, actions),
    ),
    table: () => table(TEXT.budgets, budgetColumns(), [...set, ...unset]),
  });
}

/** @param {Budget} budget */
function ratio({ total, target }) {
  return target === undefined ? 0 : total.amount_cents / Math.max(1, target.amount_cents);
}

/**
 * @param {Budget[]} budgets
 * @param {string} month
 * @param {Actions} actions
 */
function budgetBars(budgets, month, actions) {
  const rows = budgets.map(({ category, total, target = total }) =>
    budgetRow(categoryName(category, month, actions), total, target),
  );
  const currencies = new Set(budgets.flatMap(({ total, target = total }) => [total.currency, target.currency]));
  const [currency] = currencies;
  if (currencies.size === 1 && currency !== undefined && budgets.length > 1) {
    const spent = sumCents(budgets.map(({ total }) => total.amount_cents));
    const planned = sumCents(budgets.map(({ target }) => target?.amount_cents ?? 0));
    const money = (/** @type {number} */ cents) => ({ amount_cents: cents, currency });
    rows.unshift(budgetRow(element('strong', {}, TEXT.allBudgets), money(spent), money(planned)));
  }
  return element('ul', { class: 'bars' }, ...rows);
}

/**
 * @param {Node | string} name
 * @param {Money} total
 * @param {Money} target
 */
function budgetRow(name, total, target) {
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
    total.currency === target.currency && progressBar(total.amount_cents, target.amount_cents),
    element('small', { class: isOver ? 'over' : undefined }, remaining),
  );
}

/**
 * @param {Money} total
 * @param {Money} target
 */
function remainingText(total, target) {
  if (total.currency !== target.currency) {
    return TEXT.none;
  }
  const cents = target.amount_cents - total.amount_cents;
  const amount = formatCents(Math.abs(cents), total.currency);
  return cents < 0 ? TEXT.overBy(amount) : TEXT.left(amount);
}

/**
 * @param {string} category
 * @param {string} month
 * @param {Actions} actions
 */
function categoryName(category, month, actions) {
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate();
  const range = { dateFrom: `${month}-01`, dateTo: `${month}-${last}` };
  return viewLink(actions, 'transactions', { categories: category, ...range }, codeName(category));
}

/**
 * @param {Budget[]} budgets
 * @param {string} month
 * @param {Actions} actions
 */
function unsetList(budgets, month, actions) {
  const rows = budgets.map(({ category, total }) =>
    element(
      'li',
      {},
      element('span', {}, categoryName(category, month, actions)),
      element('span', { class: 'number' }, formatMoney(total)),
    ),
  );
  return element('section', {}, element('h3', {}, TEXT.withoutBudget), element('ul', { class: 'rows' }, ...rows));
}

/** @returns {Column<Budget>[]} */
function budgetColumns() {
  return [
    { name: TEXT.category, value: ({ category }) => codeName(category) },
    { name: TEXT.spent, numeric: true, value: ({ total }) => formatMoney(total) },
    { name: TEXT.budget, numeric: true, value: ({ target }) => (target ? formatMoney(target) : TEXT.none) },
    {
      name: TEXT.remaining,
      numeric: true,
      value: ({ total, target }) => (target ? remainingText(total, target) : TEXT.none),
    },
  ];
}

/**
 * Returns the switch of months, or nothing if the view cannot be changed.
 *
 * @param {string} month
 * @param {Actions} actions
 */
function monthSwitch(month, { change }) {
  if (change === undefined) {
    return undefined;
  }
  const button = (
    /** @type {string} */ id,
    /** @type {string} */ name,
    /** @type {string} */ sign,
    /** @type {number} */ step,
  ) => {
    const [year, number] = month.split('-').map(Number);
    const date = new Date(Date.UTC(year ?? 0, (number ?? 1) - 1 + step, 1));
    const next = { year: String(date.getUTCFullYear()), month: String(date.getUTCMonth() + 1) };
    return element('button', { type: 'button', id, 'aria-label': name, onclick: () => change(next) }, sign);
  };
  return element(
    'div',
    { class: 'switch' },
    button('month-before', TEXT.previousMonth, '‹', -1),
    element('span', { class: 'current', 'aria-live': 'polite' }, formatMonth(month)),
    button('month-after', TEXT.nextMonth, '›', 1),
  );
}

/** @param {BudgetCategory[]} targets */
function targetsFigure(targets) {
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
