/**
 * The state of the connected banks, and the notice above all views.
 *
 * @import { Actions, Bank, Banks, Column, ViewDefinition } from './types.d.ts'
 */

import { viewLink } from './controls.js';
import { DAY, formatDay, formatTimestamp } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { emptyState } from './notes.js';
import { formatCount } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';

/** The number of days before the end of a consent from which the notice names the consent. */
const CONSENT_DAYS = 14;

/** @type {ViewDefinition} */
export const banksView = {
  name: 'banks',
  title: TEXT.banks,
  requests: () => ({ banks: { path: 'banks/status', tool: 'get_connected_banks_status', parameters: {} } }),
  draw: ({ banks }) => element('div', { class: 'view' }, banksFigure(banks)),
};

/** @param {Banks} payload */
function banksFigure({ banks }) {
  return figureElement({
    title: TEXT.banks,
    caption: TEXT.banksCaption,
    picture:
      banks.length === 0
        ? emptyState(TEXT.banksEmpty)
        : element('div', { class: 'groups' }, ...banks.map((bank) => bankSection(bank))),
    ...(banks.length > 0 && { table: () => table(TEXT.banks, bankColumns(banks), banks) }),
  });
}

/** @param {Bank} bank */
function bankSection(bank) {
  const facts = [
    [TEXT.accounts, formatCount(bank.account_count)],
    [TEXT.lastUpdate, timestampText(bank.last_successful_update)],
    [TEXT.consentUntil, timestampText(bank.consent_expires_at)],
    ...(bank.reconciled_through === undefined ? [] : [[TEXT.reconciledThrough, formatDay(bank.reconciled_through)]]),
    ...(bank.balance_differences === undefined
      ? []
      : [[TEXT.balanceDifferences, formatCount(bank.balance_differences)]]),
  ];
  const rows = facts.map(([name, value]) =>
    element('li', {}, element('span', { class: 'muted' }, name), element('span', { class: 'number' }, value)),
  );
  return element(
    'section',
    { class: 'group' },
    element('h3', {}, bank.bank_name),
    element('p', {}, statusText(bank)),
    element('ul', { class: 'rows' }, ...rows),
  );
}

/** @param {string | undefined} timestamp */
function timestampText(timestamp) {
  return timestamp === undefined ? TEXT.none : formatTimestamp(timestamp);
}

/**
 * @param {Banks['banks']} banks
 * @returns {Column<Bank>[]}
 */
function bankColumns(banks) {
  /** @type {Column<Bank>[]} */
  const list = [
    { name: TEXT.bank, value: ({ bank_name: name }) => name },
    { name: TEXT.status, value: statusText },
    { name: TEXT.accounts, numeric: true, value: ({ account_count: count }) => formatCount(count) },
    { name: TEXT.lastUpdate, value: ({ last_successful_update: last }) => timestampText(last) },
    { name: TEXT.consentUntil, value: ({ consent_expires_at: end }) => timestampText(end) },
  ];
  if (banks.some((bank) => bank.reconciled_through !== undefined)) {
    const value = (/** @type {Bank} */ { reconciled_through: through }) =>
      through === undefined ? TEXT.none : formatDay(through);
    list.push({ name: TEXT.reconciledThrough, value });
  }
  if (banks.some((bank) => bank.balance_differences !== undefined)) {
    const value = (/** @type {Bank} */ { balance_differences: count = 0 }) => formatCount(count);
    list.push({ name: TEXT.balanceDifferences, numeric: true, value });
  }
  return list;
}

/**
 * Returns the status of a connection, and below it what is wrong.
 *
 * @param {Bank} bank
 */
function statusText(bank) {
  const problems = bankProblems(bank);
  const extra = bank.new_accounts_available ? [TEXT.newAccounts] : [];
  const name = TEXT.bankStatus[bank.status] ?? bank.status;
  const badges = problems.slice(bank.status === 'CONNECTED' || bank.status === 'MANUAL' ? 0 : 1);
  return element(
    'span',
    {},
    name,
    element(
      'span',
      { class: 'badges' },
      ...badges.map((text) => element('span', { class: 'badge warning' }, text)),
      ...extra.map((text) => element('span', { class: 'badge' }, text)),
    ),
  );
}

/**
 * Returns what is wrong with a connection, in words.
 *
 * @param {Bank} bank
 */
function bankProblems(bank) {
  const problems = [];
  if (!['CONNECTED', 'MANUAL'].includes(bank.status)) {
    problems.push(TEXT.bankStatus[bank.status] ?? bank.status);
  }
  if (bank.stale) {
    problems.push(bank.stale_days === undefined ? TEXT.stale : TEXT.staleFor(bank.stale_days));
  }
  const end = bank.consent_expires_at;
  const remaining = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end) - Date.now();
  if (end !== undefined && remaining < CONSENT_DAYS * DAY) {
    const date = formatTimestamp(end);
    problems.push(remaining < 0 ? TEXT.consentExpired(date) : TEXT.consentExpires(date));
  }
  return problems;
}

/**
 * Returns the notice for banks whose data are old or whose consent ends, or nothing.
 *
 * @param {Banks} payload
 * @param {Actions} actions
 */
export function bankNotice({ banks }, actions) {
  const affected = banks
    .map((bank) => ({ name: bank.bank_name, problems: bankProblems(bank) }))
    .filter(({ problems }) => problems.length > 0);
  if (affected.length === 0) {
    return undefined;
  }
  const lines = affected.map(({ name, problems }) =>
    element('li', {}, element('strong', {}, name), `: ${problems.join(', ')}`),
  );
  return element(
    'section',
    { class: 'notice', 'aria-label': TEXT.noticeTitle },
    element('h2', {}, TEXT.noticeTitle),
    element('ul', {}, ...lines),
    element('p', {}, viewLink(actions, 'banks', {}, TEXT.noticeLink)),
  );
}
