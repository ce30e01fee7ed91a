/** Accounts, wallets and holdings of today.
 * @import { Account, Actions, Column, Holding, Item, Portfolio, ViewDefinition, Wallet } from './types.d.ts' */

import { codeName } from './categories.js';
import { viewLink } from './controls.js';
import { formatDay } from './dates.js';
import { element, foreignText } from './dom.js';
import { figureElement, headline, headlines, tableDetails } from './figure.js';
import { formatCents, formatMoney } from './money.js';
import { emptyState, unconvertedNote } from './notes.js';
import { compareNames, formatDecimal } from './numbers.js';
import { listRow, table } from './table.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const portfolioView = {
  name: 'portfolio',
  title: TEXT.portfolio,
  requests: () => ({ portfolio: { path: 'portfolio', tool: 'get_portfolio_snapshot', parameters: {} } }),
  draw: ({ portfolio }, _parameters, actions) =>
    element('div', { class: 'view' }, portfolioSection(portfolio, actions)),
};

/** @param {Portfolio} portfolio */
export function isEmpty({ items, wallets, paper_accounts: paper }) {
  return items.length + wallets.length + paper.length === 0;
}

/** Returns the accounts by bank, the wallets and the holdings. @param {Portfolio} portfolio @param {Actions} actions */
export function portfolioSection(portfolio, actions) {
  const { items, wallets, paper_accounts: paper } = portfolio;
  const holdings = [
    ...Object.values(portfolio.securitiesByItem).flat(),
    ...wallets.flatMap((wallet) => wallet.holdings ?? []),
  ];
  const banks = items
    .toSorted((one, other) => compareNames(one.bank_name, other.bank_name))
    .map((item) => ({
      name: item.bank_name,
      total: bankTotal(item),
      warning: item.needs_update ? TEXT.needsUpdate : undefined,
      rows: item.accounts.map((account) => accountRow(account, actions)),
    }));
  const groups = [
    ...banks,
    { name: TEXT.wallets, rows: wallets.map(walletRow) },
    {
      name: TEXT.paper,
      rows: paper.map(({ name, total }) => listRow(foreignText(name), formatMoney(total), TEXT.paperNote)),
    },
  ].filter(({ rows }, index) => index < banks.length || rows.length > 0);
  const shown = groups.slice(0, actions.rows);
  if (shown.length < groups.length) {
    shown.push({ name: TEXT.otherCategories(groups.length - shown.length), rows: [] });
  }
  return figureElement({
    title: TEXT.portfolio,
    caption: TEXT.portfolioCaption,
    lead: isEmpty(portfolio) ? [] : [headlines(headline(TEXT.total, formatMoney(portfolio.total)))],
    picture: isEmpty(portfolio)
      ? emptyState(TEXT.portfolioEmpty)
      : element('div', { class: 'groups' }, ...shown.map((group) => groupSection(group, !actions.rows))),
    notes: [unconvertedNote(portfolio)],
    further:
      holdings.length === 0
        ? undefined
        : tableDetails(TEXT.holdings, TEXT.showHoldings, () => table(TEXT.holdings, holdingColumns(), holdings)),
  });
}

/** @typedef {{ name: string, total?: string, warning?: string | undefined, rows: Node[] }} Group */

/** Returns the total of a bank. A total of nothing would be 0, so the amounts without a rate stand for it, or a word if all
 * balances are unknown.
 * @param {Item} item */
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

/** @param {Account} account @param {Actions} actions */
function accountRow(account, actions) {
  const kind = codeName(account.subtype ?? account.type);
  const remark = account.balance_as_of === undefined ? kind : `${kind} · ${formatDay(account.balance_as_of)}`;
  const name = viewLink(actions, 'account', { accountIds: account.id }, foreignText(account.name));
  return listRow(name, balanceText(account.balance_cents, account.currency, account.estimated), remark);
}

/** Returns a balance, with a mark if it is an estimate; a word if it is unknown.
 * @param {number | undefined} cents @param {string} currency @param {boolean | undefined} estimated */
export function balanceText(cents, currency, estimated) {
  if (cents === undefined) {
    return TEXT.unknownBalance;
  }
  const amount = formatCents(cents, currency);
  return estimated ? TEXT.estimatedCell(amount) : amount;
}

/** @param {Wallet} wallet */
function walletRow({ name, network = '', address_masked: address = '', total }) {
  return listRow(foreignText(name), formatMoney(total), [codeName(network), address].join(' · '));
}

/** @param {Group} group @param {boolean} isWhole */
function groupSection({ name, total, warning, rows }, isWhole) {
  return element(
    'section',
    { class: 'group' },
    element(
      'h3',
      {},
      element('span', {}, foreignText(name), warning && element('span', { class: 'badge warning' }, warning)),
      total !== undefined && element('span', { class: 'number' }, total),
    ),
    isWhole && element('ul', { class: 'rows' }, ...rows),
  );
}

/** @returns {Column<Holding>[]} */
function holdingColumns() {
  return [
    { name: TEXT.holding, value: ({ name, symbol }) => name ?? symbol ?? '' },
    { name: TEXT.quantity, numeric: true, value: ({ quantity }) => formatDecimal(quantity) },
    { name: TEXT.price, numeric: true, value: ({ price }) => (price === undefined ? TEXT.none : formatDecimal(price)) },
    {
      name: TEXT.value,
      numeric: true,
      value: ({ value_cents: cents, currency }) => (cents === undefined ? TEXT.none : formatCents(cents, currency)),
    },
  ];
}
