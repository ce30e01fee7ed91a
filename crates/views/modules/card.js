/** The parts of a place: each has its reads, a skeleton of fixed height, and its own error.
 * @import { DataRequest, Part } from './types.d.ts' */

import { element } from './dom.js';
import { placeCharts } from './inspector.js';
import { errorState, note } from './notes.js';
import { Failure } from './session.js';
import { TEXT } from './text.js';

/** The width in pixels from which a place is wide. */
const WIDE = 1000;

/** @typedef {(request: DataRequest, isFresh?: boolean) => Promise<any>} Read */

/** Shows the parts of a place. A part that is there already stays until its new content is drawn.
 * @param {HTMLElement} container @param {Part[]} parts @param {Read} read
 * @returns {Promise<void>} ends when every part is drawn */
export async function showParts(container, parts, read) {
  const shown = new Map([...container.children].map((slot) => [slot.id, slot]));
  const slots = parts.map((part) => shown.get(slotId(part)) ?? emptySlot(part));
  // A part that is moved loses the focus.
  if (slots.some((slot, index) => slot !== container.children[index])) {
    container.replaceChildren(...slots);
  }
  const fillAll = (/** @type {boolean} */ later) =>
    Promise.all(
      parts.map((part, index) =>
        (part.later === true) === later ? fill(/** @type {HTMLElement} */ (slots[index]), part, read) : undefined,
      ),
    );
  for (const slot of slots) {
    slot.setAttribute('aria-busy', 'true');
  }
  await fillAll(false);
  await fillAll(true);
}

/** @param {Part} part */
function slotId({ name }) {
  return `part-${name}`;
}

/** @param {Part} part */
function emptySlot(part) {
  const [narrow, wide] = part.height;
  const skeleton = element('div', { class: 'card skeleton' }, element('p', { class: 'unseen' }, TEXT.loading));
  skeleton.style.minHeight = `${window.innerWidth < WIDE ? narrow : wide}px`;
  return element('div', { id: slotId(part), class: `slot ${part.name}` }, skeleton);
}

/** @param {HTMLElement} slot @param {Part} part @param {Read} read */
async function fill(slot, part, read) {
  const retry = () => fill(slot, part, (request) => read(request, true));
  const focused = slot.contains(document.activeElement) ? document.activeElement?.id : undefined;
  try {
    const first = await readAll(part.requests, read);
    const more = await readAll(part.next?.(first.payloads) ?? {}, read);
    const isComplete = first.isComplete && more.isComplete;
    const figure = part.draw({ ...first.payloads, ...more.payloads });
    // What is missing may be all that there is to show.
    const drawn = figure ?? (isComplete ? undefined : errorState(part.title, { message: TEXT.partMissing }, retry));
    slot.hidden = drawn === undefined;
    if (drawn === undefined || slot.firstChild !== drawn) {
      slot.replaceChildren(...(drawn === undefined ? [] : [drawn]));
    }
    placeCharts(slot);
    if (figure instanceof Element && !isComplete) {
      const button = element('button', { type: 'button', onclick: retry }, TEXT.retry);
      figure.append(element('div', { class: 'paging' }, note(TEXT.partMissing, 'warning'), button));
    }
    document.getElementById(focused || 'none')?.focus({ preventScroll: true });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return;
    }
    const failure = error instanceof Failure ? error : { message: TEXT.unexpected };
    slot.hidden = false;
    slot.replaceChildren(errorState(part.title, failure, retry));
  }
  slot.removeAttribute('aria-busy');
}

/** Reads the payloads of a part at the same time. An optional payload that cannot be read is absent. If the token
 * does not grant it, the part is complete without it.
 * @param {Record<string, DataRequest>} requests @param {Read} read */
async function readAll(requests, read) {
  let isComplete = true;
  const readOne = async (/** @type {[string, DataRequest]} */ [name, request]) => {
    try {
      return [name, await read(request)];
    } catch (error) {
      if (!request.optional || !(error instanceof Failure) || error.status === 401) {
        throw error;
      }
      isComplete &&= error.status === 403;
      return [name, undefined];
    }
  };
  const payloads = Object.fromEntries(await Promise.all(Object.entries(requests).map(readOne)));
  return { payloads, isComplete };
}
