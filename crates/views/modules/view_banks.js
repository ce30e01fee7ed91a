/**
 * The state of the connected banks, and the notice above all views.
 *
 * @import { Actions, Bank, Banks, Column, ViewDefinition } from './types.d.ts'
 */

import { viewLink } from './controls.js';
import { formatDay, formatTimestamp } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { emptyState } from './notes.js';
import { formatCount } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';

/** The number of days before the end of a consent from which the notice names the consent. */
const CONSENT_DAYS = 14;
const DAY = 86_400_000;

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
        : element(
            'div',
            { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': TEXT.banks },
            table(TEXT.banks, bankColumns(banks), banks, 'wide'),
          ),
  });
}

/**
 * @param {Banks['banks']} banks
 * @returns {Column<Bank>[]}
 */
function bankColumns(banks) {
  const day = (/** @type {string | undefined} */ timestamp) =>
    element('span', { class: 'date' }, timestamp === undefined ? TEXT.none : formatTimestamp(timestamp));
  /** @type {Column<Bank>[]} */
  const list = [
    { name: TEXT.bank, value: ({ bank_name: name }) => name },
    { name: TEXT.status, value: statusCell },
    { name: TEXT.accounts, numeric: true, value: ({ account_count: count }) => formatCount(count) },
    { name: TEXT.lastUpdate, value: ({ last_successful_update: last }) => day(last) },
    { name: TEXT.consentUntil, value: ({ consent_expires_at: end }) => day(end) },
  ];
  if (banks.some((bank) => bank.reconciled_through !== undefined)) {
    const value = (/** @type {Bank} */ { reconciled_through: through }) =>
      through === undefined ? TEXT.none : formatDay(through);
    list.push({ name: TEXT.reconciledThrough, value });
  }
  return list;
}

/** @param {Bank} bank */
function statusCell(bank) {
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
