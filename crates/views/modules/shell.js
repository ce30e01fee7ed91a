/** The frame of the page: navigation, search, account menu, and the heading of the place.
 * @import { Actions, Parameters, Place } from './types.d.ts' */

import { field, periodSelect, selectedRange, viewLink } from './controls.js';
import { element, svgElement } from './dom.js';
import { languageSelect } from './language.js';
import { placeFragment } from './router.js';
import { TEXT } from './text.js';

/** The outlines of the icons, on a square of 24 units. */
const ICONS = /** @type {Record<string, string>} */ ({
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  spending: 'M12 3a9 9 0 1 0 9 9h-9z M15 3.5A9 9 0 0 1 20.5 9H15z',
  upcoming: 'M4 6h16v14H4z M4 10.5h16 M8 3v5 M16 3v5',
  accounts: 'M3 10 12 4l9 6z M5 10v8 M10 10v8 M14 10v8 M19 10v8 M3 20h18',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z M15.5 15.5 20 20',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M4.5 20a7.5 7.5 0 0 1 15 0',
});

/** Builds the frame. @param {Place[]} tabs @param {() => void} leave signs out */
export function createShell(tabs, leave) {
  const none = /** @type {Parameters} */ ({});
  const links = tabs.map(({ name, title }) => element('a', {}, icon(name), element('span', {}, title(none))));
  const search = element(
    'a',
    { class: 'find', href: placeFragment('search', none), 'aria-label': TEXT.search },
    icon('search'),
    element('span', {}, TEXT.search),
  );
  const nav = element(
    'nav',
    { 'aria-label': TEXT.navigation },
    element('ul', {}, ...links.map((link) => element('li', {}, link))),
  );
  const reader = element('p', { class: 'muted' });
  const summary = element('summary', { 'aria-label': TEXT.accountMenu }, icon('person'));
  const menu = element(
    'details',
    { class: 'menu' },
    summary,
    element(
      'div',
      { class: 'card' },
      reader,
      field(TEXT.language, languageSelect()),
      element('button', { type: 'button', onclick: leave }, TEXT.signOut),
    ),
  );
  const heading = element('h1', { tabindex: '-1', id: 'heading' });
  const head = element('div', { class: 'place-head' });
  const content = element('div', { class: 'content' });
  const main = element('main', { id: 'content', tabindex: '-1' }, head, content);
  const header = element(
    'header',
    {},
    element(
      'a',
      { class: 'brand', href: placeFragment('home', none) },
      element('span', { class: 'mark', 'aria-hidden': 'true' }),
      TEXT.product,
    ),
    nav,
    search,
    menu,
  );
  const skip = element('a', { class: 'unseen skip', href: '#content', onclick: skipTo(main) }, TEXT.skip);
  document.addEventListener('click', ({ target }) => {
    menu.open &&= target instanceof Node && menu.contains(target);
  });
  document.addEventListener('keydown', (event) => {
    const isText = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (event.key === '/' && !isText && search.isConnected) {
      event.preventDefault();
      search.click();
    } else if (event.key === 'Escape' && menu.open) {
      menu.open = false;
      summary.focus();
    }
  });
  return {
    element: element('div', { class: 'page' }, skip, header, main),
    content,
    heading,
    /** @param {string | undefined} email */
    setReader(email) {
      reader.textContent = email ?? '';
    },
    /** @param {Place} place @param {Parameters} parameters @param {Actions} actions */
    setPlace(place, parameters, actions) {
      const title = place.title(parameters);
      const tab = tabs.find(({ name }) => name === place.tab);
      const range = selectedRange(parameters);
      tabs.forEach(({ name, range: days }, index) => {
        links[index]?.setAttribute('href', placeFragment(name, days ? range : {}));
        links[index]?.toggleAttribute('aria-current', false);
        if (name === place.name || tab?.name === name) {
          links[index]?.setAttribute('aria-current', name === place.name ? 'page' : 'true');
        }
      });
      search.toggleAttribute('aria-current', false);
      if (place.name === 'search') {
        search.setAttribute('aria-current', 'page');
      }
      heading.textContent = title;
      heading.classList.toggle('unseen', place.name === 'home');
      document.title = `${title} – ${TEXT.product}`;
      const up = tab && element('p', { class: 'up' }, viewLink(actions, tab.name, range, `‹ ${tab.title(none)}`));
      const control = place.range && periodSelect(parameters, place.range, actions);
      const parts = [...(up ? [up] : []), heading, ...(control ? [control] : [])];
      const isFocused = document.activeElement?.id === control?.id;
      head.replaceChildren(...parts);
      if (isFocused) {
        control?.focus();
      }
    },
  };
}

/** @param {string} name */
function icon(name) {
  return svgElement(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
    svgElement('path', { d: ICONS[name] }),
  );
}

/** Moves the focus instead of the fragment, which is the place in the page. @param {HTMLElement} target */
function skipTo(target) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    target.focus();
  };
}
