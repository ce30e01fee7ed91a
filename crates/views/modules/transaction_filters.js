/** The search form of the transactions. @import { Parameters, Portfolio, Spending } from './types.d.ts' */

import { codeName } from './categories.js';
import { choiceSelect, field } from './controls.js';
import { formatDay } from './dates.js';
import { element, foreignText } from './dom.js';
import { decimalText } from './money.js';
import { formatList, numberFormat } from './numbers.js';
import { TEXT } from './text.js';

/** A value and its name. @typedef {[string, string]} Choice */
/** What the lists of the form offer. The spending is grouped by own category and by tag.
 * @typedef {{ portfolio?: Portfolio, ownCategories?: Spending, tags?: Spending }} Offered */

/** Milliseconds without a key after which the search applies. */
const TYPING = 300;

/** Returns the form: a search field that applies while the reader writes, the filters in use as buttons that remove them,
 * and all other fields folded.
 * @param {Parameters} parameters @param {Offered} offered @param {(parameters: Parameters) => void} change */
export function transactionFilters(parameters, offered, change) {
  let timer = 0;
  const apply = () => {
    clearTimeout(timer);
    if (form.reportValidity()) {
      change(formParameters(form, parameters));
    }
  };
  const search = element('input', {
    id: 'filter-search',
    name: 'merchantQuery',
    type: 'search',
    maxlength: 100,
    placeholder: TEXT.searchHint,
    'aria-label': TEXT.search,
    value: parameters.merchantQuery,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(apply, TYPING);
    },
  });
  const transfers = element('input', {
    id: 'filter-transfers',
    name: 'showInternalTransfers',
    type: 'checkbox',
    value: 'true',
    checked: parameters.showInternalTransfers === 'true',
  });
  const choices = listChoices(offered);
  const list = (/** @type {string} */ name, /** @type {string} */ label) =>
    select(name, label, parameters[name], choices[name] ?? []);
  const form = element(
    'form',
    {
      class: 'search',
      role: 'search',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        apply();
      },
      onchange: (/** @type {Event} */ event) => event.target !== search && apply(),
    },
    search,
    element(
      'details',
      { class: 'plain', id: 'filters' },
      element('summary', {}, TEXT.moreFilters),
      element(
        'div',
        { class: 'filters' },
        list('categories', TEXT.category),
        list('ownCategories', TEXT.ownCategory),
        list('tags', TEXT.tag),
        list('types', TEXT.type),
        list('accountIds', TEXT.account),
        list('pending', TEXT.pendingFilter),
        field(TEXT.fromDate, input('dateFrom', 'date', parameters.dateFrom)),
        field(TEXT.toDate, input('dateTo', 'date', parameters.dateTo)),
        field(TEXT.atLeast, amountInput('minAmountCents', parameters)),
        field(TEXT.atMost, amountInput('maxAmountCents', parameters)),
        list('sort', TEXT.sort),
        element('label', { class: 'check' }, transfers, TEXT.showTransfers),
      ),
    ),
    chips(parameters, choices, change),
  );
  return form;
}

/** Returns a button for each filter in use, which removes it.
 * @param {Parameters} parameters @param {Record<string, Choice[]>} choices
 * @param {(parameters: Parameters) => void} change */
function chips(parameters, choices, change) {
  const { merchantQuery: _, ...filters } = parameters;
  const buttons = Object.entries(filters).map(([name, value]) => {
    const onclick = () => change(Object.fromEntries(Object.entries(parameters).filter(([other]) => other !== name)));
    const text = chosenName(choices[name], value) ?? chipText(name, value);
    return element(
      'button',
      { type: 'button', class: 'chip', 'aria-label': TEXT.removeFilter(text), onclick },
      foreignText(text),
      ' ×',
    );
  });
  return buttons.length > 0 && element('div', { class: 'chips' }, ...buttons);
}

/** Returns the name of a value, if the list offers it. @param {Choice[]} choices @param {string} value */
function chosenName(choices = [], value) {
  return choices.find(([code]) => code === value)?.[1];
}

/** @param {string} name @param {string} value */
function chipText(name, value) {
  /** @type {Record<string, () => string>} */
  const texts = {
    accountIds: () => TEXT.account,
    ownCategories: () => TEXT.ownCategory,
    tags: () => TEXT.tag,
    dateFrom: () => `${TEXT.fromDate} ${formatDay(value)}`,
    dateTo: () => `${TEXT.toDate} ${formatDay(value)}`,
    minAmountCents: () => `${TEXT.atLeast} ${editableAmount(value)}`,
    maxAmountCents: () => `${TEXT.atMost} ${editableAmount(value)}`,
    showInternalTransfers: () => TEXT.showTransfers,
  };
  return texts[name]?.() ?? formatList(value.split(',').map(codeName));
}

