/**
 * Builds tables.
 *
 * @import { Column } from './types.d.ts'
 */

import { element } from './dom.js';

/**
 * Returns a table. The first column names the row.
 *
 * @template Row
 * @param {string} name read by screen readers
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 * @param {string} [className]
 */
export function table(name, columns, rows, className = '') {
  const head = columns.map((column) => element('th', { scope: 'col', class: columnClass(column) }, column.name));
  const body = element('tbody', {}, ...rows.map((row) => tableRow(columns, row)));
  return element(
    'table',
    { class: className || undefined },
    element('caption', { class: 'unseen' }, name),
    element('thead', {}, element('tr', {}, ...head)),
    body,
  );
}

/**
 * Returns one row of a table.
 *
 * @template Row
 * @param {Column<Row>[]} columns
 * @param {Row} row
 */
export function tableRow(columns, row) {
  const cells = columns.map((column, index) => {
    const attributes = { class: columnClass(column) };
    const value = column.value(row);
    return index === 0 ? element('th', { scope: 'row', ...attributes }, value) : element('td', attributes, value);
  });
  return element('tr', {}, ...cells);
}

/** @param {Column<any>} column */
function columnClass(column) {
  return column.numeric ? 'number' : undefined;
}
