/** The entry of an MCP App: draws one view from the result of its tool.
 * @import { Actions, DataRequest, Parameters, ViewDefinition } from './types.d.ts' */

import { connectHost } from './bridge.js';
import { rangeText } from './controls.js';
import { element } from './dom.js';
import { placeCharts } from './inspector.js';
import { emptyState, errorState, loadingState } from './notes.js';
import { setLocale } from './numbers.js';
import { TEXT } from './text.js';

/** The style variables of a host and the variables of our style sheet that they replace. */
const HOST_STYLES = {
  '--color-background-primary': '--surface',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--muted',
  // A host's primary border is too strong for the lines of a chart.
  '--color-border-tertiary': '--edge',
  '--font-sans': '--font',
};

/** The most rows of a picture until the reader wants all of them, and its largest height in pixels. */
const FIRST = { rows: 5, height: 480 };
/** The number of characters of a name in a message. */
const NAME_LENGTH = 60;

/** Starts an app. The host sends the arguments of the call, then its result. The first picture is the first figure with its
 * first rows. Its size changes only when the reader does something.
 * @param {ViewDefinition} view */
export function startApp(view) {
  const content = element('div', {}, loadingState());
  const toggle = element('button', { type: 'button', id: 'toggle', hidden: true, onclick: () => act(showOthers) });
  document.body.append(element('main', {}, element('h1', { class: 'unseen' }, view.title), content, toggle));
  document.documentElement.classList.add('app');
  let parameters = /** @type {Parameters} */ ({});
  let payloads = /** @type {Record<string, any>} */ ({});
  let isWhole = false;
  let reportSize = () => {
    reportSize = () => {};
    host.reportSize();
  };
  let possible = /** @type {Actions} */ ({});
  const [primary = ''] = Object.keys(view.requests({}));

  /** Shows content. From the first content on, the host hears of its size: that of the loading state would be another one.
   * @param {HTMLElement} shown @param {boolean} [hasOthers] */
  function show(shown, hasOthers = false) {
    content.replaceChildren(shown);
    placeCharts(content);
    toggle.hidden = !hasOthers;
    toggle.textContent = isWhole ? TEXT.showLess : TEXT.showAll;
    reportSize();
  }

  function draw() {
    try {
      const whole = view.draw(payloads, parameters, possible);
      let { rows } = FIRST;
      do {
        const first = isWhole ? whole : fold(view.draw(payloads, parameters, { ...possible, rows }));
        show(first, isWhole || first.textContent !== whole.textContent);
        rows -= 1;
      } while (!isWhole && rows > 0 && document.body.offsetHeight > FIRST.height);
    } catch {
      show(errorState(view.title, { message: TEXT.unexpected }, undefined));
    }
  }

  const load = (/** @type {DataRequest} */ { tool, parameters: values }) =>
    host.request('tools/call', { name: tool, arguments: toolArguments(values) }).then(structured);

  /** Sends the message of a tap on a name. A host that rejects it tells the reader itself. The name may be a text of a third
   * party, so it is short and in quotation marks that it cannot end.
   * @param {Parameters} values @param {Node | string} name */
  function follow(values, name) {
    const text = typeof name === 'string' ? name : (name.textContent ?? '');
    const quoted = text.replace(/[\s"“”]+/g, ' ').slice(0, NAME_LENGTH);
    const content = [{ type: 'text', text: TEXT.followUp([quoted, rangeText(values)]) }];
    host.request('ui/message', { role: 'user', content }).catch(() => {});
  }

  /** Does what the reader wants and draws the picture. The focus stays. @param {() => Promise<void>} step */
  async function act(step) {
    content.setAttribute('aria-busy', 'true');
    const focused = document.activeElement?.id;
    try {
      await step();
      draw();
    } catch (error) {
      show(errorState(view.title, failureOf(error), () => act(step)));
    }
    content.removeAttribute('aria-busy');
    document.getElementById(focused ?? '')?.focus();
  }

  async function showOthers() {
    isWhole = !isWhole;
    await loadCompanions();
  }

  /** @param {Parameters} next */
  function change(next) {
    return act(async () => {
      const request = view.requests(next)[primary];
      payloads = { [primary]: request && (await load(request)) };
      parameters = next;
      await loadCompanions();
    });
  }

  /** Reads the optional payloads that a tool returns, with the arguments of the call, once all is shown. */
  async function loadCompanions() {
    const companions = Object.entries(view.requests(parameters)).filter(
      ([name, { tool }]) => !(name in payloads) && tool,
    );
    for (const [name, request] of isWhole && possible.load ? companions : []) {
      // The picture is complete without an optional payload.
      payloads[name] = await load({ ...request, parameters: { ...parameters } }).catch(() => undefined);
    }
  }

  const host = connectHost({
    input: (params) => {
      parameters = textParameters(params.arguments ?? {});
    },
    result: (result) => {
      try {
        payloads = { [primary]: structured(result) };
        draw();
      } catch (error) {
        show(errorState(view.title, failureOf(error), undefined));
      }
    },
    cancelled: () => show(emptyState(TEXT.cancelled)),
    context: applyContext,
    teardown: () => content.replaceChildren(),
  });
  host.start().then(
    ({ hostCapabilities, hostContext }) => {
      possible = {
        ...(hostCapabilities?.serverTools && { load, change }),
        ...(hostCapabilities?.message && { follow }),
      };
      applyContext(hostContext ?? {});
      if (payloads[primary] !== undefined) {
        draw();
      }
    },
    (error) => show(errorState(view.title, failureOf(error), undefined)),
  );
}

/** Returns the first figure of a view, without the tables behind it. @param {HTMLElement} view */
function fold(view) {
  for (const part of [...view.querySelectorAll('details'), ...[...view.children].slice(1)]) {
    part.remove();
  }
  view.classList.add('first');
  return view;
}

/** Applies theme, locale and style of the host. Absent members stay as they are.
 * @param {{ theme?: string, locale?: string, styles?: { variables?: Record<string, string> } }} context */
function applyContext({ theme, locale, styles }) {
  const root = document.documentElement;
  if (theme === 'dark' || theme === 'light') {
    root.dataset.theme = theme;
  }
  if (locale !== undefined) {
    setLocale(locale);
  }
  for (const [theirs, ours] of Object.entries(HOST_STYLES)) {
    const value = styles?.variables?.[theirs];
    if (value !== undefined) {
      root.style.setProperty(ours, value);
    }
  }
}

/** Returns the structured content of a tool's result.
 * @param {any} result @throws {Error} with the tool's own words if the tool failed */
function structured(result) {
  if (result?.isError || result?.structuredContent === undefined) {
    const text = result?.content?.find((/** @type {any} */ part) => part.type === 'text')?.text;
    throw new Error(result?.isError && text ? text : TEXT.toolFailed);
  }
  return result.structuredContent;
}

/** @param {unknown} error */
function failureOf(error) {
  return { message: error instanceof Error ? error.message : TEXT.unexpected };
}

/** Returns the arguments of a call as the parameters of a view.
 * @param {Record<string, unknown>} values @returns {Parameters} */
function textParameters(values) {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

/** The arguments that are lists, numbers and booleans; the others are texts. */
const LISTS_OF_TOOLS =
  'accountIds accounts banks categories categoryGroups merchants ownCategories status tags types'.split(' ');
const NUMBERS_OF_TOOLS =
  'limit pageSize minAmountCents maxAmountCents minConfidence month upcomingWithinDays year'.split(' ');
const BOOLEANS_OF_TOOLS = 'includeExcluded includePending pending showInternalTransfers'.split(' ');

/** Returns parameters as the arguments of a tool, with the types of its schema.
 * @param {DataRequest['parameters']} values */
function toolArguments(values) {
  const typed = (/** @type {string} */ name, /** @type {string} */ text) => {
    const value = NUMBERS_OF_TOOLS.includes(name) ? Number(text) : text;
    return BOOLEANS_OF_TOOLS.includes(name) ? text === 'true' : value;
  };
  const entries = Object.entries(values).map(([name, value]) => {
    const isList = typeof value === 'string' && LISTS_OF_TOOLS.includes(name);
    return [name, isList ? value.split(',') : typeof value === 'string' ? typed(name, value) : value];
  });
  return Object.fromEntries(entries);
}
