/**
 * Shows the values of a chart at one position, for pointer, touch and keyboard alike: a transparent slider lies over the
 * chart. Its value is the position, and its value text is what the card beside the pointer shows.
 *
 * @import { Card, Drawing } from './types.d.ts'
 */

import { element } from './dom.js';
import { TEXT } from './text.js';

/** The event that tells a chart that it is in the page. */
const PLACED = 'placed';
/** The number of positions that the keys Page Up and Page Down skip. */
const PAGE = 10;

/** Draws the charts that were put into the page at once: their observers may come one frame late, in which the page would move.
 * @param {Element} container */
export function placeCharts(container) {
  for (const chart of container.querySelectorAll('.chart')) {
    chart.dispatchEvent(new Event(PLACED));
  }
}

/** Returns a chart that is drawn for the width that it has, and again when the width changes.
 * @param {string} title names the chart @param {(width: number) => Drawing} draw
 * @param {(index: number) => void} [select] follows the position that a person chooses: by a click or the key Enter,
 *   or by a second touch, because the first one shows the values */
export function chart(title, draw, select) {
  const card = element('div', { class: 'values', 'aria-hidden': 'true', hidden: true });
  const slider = element('div', {
    class: 'slider',
    role: 'slider',
    tabindex: '0',
    'aria-label': TEXT.values(title),
    'aria-valuemin': 0,
    'aria-valuenow': 0,
    'aria-valuemax': 0,
  });
  const picture = element('div', { class: 'picture' });
  const container = element('div', { class: 'chart' }, picture, slider, card);
  /** @type {Drawing | undefined} */
  let drawing;
  let width = 0;
  let index = -1;
  /** The position that was shown before the pointer went down. */
  let touched = -1;

  /** @param {number | undefined} next */
  function show(next) {
    if (drawing === undefined) {
      return;
    }
    drawing.mark(next);
    card.hidden = next === undefined;
    if (next !== undefined) {
      index = next;
      const values = drawing.card(next);
      slider.setAttribute('aria-valuenow', String(next));
      slider.setAttribute('aria-valuetext', spoken(values));
      card.replaceChildren(...cardContent(values));
      place(card, drawing.anchor(next), width);
    }
  }

  /** @param {number} available */
  function redraw(available) {
    width = Math.max(240, Math.round(available));
    drawing = draw(width);
    picture.replaceChildren(drawing.svg);
    const last = drawing.count - 1;
    index = index < 0 || index > last ? last : index;
    slider.setAttribute('aria-valuemax', String(last));
    slider.setAttribute('aria-valuenow', String(index));
    slider.setAttribute('aria-valuetext', spoken(drawing.card(index)));
    show(document.activeElement === slider ? index : undefined);
  }

  slider.addEventListener('keydown', (event) => {
    const next = drawing && keyTarget(event.key, index, drawing.count);
    if (event.key === 'Escape') {
      show(undefined);
    } else if (event.key === 'Enter') {
      select?.(index);
    } else if (next !== undefined) {
      event.preventDefault();
      show(next);
    }
  });
  slider.addEventListener('focus', () => {
    if (slider.matches(':focus-visible')) {
      show(index);
    }
  });
  slider.addEventListener('blur', () => show(undefined));
  slider.addEventListener('pointerleave', ({ pointerType }) => {
    // The values of a touch stay until the next one.
    if (pointerType === 'mouse') {
      show(document.activeElement === slider ? index : undefined);
    }
  });
  for (const name of /** @type {const} */ (['pointermove', 'pointerdown'])) {
    slider.addEventListener(name, (event) => {
      if (name === 'pointerdown') {
        touched = card.hidden ? -1 : index;
      }
      show(drawing?.nearest(event.offsetX, event.offsetY));
    });
  }
  slider.addEventListener('click', (event) => {
    const isMouse = /** @type {PointerEvent} */ (event).pointerType === 'mouse';
    if (isMouse || touched === index) {
      select?.(index);
    }
  });
  slider.classList.toggle('follows', select !== undefined);
  const fit = () => {
    const available = container.clientWidth;
    if (available > 0 && Math.max(240, Math.round(available)) !== width) {
      redraw(available);
    }
  };
  container.addEventListener(PLACED, fit);
  new ResizeObserver(fit).observe(container);
  return container;
}

/** Returns the position that a key selects, or undefined for other keys.
 * @param {string} key @param {number} index @param {number} count */
function keyTarget(key, index, count) {
  /** @type {Record<string, number>} */
  const targets = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - PAGE,
    PageUp: index + PAGE,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(count - 1, Math.max(0, target));
}

/** @param {Card} values */
function spoken({ title, rows }) {
  return `${title}: ${rows.map(({ name, value }) => `${name} ${value}`).join(', ')}`;
}

/** @param {Card} values */
function cardContent({ title, rows }) {
  const lines = rows.map(({ name, value, series }) =>
    element(
      'div',
      {},
      element('dt', {}, element('span', { class: series ? 'swatch' : 'swatch empty', series }), name),
      element('dd', {}, value),
    ),
  );
  return [element('strong', {}, title), element('dl', {}, ...lines)];
}

/** Moves the card beside a position, on the side that has more room.
 * @param {HTMLElement} card @param {{ x: number, y: number }} position @param {number} width */
function place(card, { x, y }, width) {
  const own = card.offsetWidth;
  const beside = x + 14 + own > width ? x - 14 - own : x + 14;
  card.style.left = `${Math.max(0, Math.min(beside, width - own))}px`;
  card.style.top = `${Math.max(0, y - card.offsetHeight - 8)}px`;
}
