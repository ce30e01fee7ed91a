/** Spending by a person's own categories and tags. @import { Actions, Parameters, Spending } from './types.d.ts' */

import { barRow } from './chart_progress.js';
import { choiceSelect, linkRange, viewLink } from './controls.js';
import { formatPeriod } from './dates.js';
import { element, foreignText } from './dom.js';
import { comparisonText, figureElement, headline, headlines } from './figure.js';
import { formatMoney, headlineAmount } from './money.js';
import { excludedNote, note, unconvertedNote } from './notes.js';
import { formatShare } from './numbers.js';
import { TEXT } from './text.js';
import { categoriesFigure } from './view_spending.js';

/** Returns the spending by category or, if the address says so, by own category or by tag.
 * @param {Spending} byCategory with the own categories @param {Spending | undefined} byTag
 * @param {Parameters} parameters @param {Actions} actions */
export function spendingFigure(byCategory, byTag, parameters, actions) {
  const { groupBy = 'category', ...others } = parameters;
  /** @type {Record<string, Spending | undefined>} */
  const spendings = { category: byCategory, ownCategory: byCategory, tag: byTag };
  const hasGroups = (/** @type {string} */ name) =>
    name === 'category' || name === groupBy || spendings[name]?.groups?.some(({ id }) => id !== undefined);
  const choices = Object.entries(TEXT.groupings).filter(([name]) => hasGroups(name));
  const select = (/** @type {string} */ name) =>
    actions.change?.(name === 'category' ? others : { ...others, groupBy: name });
  const control =
    choices.length > 1
      ? choiceSelect({ id: 'grouping', 'aria-label': TEXT.grouping }, choices, groupBy, select)
      : undefined;
  const spending = spendings[groupBy];
  const groups = (groupBy === 'category' ? undefined : spending?.groups) ?? [];
  if (spending === undefined || groups.length === 0) {
    return categoriesFigure(byCategory, parameters, actions, control);
  }
  const highest = Math.max(...groups.map(({ total }) => total.amount_cents));
  const range = { types: 'EXPENSE', ...linkRange(parameters, spending) };
  const rows = groups.map(({ id, name = '', total, percentOfTotal }) => {
    const filter = groupBy === 'tag' ? 'tags' : 'ownCategories';
    const link = id && viewLink(actions, 'search', { [filter]: id, ...range }, foreignText(name));
    return barRow(link ?? TEXT.ungrouped[groupBy] ?? '', total, highest, { share: formatShare(percentOfTotal) });
  });
  const overlap = spending.groupsOverlap;
  return figureElement({
    title: TEXT.spending,
    caption: TEXT.spendingCaption(formatPeriod(spending.dateFrom, spending.dateTo)),
    control,
    lead: [
      headlines(headline(TEXT.total, headlineAmount(spending.totalExpense), comparisonText(byCategory.comparison))),
    ],
    picture: element('ol', { class: 'bars' }, ...rows),
    notes: [
      overlap && note(TEXT.overlap(formatMoney(overlap)), 'remark'),
      unconvertedNote(spending),
      excludedNote(spending.excludedCategories),
    ],
  });
}
