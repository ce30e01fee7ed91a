/** Builds tables. @import { CardRow, Column } from './types.d.ts' */

import { element } from './dom.js';

/** Returns a table. The first column names the row.
 * @template Row
 * @param {string} name read by screen readers @param {Column<Row>[]} columns @param {Row[]} rows
 * @param {string} [className] */
export function table(name, columns, rows, className = '') {
  const alignment = (/** @type {Column<Row>} */ { numeric }) => ({ class: numeric && 'number' });
  const head = columns.map((column) => element('th', { scope: 'col', ...alignment(column) }, column.name));
  const body = rows.map((row) =>
    columns.map((column, index) =>
      index === 0
        ? element('th', { scope: 'row', ...alignment(column) }, column.value(row))
        : element('td', alignment(column), column.value(row)),
    ),
  );
  return element(
    'table',
    { class: className || undefined },
    element('caption', { class: 'unseen' }, name),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body.map((cells) => element('tr', {}, ...cells))),
  );
}

/** Returns the cells of a row for the card of a chart, each with the colour of its series.
 * @template Row
 * @param {Column<Row>[]} columns @param {Row} row @param {string[]} series @returns {CardRow[]} */
export function cardCells(columns, row, series) {
  return columns.slice(1).map(({ name, value }, at) => ({ name, value: String(value(row)), series: series[at] ?? '' }));
}

/** Returns a row of a list: a name, a remark below it, and a value.
 * @param {Node | string} name @param {Node | string | false} value @param {string} [remark] */
export function listRow(name, value, remark) {
  return element(
    'li',
    {},
    element('span', {}, name, remark !== undefined && element('small', {}, remark)),
    value && element('span', { class: 'number' }, value),
  );
}
