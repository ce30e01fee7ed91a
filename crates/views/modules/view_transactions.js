/**
 * A searchable list of transactions.
 *
 * @import { Actions, Column, Cursor, Parameters, Portfolio, Transaction, Transactions, ViewDefinition } from './types.d.ts'
 */

import { codeName } from './categories.js';
import { formatDay } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState } from './notes.js';
import { table, tableRow } from './table.js';
import { TEXT } from './text.js';
import { transactionFilters } from './transaction_filters.js';

/** The parameters that hold lists. */
const LISTS = ['categories', 'types', 'accountIds'];

/** @type {ViewDefinition} */
export const transactionsView = {
  name: 'transactions',
  title: TEXT.transactions,
  requests: (parameters) => ({
    transactions: { path: 'transactions', tool: 'search_transactions', parameters: listParameters(parameters) },
    portfolio: { path: 'portfolio', parameters: {}, optional: true },
  }),
  draw: ({ transactions, portfolio }, parameters, actions) =>
    element('div', { class: 'view' }, transactionsFigure(transactions, portfolio, parameters, actions)),
};

/**
 * Returns the parameters of a read, with lists as lists.
 *
 * @param {Parameters} parameters
 */
function listParameters(parameters) {
  const entries = Object.entries(parameters).map(([name, value]) => [
    name,
    LISTS.includes(name) ? value.split(',') : value,
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {Transactions} payload
 * @param {Portfolio | undefined} portfolio
 * @param {Parameters} parameters
 * @param {Actions} actions
 */
function transactionsFigure(payload, portfolio, parameters, actions) {
  const { change } = actions;
  const picture =
    payload.transactions.length === 0
      ? emptyState(TEXT.transactionsEmpty)
      : transactionList(payload, parameters, actions);
  return figureElement({
    title: TEXT.transactions,
    caption: TEXT.transactionsCaption,
    lead: [change && actions.address ? transactionFilters(parameters, portfolio, change) : undefined],
    picture,
  });
}

/**
 * Returns the table with a button for the next page.
 *
 * @param {Transactions} payload
 * @param {Parameters} parameters
 * @param {Actions} actions
 */
function transactionList(payload, parameters, actions) {
  const columns = transactionColumns();
  const list = table(TEXT.transactions, columns, payload.transactions, 'wide transactions');
  const body = list.tBodies[0];
  const status = element('p', { class: 'muted', role: 'status' });
  const failure = element('p', { class: 'note warning', role: 'alert', hidden: true });
  const more = element('button', { type: 'button', id: 'show-more', onclick: () => showMore() }, TEXT.more);
  let { pagination } = payload;

  function update() {
    status.textContent = TEXT.shown([body?.rows.length ?? 0, pagination.hasMore]);
    more.hidden = !pagination.hasMore || actions.load === undefined;
  }

  async function showMore() {
    more.disabled = true;
    failure.hidden = true;
    try {
      const next = await actions.load?.(pageRequest(parameters, pagination.nextCursor));
      pagination = next.pagination;
      const first = body?.rows.length ?? 0;
      body?.append(...next.transactions.map((/** @type {Transaction} */ one) => tableRow(columns, one)));
      // Without a button to keep it, the focus goes to the first new row.
      if (!pagination.hasMore && document.activeElement === more) {
        body?.rows[first]?.setAttribute('tabindex', '-1');
        body?.rows[first]?.focus();
      }
    } catch (error) {
      failure.textContent = error instanceof Error ? error.message : TEXT.unexpected;
      failure.hidden = false;
    } finally {
      more.disabled = false;
      update();
    }
  }

  update();
  return element('div', {}, list, element('div', { class: 'paging' }, status, more), failure);
}

/**
 * @param {Parameters} parameters
 * @param {Cursor | undefined} cursor
 */
function pageRequest(parameters, cursor) {
  return {
    path: 'transactions',
    tool: 'search_transactions',
    parameters: { ...listParameters(parameters), ...(cursor !== undefined && { cursor }) },
  };
}

/** @returns {Column<Transaction>[]} */
function transactionColumns() {
  return [
    { name: TEXT.date, value: ({ date }) => element('span', { class: 'date' }, formatDay(date)) },
    { name: TEXT.description, value: description },
    { name: TEXT.amount, numeric: true, value: amountCell },
  ];
}

/** @param {Transaction} transaction */
function description({
  merchant_name: merchant,
  title,
  category,
  account_name: account,
  bank_name: bank,
  type,
  pending,
}) {
  const place = [codeName(category), account, bank].filter((part) => part !== undefined).join(' · ');
  return element(
    'div',
    {},
    element(
      'span',
      { class: 'payee' },
      merchant ?? title,
      pending && element('span', { class: 'badge' }, TEXT.pending),
      type === 'INTERNAL_TRANSFER' && element('span', { class: 'badge' }, TEXT.transfer),
    ),
    merchant !== undefined && merchant !== title && element('small', { class: 'title' }, title),
    element('small', {}, place),
  );
}

/**
 * Returns the amount in the currency of the account and below, if it is another one, the converted amount.
 *
 * @param {Transaction} transaction
 */
function amountCell({ type, category, amount_cents: cents, currency, converted }) {
  const isIn = type === 'INCOME' || (type === 'INTERNAL_TRANSFER' && category === 'TRANSFER_IN');
  const sign = isIn ? 1 : -1;
  const signs = isIn ? 'exceptZero' : 'auto';
  return element(
    'div',
    { class: type === 'INCOME' ? 'rise' : undefined },
    formatCents(sign * cents, currency, signs),
    converted &&
      element('small', {}, `≈ ${formatMoney({ ...converted, amount_cents: sign * converted.amount_cents }, signs)}`),
  );
}
