/**
 * The entry of an MCP App: draws one view from the result of its tool.
 *
 * @import { Actions, DataRequest, Parameters, ViewDefinition } from './types.d.ts'
 */

import { connectHost } from './bridge.js';
import { element } from './dom.js';
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

/**
 * Starts an app. The host sends the arguments of the call, then its result.
 *
 * @param {ViewDefinition} view
 */
export function startApp(view) {
  const content = element('div', {}, loadingState());
  document.body.append(element('main', {}, element('h1', { class: 'unseen' }, view.title), content));
  document.documentElement.classList.add('app');
  /** @type {Parameters} */
  let parameters = {};
  /** @type {Record<string, any>} */
  let payloads = {};
  let canLoad = false;
  const [primary = ''] = Object.keys(view.requests({}));

  const draw = () => {
    try {
      content.replaceChildren(view.draw(payloads, parameters, actions()));
    } catch {
      content.replaceChildren(errorState({ message: TEXT.unexpected }, undefined));
    }
  };

  /** @returns {Actions} */
  const actions = () => (canLoad ? { load, change } : {});

  const load = (/** @type {DataRequest} */ { tool, parameters: values }) =>
    host.request('tools/call', { name: tool, arguments: toolArguments(values) }).then(structured);

  /** @param {Parameters} next */
  async function change(next) {
    content.setAttribute('aria-busy', 'true');
    const focused = document.activeElement?.id;
    try {
      const request = view.requests(next)[primary];
      const payload = request && (await load(request));
      parameters = next;
      payloads = { [primary]: payload };
      draw();
      await loadCompanions();
    } catch (error) {
      content.replaceChildren(errorState(failureOf(error), () => change(next)));
    }
    content.removeAttribute('aria-busy');
    document.getElementById(focused ?? '')?.focus();
  }

  /** Reads the optional payloads that a tool returns, with the arguments of the call. */
  async function loadCompanions() {
    const companions = Object.entries(view.requests(parameters)).filter(([name, { tool }]) => name !== primary && tool);
    for (const [name, request] of canLoad ? companions : []) {
      try {
        payloads[name] = await load({ ...request, parameters: { ...parameters } });
        draw();
      } catch {
        // The picture is complete without an optional payload.
      }
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
        loadCompanions();
      } catch (error) {
        content.replaceChildren(errorState(failureOf(error), undefined));
      }
    },
    cancelled: () => content.replaceChildren(emptyState(TEXT.cancelled)),
    context: applyContext,
    teardown: () => content.replaceChildren(),
  });
  host.start().then(
    ({ hostCapabilities, hostContext }) => {
      canLoad = hostCapabilities?.serverTools !== undefined;
      applyContext(hostContext ?? {});
      host.reportSize();
      if (payloads[primary] !== undefined) {
        draw();
      }
    },
    (error) => content.replaceChildren(errorState(failureOf(error), undefined)),
  );
}

/**
 * Applies theme, locale and style of the host. Absent members stay as they are.
 *
 * @param {{ theme?: string, locale?: string, styles?: { variables?: Record<string, string> } }} context
 */
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

/**
 * Returns the structured content of a tool's result.
 *
 * @param {any} result
 * @throws {Error} with the tool's own words if the tool failed
 */
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

/**
 * Returns the arguments of a call as the parameters of a view.
 *
 * @param {Record<string, unknown>} values
 * @returns {Parameters}
 */
function textParameters(values) {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

/** The arguments that are lists, numbers and booleans; the others are texts. */
const ARGUMENT_TYPES = {
  list: ['accountIds', 'categories', 'types', 'status'],
  number: [
    'limit',
    'pageSize',
    'minAmountCents',
    'maxAmountCents',
    'minConfidence',
    'month',
    'upcomingWithinDays',
    'year',
  ],
  boolean: ['includeExcluded', 'includePending', 'pending', 'showInternalTransfers'],
};

/**
 * Returns parameters as the arguments of a tool, with the types of its schema.
 *
 * @param {DataRequest['parameters']} values
 */
function toolArguments(values) {
  const entries = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'string') {
      return [name, value];
    }
    if (ARGUMENT_TYPES.list.includes(name)) {
      return [name, value.split(',')];
    }
    if (ARGUMENT_TYPES.number.includes(name)) {
      return [name, Number(value)];
    }
    return [name, ARGUMENT_TYPES.boolean.includes(name) ? value === 'true' : value];
  });
  return Object.fromEntries(entries);
}
