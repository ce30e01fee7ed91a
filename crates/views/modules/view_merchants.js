/** The merchants with the highest totals.
 * @import { Actions, Merchants, Parameters, ViewDefinition } from './types.d.ts' */

import { barRow } from './chart_progress.js';
import { linkRange, merchantLink, rangeParameters } from './controls.js';
import { formatPeriod } from './dates.js';
import { element } from './dom.js';
import { figureElement } from './figure.js';
import { sumCents } from './money.js';
import { emptyState, excludedNote, unconvertedNote } from './notes.js';
import { formatShare } from './numbers.js';
import { TEXT } from './text.js';

/** @type {ViewDefinition} */
export const merchantsView = {
  name: 'merchants',
  title: TEXT.merchants,
  requests: (parameters) => ({
    merchants: {
      path: 'spending/merchants/top',
      tool: 'get_top_merchants',
      parameters: rangeParameters(parameters, { timeRange: '3m' }),
    },
  }),
  draw: ({ merchants }, parameters, actions) =>
    element('div', { class: 'view' }, merchantsSection(merchants, parameters, actions)),
};

/** Returns the merchants as bars. @param {Merchants} payload @param {Parameters} parameters @param {Actions} actions */
export function merchantsSection(payload, parameters, actions) {
  const { merchants, dateFrom, dateTo } = payload;
  const range = linkRange(parameters, payload);
  const frame = {
    title: TEXT.merchants,
    caption: TEXT.merchantsCaption(formatPeriod(dateFrom, dateTo)),
    notes: [unconvertedNote(payload), excludedNote(payload.excludedCategories)],
  };
  const highest = merchants[0];
  if (highest === undefined) {
    return figureElement({ ...frame, picture: emptyState(TEXT.merchantsEmpty) });
  }
  const shown = merchants.slice(0, actions.rows);
  const rows = shown.map(({ merchant, total, percentOfTotal }) => {
    const name = merchantLink(actions, merchant, { range });
    return barRow(name, total, highest.total.amount_cents, { share: formatShare(percentOfTotal), series: 'group-6' });
  });
  const rest = payload.totalExpense.amount_cents - sumCents(shown.map(({ total }) => total.amount_cents));
  if (rest > 0) {
    const other = { amount_cents: rest, currency: payload.totalExpense.currency };
    rows.push(barRow(TEXT.otherMerchants, other, highest.total.amount_cents, { series: 'group-6' }));
  }
  return figureElement({ ...frame, picture: element('ol', { class: 'bars' }, ...rows) });
}
