/**
 * The merchants with the highest totals.
 *
 * @import { Actions, Column, Merchant, Merchants, ViewDefinition } from './types.d.ts'
 */

import { progressBar } from './chart_progress.js';
import { dateParameters, rangeParameters, viewLink } from './controls.js';
import { formatPeriod } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { formatMoney } from './money.js';
import { emptyState, excludedNote, unconvertedNote } from './notes.js';
import { formatCount, formatPercent } from './numbers.js';
import { table } from './table.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const merchantsView = {
  name: 'merchants',
  title: TEXT.merchants,
  requests: (parameters) => ({
    merchants: {
      path: 'spending/merchants/top',
      tool: 'get_top_merchants',
      parameters: rangeParameters(parameters, '3m'),
    },
  }),
  draw: ({ merchants }, _parameters, actions) =>
    element('div', { class: 'view' }, merchantsSection(merchants, actions)),
};

/**
 * Returns the merchants as bars.
 *
 * @param {Merchants} payload
 * @param {Actions} actions
 */
export function merchantsSection(payload, actions) {
  const { merchants, dateFrom, dateTo } = payload;
  const range = dateParameters({ dateFrom, dateTo });
  const frame = {
    title: TEXT.merchants,
    caption: TEXT.merchantsCaption(formatPeriod(dateFrom, dateTo)),
    notes: [unconvertedNote(payload), excludedNote(payload.excludedCategories)],
  };
  const highest = merchants[0];
  if (highest === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.merchantsEmpty) });
  }
  const rows = merchants.map(({ merchant, total, percentOfTotal }) =>
    element(
      'li',
      {},
      element(
        'span',
        { class: 'line' },
        element(
          'span',
          {},
          viewLink(actions, 'transactions', { merchantQuery: merchant.slice(0, 100), ...range }, merchant),
        ),
        element(
          'span',
          { class: 'number' },
          formatMoney(total),
          element('small', {}, ` ${formatPercent(percentOfTotal)}`),
        ),
      ),
      progressBar(total.amount_cents, highest.total.amount_cents),
    ),
  );
  return figureElement({
    ...frame,
    picture: element('ol', { class: 'bars' }, ...rows),
    table: () => table(TEXT.merchants, merchantColumns(), merchants),
  });
}

/** @returns {Column<Merchant>[]} */
function merchantColumns() {
  return [
    { name: TEXT.merchant, value: ({ merchant }) => merchant },
    { name: TEXT.transactions, numeric: true, value: ({ transactionCount }) => formatCount(transactionCount) },
    { name: TEXT.share, numeric: true, value: ({ percentOfTotal }) => formatPercent(percentOfTotal) },
    { name: TEXT.amount, numeric: true, value: ({ total }) => formatMoney(total) },
  ];
}
