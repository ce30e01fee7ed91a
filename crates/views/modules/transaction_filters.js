/**
 * The search form of the transactions.
 *
 * @import { Parameters, Portfolio } from './types.d.ts'
 */

import { EXPENSE_CATEGORIES, INCOME_CATEGORIES, codeName } from './categories.js';
import { element } from './dom.js';
import { decimalText } from './money.js';
import { TEXT } from './text.js';

/** @typedef {{ value: string, name: string }} Choice */

/**
 * Returns the form.
 *
 * @param {Parameters} parameters
 * @param {Portfolio | undefined} portfolio
 * @param {(parameters: Parameters) => void} change
 */
export function transactionFilters(parameters, portfolio, change) {
  const search = element('input', {
    id: 'filter-search',
    name: 'merchantQuery',
    type: 'search',
    maxlength: 100,
    placeholder: TEXT.searchHint,
    value: parameters.merchantQuery,
  });
  const transfers = element('input', {
    id: 'filter-transfers',
    name: 'showInternalTransfers',
    type: 'checkbox',
    value: 'true',
    checked: parameters.showInternalTransfers === 'true',
  });
  const form = element(
    'form',
    {
      class: 'filters',
      role: 'search',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        change(formParameters(form));
      },
      onchange: (/** @type {Event} */ event) => {
        if (event.target instanceof HTMLSelectElement || event.target === transfers) {
          form.requestSubmit();
        }
      },
    },
    field(TEXT.search, search, 'grow'),
    select('categories', TEXT.category, parameters, categoryChoices()),
    select('types', TEXT.type, parameters, typeChoices()),
    select(
      'sort',
      TEXT.sort,
      parameters,
      Object.entries(TEXT.sorts).map(([value, name]) => ({ value, name })),
    ),
    element(
      'details',
      { class: 'plain', open: hasFurtherFilter(parameters) },
      element('summary', {}, TEXT.moreFilters),
      element(
        'div',
        { class: 'filters' },
        select('accountIds', TEXT.account, parameters, accountChoices(portfolio)),
        select('pending', TEXT.pendingFilter, parameters, pendingChoices()),
        field(TEXT.fromDate, input('dateFrom', 'date', parameters.dateFrom)),
        field(TEXT.toDate, input('dateTo', 'date', parameters.dateTo)),
        field(TEXT.atLeast, amountInput('minAmountCents', parameters)),
        field(TEXT.atMost, amountInput('maxAmountCents', parameters)),
        element('label', { class: 'check' }, transfers, TEXT.showTransfers),
      ),
    ),
    element(
      'div',
      { class: 'buttons' },
      element('button', { type: 'submit', id: 'filter-apply', class: 'primary' }, TEXT.apply),
      element('button', { type: 'button', id: 'filter-reset', onclick: () => change({}) }, TEXT.reset),
    ),
  );
  return form;
}

/** @param {Parameters} parameters */
function hasFurtherFilter(parameters) {
  const further = [
    'accountIds',
    'pending',
    'dateFrom',
    'dateTo',
    'minAmountCents',
    'maxAmountCents',
    'showInternalTransfers',
  ];
  return further.some((name) => parameters[name] !== undefined);
}

/**
 * Returns the parameters that the form describes. Empty fields and defaults are left out.
 *
 * @param {HTMLFormElement} form
 * @returns {Parameters}
 */
function formParameters(form) {
  /** @type {Parameters} */
  const parameters = {};
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    const cents = name.endsWith('AmountCents') ? parseAmount(text) : text;
    if (text !== '' && cents !== undefined && !(name === 'sort' && text === 'date_desc')) {
      parameters[name] = cents;
    }
  }
  return parameters;
}

/**
 * Returns the cents of an amount that a person wrote, as text.
 *
 * @param {string} text such as `12.5` or `12,50`
 */
function parseAmount(text) {
  const match = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(text);
  return match === null ? undefined : String(BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')));
}

/**
 * @param {string} name
 * @param {Parameters} parameters
 */
function amountInput(name, parameters) {
  const cents = Number(parameters[name]);
  const value = parameters[name] !== undefined && Number.isSafeInteger(cents) ? decimalText(cents) : undefined;
  const created = input(name, 'text', value);
  created.inputMode = 'decimal';
  created.pattern = '\\d{1,13}([.,]\\d{1,2})?';
  created.title = TEXT.amountRule;
  return created;
}

/**
 * @param {string} name
 * @param {string} type
 * @param {string | undefined} value
 */
function input(name, type, value) {
  return element('input', { id: `filter-${name}`, name, type, value });
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [className]
 */
function field(label, control, className) {
  return element(
    'div',
    { class: className ? `field ${className}` : 'field' },
    element('label', { for: control.id }, label),
    control,
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {Parameters} parameters
 * @param {Choice[]} choices
 */
function select(name, label, parameters, choices) {
  const selected = parameters[name] ?? choices[0]?.value;
  // A list of several values came from a link: it stays a choice until the reader selects another one.
  const isKnown = choices.some(({ value }) => value === selected);
  const all =
    isKnown || selected === undefined
      ? choices
      : [...choices, { value: selected, name: selected.split(',').map(codeName).join(', ') }];
  const options = all.map(({ value, name: text }) => element('option', { value, selected: value === selected }, text));
  return field(label, element('select', { id: `filter-${name}`, name }, ...options));
}

/** @returns {Choice[]} */
function categoryChoices() {
  const codes = [...EXPENSE_CATEGORIES, ...INCOME_CATEGORIES];
  const named = codes.map((value) => ({ value, name: codeName(value) }));
  named.sort((one, other) => one.name.localeCompare(other.name));
  return [{ value: '', name: TEXT.allCategories }, ...named];
}

/** @returns {Choice[]} */
function typeChoices() {
  return [
    { value: '', name: TEXT.allTypes },
    { value: 'INCOME', name: TEXT.income },
    { value: 'EXPENSE', name: TEXT.expense },
  ];
}

/** @returns {Choice[]} */
function pendingChoices() {
  return [
    { value: '', name: TEXT.pendingAll },
    { value: 'true', name: TEXT.pendingOnly },
    { value: 'false', name: TEXT.bookedOnly },
  ];
}

/**
 * @param {Portfolio | undefined} portfolio
 * @returns {Choice[]}
 */
function accountChoices(portfolio) {
  const accounts = (portfolio?.items ?? []).flatMap((item) =>
    item.accounts.map(({ id, name }) => ({ value: id, name: `${item.bank_name}: ${name}` })),
  );
  return [{ value: '', name: TEXT.allAccounts }, ...accounts];
}
