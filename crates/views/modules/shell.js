/** The frame of the page: product name, navigation, reader and sign-out. */

import { element } from './dom.js';
import { placeFragment } from './router.js';
import { TEXT } from './text.js';

/**
 * Builds the frame.
 *
 * @param {{ name: string, title: string }[]} views
 * @param {() => void} leave signs out
 */
export function createShell(views, leave) {
  const links = views.map(({ name, title }) => element('a', { href: placeFragment(name, {}) }, title));
  const reader = element('span', { class: 'muted reader' });
  const notice = element('div', { class: 'notices' });
  const heading = element('h1', { class: 'unseen' });
  const content = element('div', { class: 'content' });
  const main = element('main', { id: 'content', tabindex: '-1' }, heading, notice, content);
  const nav = element(
    'nav',
    { 'aria-label': TEXT.navigation },
    element('ul', {}, ...links.map((link) => element('li', {}, link))),
  );
  // On a narrow screen the links scroll sideways. `scrollIntoView` would move the page too.
  const showCurrent = () => {
    const link = links.find((one) => one.hasAttribute('aria-current'));
    if (link !== undefined) {
      nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
    }
  };
  new ResizeObserver(showCurrent).observe(nav);
  const header = element(
    'header',
    {},
    element('a', { class: 'brand', href: placeFragment(views[0]?.name ?? '', {}) }, mark(), TEXT.product),
    nav,
    element('div', { class: 'session' }, reader, element('button', { type: 'button', onclick: leave }, TEXT.signOut)),
  );
  const skip = element('a', { class: 'skip', href: '#content', onclick: skipTo(main) }, TEXT.skip);
  return {
    element: element('div', { class: 'page' }, skip, header, main),
    content,
    main,
    /** @param {string | undefined} email */
    setReader(email) {
      reader.textContent = email ?? '';
    },
    /** @param {Node | undefined} message */
    setNotice(message) {
      notice.replaceChildren(...(message ? [message] : []));
    },
    /** @param {string} view */
    setCurrent(view) {
      views.forEach(({ name, title }, index) => {
        const link = links[index];
        if (name === view) {
          link?.setAttribute('aria-current', 'page');
          heading.textContent = title;
          document.title = `${title} – ${TEXT.product}`;
        } else {
          link?.removeAttribute('aria-current');
        }
      });
      showCurrent();
    },
  };
}

/** The mark of the product is decoration: the name stands beside it. */
function mark() {
  return element('span', { class: 'mark', 'aria-hidden': 'true' });
}

/**
 * Moves the focus instead of the fragment, which is the place in the page.
 *
 * @param {HTMLElement} target
 */
function skipTo(target) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    target.focus();
  };
}
