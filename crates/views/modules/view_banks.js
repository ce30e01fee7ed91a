/** The state of the connected banks. @import { Actions, Bank, Banks, ViewDefinition } from './types.d.ts' */

import { DAY, formatDay, formatTimestamp } from './dates.js';
import { element, foreignText } from './dom.js';
import { figureElement } from './figure.js';
import { emptyState } from './notes.js';
import { compareNames, formatCount } from './numbers.js';
import { listRow } from './table.js';
import { TEXT } from './text.js';

/** The number of days before the end of a consent from which the notice names the consent. */
const CONSENT_DAYS = 14;

/** @type {ViewDefinition} */
export const banksView = {
  name: 'banks',
  title: TEXT.banks,
  requests: () => ({ banks: { path: 'banks/status', tool: 'get_connected_banks_status', parameters: {} } }),
  draw: ({ banks }, _parameters, actions) => element('div', { class: 'view' }, banksFigure(banks, actions)),
};

/** Returns the banks with their states.
 * @param {Banks} payload @param {Actions} [actions] with `rows`, a bank has no details */
export function banksFigure({ banks }, { rows } = {}) {
  const sorted = banks.toSorted((one, other) => compareNames(one.bank_name, other.bank_name));
  return figureElement({
    title: TEXT.banks,
    caption: TEXT.banksCaption,
    picture:
      banks.length === 0
        ? emptyState(TEXT.banksEmpty)
        : element('div', { class: 'groups' }, ...sorted.slice(0, rows).map((bank) => bankSection(bank, !rows))),
  });
}

/** @param {Bank} bank @param {boolean} isWhole */
function bankSection(bank, isWhole) {
  const facts = [
    [TEXT.accounts, formatCount(bank.account_count)],
    [TEXT.lastUpdate, timestampText(bank.last_successful_update)],
    [TEXT.consentUntil, timestampText(bank.consent_expires_at)],
    ...(bank.reconciled_through === undefined ? [] : [[TEXT.reconciledThrough, formatDay(bank.reconciled_through)]]),
    ...(bank.balance_differences === undefined
      ? []
      : [[TEXT.balanceDifferences, formatCount(bank.balance_differences)]]),
  ];
  const rows = facts.map(([name = '', value = '']) => listRow(element('span', { class: 'muted' }, name), value));
  return element(
    'section',
    { class: 'group' },
    element('h3', {}, foreignText(bank.bank_name)),
    element('p', {}, statusText(bank)),
    isWhole && element('ul', { class: 'rows' }, ...rows),
  );
}

/** @param {string | undefined} timestamp */
function timestampText(timestamp) {
  return timestamp === undefined ? TEXT.none : formatTimestamp(timestamp);
}

/** Returns the status of a connection, and below it what is wrong. @param {Bank} bank */
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

/** Returns what is wrong with a connection, in words. @param {Bank} bank */
export function bankProblems(bank) {
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
