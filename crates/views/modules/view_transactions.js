/** A list of transactions by day.
 * @import { Actions, Cursor, DataRequest, Parameters, Transaction, Transactions, ViewDefinition } from './types.d.ts' */

import { codeName } from './categories.js';
import { merchantLink } from './controls.js';
import { formatDay, formatDayOfMonth, formatWeekday } from './dates.js';
import { element, foreignText } from './dom.js';
import { figureElement } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState } from './notes.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const transactionsView = {
  name: 'transactions',
  title: TEXT.transactions,
  requests: (parameters) => ({ transactions: transactionsRequest(parameters) }),
  draw: ({ transactions }, parameters, actions) =>
    element(
      'div',
      { class: 'view' },
      transactionsFigure(transactions, parameters, actions, { caption: TEXT.transactionsCaption }),
    ),
};

/** Returns the read of a list, with lists as lists.
 * @param {Parameters} parameters @param {Cursor} [cursor] @returns {DataRequest} */
export function transactionsRequest(parameters, cursor) {
  return {
    path: 'transactions',
    tool: 'search_transactions',
    parameters: { ...parameters, ...(cursor !== undefined && { cursor }) },
  };
}

/** Returns the list in a frame.
 * @param {Transactions} payload @param {Parameters} parameters @param {Actions} actions
 * @param {{ caption: string, lead?: (Node | undefined)[] }} frame */
export function transactionsFigure(payload, parameters, actions, frame) {
  const isEmpty = payload.transactions.length === 0;
  const isFiltered = Object.keys(parameters).length > 0;
  const state = isFiltered ? TEXT.transactionsEmpty : TEXT.transactionsNone;
  return figureElement({
    title: TEXT.transactions,
    ...frame,
    picture: isEmpty ? emptyState(state) : transactionList(payload, parameters, actions),
  });
}

/** Returns the rows with a button for the next page.
 * @param {Transactions} payload @param {Parameters} parameters @param {Actions} actions */
function transactionList(payload, parameters, actions) {
  // Other orders than by day have no headings of days.
  const isByDay = (parameters.sort ?? 'date_desc').startsWith('date');
  const list = element('ul', { class: 'rows transactions' });
  const status = element('p', { class: 'muted', role: 'status' });
  const failure = element('p', { class: 'note warning', role: 'alert', hidden: true });
  const more = element('button', { type: 'button', id: 'show-more', onclick: () => showMore() }, TEXT.more);
  let { pagination } = payload;
  let count = 0;
  let day = '';

  /** @param {Transaction[]} transactions */
  function add(transactions) {
    for (const one of transactions) {
      if (isByDay && one.date !== day) {
        day = one.date;
        list.append(element('li', { class: 'day-heading' }, `${formatWeekday(day)} ${formatDay(day)}`));
      }
      list.append(transactionRow(one, actions, !isByDay));
    }
    count += transactions.length;
    status.textContent = TEXT.shown([count, pagination.hasMore || count < payload.transactions.length]);
    more.hidden = !pagination.hasMore || actions.load === undefined || actions.rows !== undefined;
  }

  async function showMore() {
    more.disabled = true;
    failure.hidden = true;
    try {
      const next = await actions.load?.(transactionsRequest(parameters, pagination.nextCursor));
      pagination = next.pagination;
      const before = list.children.length;
      const isFocused = document.activeElement === more;
      add(next.transactions);
      // Without a button to keep it, the focus goes to the first new row.
      const first = list.children[before];
      if (!pagination.hasMore && isFocused && first instanceof HTMLElement) {
        first.tabIndex = -1;
        first.focus();
      }
    } catch (error) {
      failure.textContent = error instanceof Error ? error.message : TEXT.unexpected;
      failure.hidden = false;
    } finally {
      more.disabled = false;
    }
  }

  add(payload.transactions.slice(0, actions.rows));
  return element('div', {}, list, element('div', { class: 'paging' }, status, more), failure);
}

/** Returns a transaction in one line with a line of detail.
 * @param {Transaction} transaction @param {Actions} actions @param {boolean} isDated shows the day */
export function transactionRow(transaction, actions, isDated) {
  const { merchant_name: merchant, title, account_name: account, date, type, pending } = transaction;
  const { category, ownCategory, tags = [], note } = transaction;
  const details = [
    isDated && formatDayOfMonth(date),
    ownCategory ? foreignText(ownCategory.name) : codeName(category),
    account && foreignText(account),
    ...tags.map(({ name }) => foreignText(`#${name}`)),
    note && element('q', {}, foreignText(note)),
  ].filter((part) => part);
  return element(
    'li',
    { class: 'transaction' },
    element(
      'span',
      { class: 'text', title: merchant === undefined ? undefined : title },
      merchantLink(actions, merchant ?? title, { type }),
      pending && element('span', { class: 'badge' }, TEXT.pending),
      type === 'INTERNAL_TRANSFER' && element('span', { class: 'badge' }, TEXT.transfer),
      element('small', {}, ...details.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))),
    ),
    amountCell(transaction),
  );
}

/** Returns the amount in the currency of the account and below, if it is another one, the converted amount.
 * @param {Transaction} transaction */
function amountCell({ type, category, amount_cents: cents, currency, converted }) {
  const isIn = type === 'INCOME' || (type === 'INTERNAL_TRANSFER' && category === 'TRANSFER_IN');
  const sign = isIn ? 1 : -1;
  const signs = isIn ? 'exceptZero' : 'auto';
  return element(
    'span',
    { class: type === 'INCOME' ? 'number rise' : 'number' },
    formatCents(sign * cents, currency, signs),
    converted &&
      element('small', {}, `≈ ${formatMoney({ ...converted, amount_cents: sign * converted.amount_cents }, signs)}`),
  );
}
