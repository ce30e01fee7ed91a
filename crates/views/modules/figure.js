/** The frame of a picture: heading, caption, picture, notes and the table behind the picture.
 * @import { Figure, Money, SpendingComparison } from './types.d.ts' */

import { formatShortPeriod } from './dates.js';
import { element } from './dom.js';
import { formatMoney, formatUnconverted } from './money.js';
import { formatPercent } from './numbers.js';
import { TEXT } from './text.js';

/** Returns the frame with its content. @param {Figure} figure */
export function figureElement(figure) {
  const notes = (figure.notes ?? []).filter((note) => note !== undefined);
  return element(
    'figure',
    { class: 'card' },
    element(
      'figcaption',
      {},
      element('div', { class: 'heading' }, element('h2', {}, figure.title), figure.control),
      element('p', { class: 'muted' }, figure.caption),
    ),
    ...(figure.lead ?? []),
    figure.picture,
    ...notes,
    figure.table && tableDetails(figure.title, TEXT.showTable, figure.table),
    figure.further,
  );
}

/** Returns a table that is closed until the reader opens it. A printed page shows it. The table is built when it is first
 * shown: a long one takes longer to build than its picture.
 * @param {string} title @param {string} summary what the reader opens @param {() => Node} build */
export function tableDetails(title, summary, build) {
  const content = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': TEXT.tableOf(title) });
  const details = element('details', {}, element('summary', {}, summary), content);
  const show = () => {
    if (content.childNodes.length === 0) {
      content.append(build());
    }
  };
  details.addEventListener('toggle', show);
  window.addEventListener('beforeprint', () => details.isConnected && show());
  return details;
}

/** Returns a headline number with its name.
 * @param {string} name @param {Node | string} value @param {Node | string} [remark]
 * @param {string} [series] the colour of the series that the number sums up */
export function headline(name, value, remark, series) {
  return element(
    'div',
    { class: 'headline' },
    element('span', { class: 'muted' }, series && element('span', { class: 'swatch', series }), name),
    element('strong', {}, value),
    remark === undefined ? undefined : element('span', { class: 'muted' }, remark),
  );
}

/** Returns the change of a spending against earlier days, in words.
 * @param {SpendingComparison | undefined} comparison */
export function comparisonText(comparison) {
  if (comparison === undefined) {
    return undefined;
  }
  const { total, change, changePercent: percent } = comparison.totalExpense;
  const share = percent === undefined ? '' : ` (${formatPercent(percent, true)})`;
  const text = `${formatMoney(change, 'exceptZero')}${share}`;
  const days = formatShortPeriod(comparison.dateFrom, comparison.dateTo);
  const kind = change.amount_cents > 0 ? 'fall' : 'rise';
  const { unconverted = [] } = comparison;
  const missing = unconverted.length === 0 ? '' : `: ${TEXT.unconverted(formatUnconverted(unconverted))}`;
  return element(
    'span',
    { title: `${days}: ${formatMoney(total)}` },
    element('span', { class: change.amount_cents === 0 ? undefined : kind }, text),
    ` ${TEXT.against(days)}${missing}`,
  );
}

/** Returns the change of a spending as an arrow with its amount; nothing without a change. @param {Money} change */
export function changeMark(change) {
  const cents = change.amount_cents;
  const kind = cents > 0 ? 'mark-up fall' : 'mark-down rise';
  return cents !== 0 && element('small', { class: `change ${kind}` }, formatMoney(change, 'always'));
}

/** Returns headline numbers in a row. @param {(Node | undefined)[]} headlines */
export function headlines(...headlines) {
  return element('div', { class: 'headlines' }, ...headlines);
}

/** Returns the legend of a chart. @param {{ name: string, series: string }[]} entries */
export function legend(entries) {
  const items = entries.map(({ name, series }) =>
    element('li', {}, element('span', { class: 'swatch', series }), name),
  );
  return element('ul', { class: 'legend' }, ...items);
}
