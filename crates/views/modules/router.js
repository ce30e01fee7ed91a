/**
 * The places in the page. A place has a name and parameters, written in the fragment: `#/spending?period=last-month`. So
 * the server has one address for the page, and never sees which figures a person looks at.
 *
 * @import { Parameters } from './types.d.ts'
 */

/** The places of earlier versions, and where their content is now. */
const MOVED = /** @type {Record<string, string>} */ ({
  'net-worth': 'accounts',
  portfolio: 'accounts',
  banks: 'accounts',
  cashflow: 'spending',
  merchants: 'spending',
  budgets: 'spending',
  recurring: 'upcoming',
  transactions: 'search',
});

/** Returns the place that a fragment describes.
 * @param {string} fragment with or without `#` @returns {{ name: string, parameters: Parameters, isMoved: boolean }} */
export function parsePlace(fragment) {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?');
  const name = path.replace(/^\//, '');
  const moved = Object.hasOwn(MOVED, name) ? MOVED[name] : undefined;
  const { month, year, language: _, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  if (moved !== undefined && month !== undefined && year !== undefined) {
    const last = new Date(Date.UTC(Number(year), Number(month), 0));
    const dateTo = Number.isNaN(last.getTime()) ? '' : last.toISOString().slice(0, 10);
    Object.assign(parameters, dateTo && { dateFrom: `${dateTo.slice(0, 8)}01`, dateTo });
  }
  return { name: moved ?? name, parameters, isMoved: moved !== undefined };
}

/** Returns the language that the address names, if it names one. */
export function addressLanguage() {
  return new URLSearchParams(location.hash.split('?')[1]).get('language') ?? undefined;
}

/** Writes a place as a fragment with `#`. A language that the address names stays.
 * @param {string} name @param {Parameters} parameters */
export function placeFragment(name, parameters) {
  const language = addressLanguage();
  const query = new URLSearchParams({ ...(language && { language }), ...parameters });
  return query.size === 0 ? `#/${name}` : `#/${name}?${query}`;
}
