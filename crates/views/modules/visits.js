/** Remembers scroll and focus of each entry of the history, so that the way back leads to where the reader was. */

/** @typedef {{ top: number, href: string | null, id: string }} Visit */

/** @type {Map<string, Visit>} */
const visits = new Map();
let current = '';

/** Stores where the reader is, and returns where the reader was at the entry that is shown now; nothing at a new entry.
 * Call it before the page changes. */
export function enterVisit() {
  const focused = document.activeElement;
  if (current !== '') {
    visits.set(current, { top: window.scrollY, href: focused?.getAttribute('href') ?? null, id: focused?.id ?? '' });
  }
  history.scrollRestoration = 'manual';
  current = history.state?.visit ?? crypto.randomUUID();
  history.replaceState({ visit: current }, '');
  return visits.get(current);
}

/** Scrolls to where the reader was, and focuses what the reader had focused.
 * @param {Visit} visit @param {HTMLElement} content */
export function restoreVisit({ top, href, id }, content) {
  const link =
    href === null ? undefined : [...content.querySelectorAll('a')].find((one) => one.getAttribute('href') === href);
  (id === '' ? link : document.getElementById(id))?.focus({ preventScroll: true });
  window.scrollTo(0, top);
}