/** Writes cents as an amount that `parseAmount` reads. @param {string} cents */
function editableAmount(cents) {
  const value = /** @type {Intl.StringNumericLiteral} */ (decimalText(Number(cents)));
  return numberFormat({ minimumFractionDigits: 2, useGrouping: false }).format(value);
}

/** Returns the parameters that the form describes. Empty fields and defaults are left out. A period by name has no field, and
 * stays unless the form has days.
 * @param {HTMLFormElement} form @param {Parameters} known @returns {Parameters} */
function formParameters(form, { period, timeRange }) {
  /** @type {Parameters} */
  const parameters = {};
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    const cents = name.endsWith('AmountCents') ? parseAmount(text) : text;
    if (text !== '' && cents !== undefined && !(name === 'sort' && text === 'date_desc')) {
      parameters[name] = cents;
    }
  }
  const hasDays = parameters.dateFrom !== undefined || parameters.dateTo !== undefined;
  return { ...(!hasDays && period && { period }), ...(!hasDays && timeRange && { timeRange }), ...parameters };
}

/** Returns the cents of an amount that a person wrote, as text. @param {string} text such as `12.5` or `12,50` */
function parseAmount(text) {
  const match = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(text);
  return match === null ? undefined : String(BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')));
}

/** @param {string} name @param {Parameters} parameters */
function amountInput(name, parameters) {
  const cents = parameters[name];
  const created = input(name, 'text', Number.isSafeInteger(Number(cents)) ? editableAmount(cents ?? '') : undefined);
  created.inputMode = 'decimal';
  created.pattern = '\\d{1,13}([.,]\\d{1,2})?';
  created.title = TEXT.amountRule;
  return created;
}

/** @param {string} name @param {string} type @param {string | undefined} value */
function input(name, type, value) {
  return element('input', { id: `filter-${name}`, name, type, value });
}

/** Returns a list, or nothing if it offers no choice. Several values came from a link: they stay a choice until the reader
 * selects another one.
 * @param {string} name @param {string} label @param {string | undefined} value @param {Choice[]} choices */
function select(name, label, value, choices) {
  const isKnown = value === undefined || chosenName(choices, value) !== undefined;
  const all = isKnown ? choices : [...choices, [value, chipText(name, value)]];
  return all.length > 1 && field(label, choiceSelect({ id: `filter-${name}`, name }, all, value));
}

/** Returns the choices of each list by the name of its parameter.
 * @param {Offered} offered @returns {Record<string, Choice[]>} */
function listChoices({ portfolio, ownCategories, tags }) {
  const accounts = (portfolio?.items ?? []).flatMap((item) =>
    item.accounts.map(({ id, name }) => /** @type {Choice} */ ([id, `${item.bank_name}: ${name}`])),
  );
  const periods = Object.entries(TEXT.periods);
  return {
    categories: [['', TEXT.allCategories], ...sorted(Object.entries({ ...TEXT.expenses, ...TEXT.incomes }))],
    ownCategories: [['', TEXT.allOwnCategories], ...sorted(labels(ownCategories))],
    tags: [['', TEXT.allTags], ...sorted(labels(tags))],
    types: [
      ['', TEXT.allTypes],
      ['INCOME', TEXT.income],
      ['EXPENSE', TEXT.expense],
    ],
    accountIds: [['', TEXT.allAccounts], ...accounts],
    pending: [
      ['', TEXT.pendingAll],
      ['true', TEXT.pendingOnly],
      ['false', TEXT.bookedOnly],
    ],
    sort: Object.entries(TEXT.sorts),
    period: periods,
    timeRange: periods,
  };
}

/** @param {Choice[]} choices */
function sorted(choices) {
  return choices.sort(([, one], [, other]) => one.localeCompare(other, document.documentElement.lang));
}

/** Returns the own categories, or the tags, of a spending that is grouped by them.
 * @param {Spending | undefined} spending @returns {Choice[]} */
function labels(spending) {
  return (spending?.groups ?? []).flatMap(({ id, name = '' }) => (id === undefined ? [] : [[id, name]]));
}
