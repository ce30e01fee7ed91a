/**
 * Accounts, wallets and holdings of today.
 *
 * @import { Account, Column, Holding, Item, Money, Portfolio, ViewDefinition, Wallet } from './types.d.ts'
 */

import { codeName } from './categories.js';
import { formatDay } from './dates.js';
import { element } from './dom.js';
import { figureElement, headline, headlines, tableDetails } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState, unconvertedNote } from './notes.js';
import { formatDecimal } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const portfolioView = {
  name: 'portfolio',
  title: TEXT.portfolio,
  requests: () => ({ portfolio: { path: 'portfolio', tool: 'get_portfolio_snapshot', parameters: {} } }),
  draw: ({ portfolio }) => element('div', { class: 'view' }, portfolioSection(portfolio)),
};

/**
 * Returns the accounts by bank, the wallets and the holdings.
 *
 * @param {Portfolio} portfolio
 */
export function portfolioSection(portfolio) {
  const { items, wallets, paper_accounts: paper } = portfolio;
  const isEmpty = items.length + wallets.length + paper.length === 0;
  const holdings = [
    ...Object.values(portfolio.securitiesByItem).flat(),
    ...wallets.flatMap((wallet) => wallet.holdings ?? []),
  ];
  return figureElement({
    title: TEXT.portfolio,
    caption: TEXT.portfolioCaption,
    lead: isEmpty ? [] : [headlines(headline(TEXT.total, formatMoney(portfolio.total)))],
    picture: isEmpty
      ? emptyState(TEXT.portfolioEmpty)
      : element(
          'div',
          { class: 'groups' },
          ...items.map(bankGroup),
          wallets.length > 0 && walletGroup(wallets),
          paper.length > 0 && paperGroup(paper),
        ),
    notes: [unconvertedNote(portfolio)],
    ...(!isEmpty && { table: () => table(TEXT.portfolio, balanceColumns(), balances(portfolio)) }),
    further:
      holdings.length === 0
        ? undefined
        : tableDetails(TEXT.holdings, TEXT.showHoldings, () => table(TEXT.holdings, holdingColumns(), holdings)),
  });
}

/** @param {Item} item */
function bankGroup(item) {
  const rows = item.accounts.map((account) => accountRow(account));
  return group(item.bank_name, bankTotal(item), rows, item.needs_update ? TEXT.needsUpdate : undefined);
}

/**
 * Returns the total of a bank. A total of nothing would be 0, so the amounts without a rate stand for it, or a word if all
 * balances are unknown.
 *
 * @param {Item} item
 */
function bankTotal(item) {
  const missing = item.unconverted ?? [];
  const counts = (/** @type {Account} */ account) =>
    account.balance_cents !== undefined && missing.every((amount) => amount.currency !== account.currency);
  if (item.accounts.length === 0 || item.accounts.some(counts)) {
    return formatMoney(item.total);
  }
  const amounts = missing.map((amount) => formatCents(amount.amount_cents, amount.currency));
  return amounts.length === 0 ? TEXT.unknownBalance : amounts.join(' + ');
}

/** @param {Account} account */
function accountRow(account) {
  const kind = codeName(account.subtype ?? account.type);
  const remark = account.balance_as_of === undefined ? kind : `${kind} · ${formatDay(account.balance_as_of)}`;
  return row(account.name, remark, balanceText(account.balance_cents, account.currency, account.estimated));
}

/**
 * Returns a balance, with a mark if it is an estimate; a word if it is unknown.
 *
 * @param {number | undefined} cents
 * @param {string} currency
 * @param {boolean | undefined} estimated
 */
function balanceText(cents, currency, estimated) {
  if (cents === undefined) {
    return TEXT.unknownBalance;
  }
  const amount = formatCents(cents, currency);
  return estimated ? TEXT.estimatedCell(amount) : amount;
}

/** @param {Wallet[]} wallets */
function walletGroup(wallets) {
  const rows = wallets.map((wallet) =>
    row(
      wallet.name,
      [codeName(wallet.network ?? ''), wallet.address_masked ?? ''].join(' · '),
      formatMoney(wallet.total),
    ),
  );
  return group(TEXT.wallets, undefined, rows, undefined);
}

/** @param {Portfolio['paper_accounts']} accounts */
function paperGroup(accounts) {
  const rows = accounts.map((account) => row(account.name, TEXT.paperNote, formatMoney(account.total)));
  return group(TEXT.paper, undefined, rows, undefined);
}

/**
 * @param {string} name
 * @param {string | undefined} total
 * @param {Node[]} rows
 * @param {string | undefined} warning
 */
function group(name, total, rows, warning) {
  return element(
    'section',
    { class: 'group' },
    element(
      'h3',
      {},
      element('span', {}, name, warning !== undefined && element('span', { class: 'badge warning' }, warning)),
      total !== undefined && element('span', { class: 'number' }, total),
    ),
    element('ul', { class: 'rows' }, ...rows),
  );
}

/**
 * @param {string} name
 * @param {string} remark
 * @param {string} value
 */
function row(name, remark, value) {
  return element(
    'li',
    {},
    element('span', {}, name, element('small', {}, remark)),
    element('span', { class: 'number' }, value),
  );
}

/** @typedef {{ place: string, name: string, type: string, cents?: number, currency: string, estimated?: boolean }} Balance */

/**
 * Returns the balance of every account, wallet and simulated account.
 *
 * @param {Portfolio} portfolio
 * @returns {Balance[]}
 */
function balances({ items, wallets, paper_accounts: paper }) {
  const accounts = items.flatMap(({ bank_name: place, accounts: list }) =>
    list.map(({ name, type, subtype, balance_cents: cents, currency, estimated }) => ({
      place,
      name,
      type: codeName(subtype ?? type),
      ...(cents === undefined ? {} : { cents }),
      currency,
      ...(estimated === undefined ? {} : { estimated }),
    })),
  );
  const total = (/** @type {Money} */ { amount_cents: cents, currency }) => ({ cents, currency });
  return [
    ...accounts,
    ...wallets.map((one) => ({
      place: TEXT.wallets,
      name: one.name,
      type: codeName(one.network ?? ''),
      ...total(one.total),
    })),
    ...paper.map((one) => ({ place: TEXT.paper, name: one.name, type: one.provider ?? '', ...total(one.total) })),
  ];
}

/** @returns {Column<Balance>[]} */
function balanceColumns() {
  return [
    { name: TEXT.account, value: ({ name }) => name },
    { name: TEXT.bank, value: ({ place }) => place },
    { name: TEXT.type, value: ({ type }) => type },
    {
      name: TEXT.balance,
      numeric: true,
      value: ({ cents, currency, estimated }) => balanceText(cents, currency, estimated),
    },
  ];
}

/** @returns {Column<Holding>[]} */
function holdingColumns() {
  return [
    { name: TEXT.holding, value: ({ name, symbol }) => name ?? symbol ?? '' },
    { name: TEXT.quantity, numeric: true, value: ({ quantity }) => formatDecimal(quantity) },
    { name: TEXT.price, numeric: true, value: ({ price }) => (price === undefined ? TEXT.none : formatDecimal(price)) },
    { name: TEXT.value, numeric: true, value: ({ value_cents: cents, currency }) => formatCents(cents, currency) },
  ];
}
