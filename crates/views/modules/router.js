/**
 * The places in the page. A place is a view with parameters, written in the fragment: `#/spending?timeRange=3m`. So
 * the server has one address for the page, and never sees which figures a person looks at.
 *
 * @import { Parameters } from './types.d.ts'
 */

/**
 * Returns the place that a fragment describes.
 *
 * @param {string} fragment with or without `#`
 * @returns {{ view: string, parameters: Parameters }}
 */
export function parsePlace(fragment) {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?');
  return { view: path.replace(/^\//, ''), parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * Writes a place as a fragment with `#`.
 *
 * @param {string} view
 * @param {Parameters} parameters
 */
export function placeFragment(view, parameters) {
  const query = new URLSearchParams(parameters);
  return query.size === 0 ? `#/${view}` : `#/${view}?${query}`;
}
