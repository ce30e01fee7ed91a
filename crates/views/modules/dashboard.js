/**
 * The entry of the dashboard's page.
 *
 * @import { Actions, DataRequest, Parameters, ViewDefinition } from './types.d.ts'
 */

import { element } from './dom.js';
import { errorState, loadingState } from './notes.js';
import { parsePlace, placeFragment } from './router.js';
import { Failure, exchangeCode, readData, signOut } from './session.js';
import { createShell } from './shell.js';
import { signInView } from './sign_in.js';
import { TEXT } from './text.js';
import { bankNotice, banksView } from './view_banks.js';
import { budgetsView } from './view_budgets.js';
import { cashflowView } from './view_cashflow.js';
import { netWorthView } from './view_net_worth.js';
import { recurringView } from './view_recurring.js';
import { spendingView } from './view_spending.js';
import { transactionsView } from './view_transactions.js';

/** The views in the order of the navigation. The first is shown at the start. */
const VIEWS = [netWorthView, cashflowView, spendingView, recurringView, budgetsView, transactionsView, banksView];
const HOME = netWorthView;

const shell = createShell(VIEWS, leave);
const signInPage = element('main', { class: 'outside' });
let isSignedIn = false;
/** Ends the reads of the view that was shown before. */
let reads = new AbortController();
/** The name of the view on the screen. */
let shown = '';

/** Shows the place in the address. */
async function showPlace() {
  const { view: name, parameters } = parsePlace(location.hash);
  const view = VIEWS.find((known) => known.name === name) ?? HOME;
  reads.abort();
  reads = new AbortController();
  const { signal } = reads;
  showShell();
  shell.setCurrent(view.name);
  const focused = document.activeElement?.id;
  if (shown === view.name) {
    shell.content.setAttribute('aria-busy', 'true');
  } else {
    shell.content.replaceChildren(loadingState());
    window.scrollTo(0, 0);
  }
  try {
    const payloads = await readAll(view.requests(parameters), signal);
    shell.content.replaceChildren(drawn(view, payloads, parameters));
    shown = view.name;
    document.getElementById(focused ?? '')?.focus({ preventScroll: true });
  } catch (error) {
    if (!signal.aborted) {
      showFailure(error);
    }
  }
  if (!signal.aborted) {
    shell.content.removeAttribute('aria-busy');
  }
}

/**
 * Draws a view. A payload of an unknown form is an error of the view, not of the page.
 *
 * @param {ViewDefinition} view
 * @param {Record<string, any>} payloads
 * @param {Parameters} parameters
 */
function drawn(view, payloads, parameters) {
  /** @type {Actions} */
  const actions = {
    address: placeFragment,
    hasInitialRange: true,
    load: (request) => readData(request).catch(rethrowUnlessEnded),
    change: (next) => {
      location.hash = placeFragment(view.name, next);
    },
  };
  try {
    return view.draw(payloads, parameters, actions);
  } catch {
    return errorState({ message: TEXT.unexpected }, showPlace);
  }
}

/**
 * Reads the payloads of a view at the same time. An optional payload that cannot be read is absent.
 *
 * @param {Record<string, DataRequest>} requests
 * @param {AbortSignal} signal
 */
async function readAll(requests, signal) {
  const read = async (/** @type {[string, DataRequest]} */ [name, request]) => {
    try {
      return [name, await readData(request, signal)];
    } catch (error) {
      const mayBeAbsent = request.optional && error instanceof Failure && error.status !== 401;
      if (!mayBeAbsent) {
        throw error;
      }
      return [name, undefined];
    }
  };
  return Object.fromEntries(await Promise.all(Object.entries(requests).map(read)));
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function rethrowUnlessEnded(error) {
  if (error instanceof Failure && error.status === 401) {
    showSignIn(TEXT.sessionEnded);
  }
  throw error;
}

/** @param {unknown} error */
function showFailure(error) {
  if (error instanceof Failure && error.status === 401) {
    showSignIn(isSignedIn ? TEXT.sessionEnded : undefined);
    return;
  }
  shown = '';
  const failure = error instanceof Failure ? error : { message: TEXT.unexpected };
  shell.content.replaceChildren(errorState(failure, showPlace));
}

/** Reads what the frame shows: the reader and the notice about banks. */
async function readFrame() {
  const { me, banks } = await readAll(
    {
      me: { path: 'me', parameters: {}, optional: true },
      banks: { path: 'banks/status', parameters: {}, optional: true },
    },
    new AbortController().signal,
  ).catch(() => ({ me: undefined, banks: undefined }));
  isSignedIn ||= me !== undefined;
  shell.setReader(me?.email);
  shell.setNotice(banks && bankNotice(banks, { address: placeFragment }));
}

function showShell() {
  if (!shell.element.isConnected) {
    document.body.replaceChildren(shell.element);
  }
}

/** @param {string | undefined} message */
function showSignIn(message) {
  isSignedIn = false;
  shown = '';
  const path = location.hash.startsWith('#/') ? location.hash.slice(1) : `/${HOME.name}`;
  shell.content.replaceChildren();
  shell.setNotice(undefined);
  shell.setReader(undefined);
  signInPage.replaceChildren(signInView({ path, message, done: start }));
  document.body.replaceChildren(signInPage);
  document.title = `${TEXT.signIn} – ${TEXT.product}`;
}

/** Reads the frame and the view at the same time. */
function start() {
  readFrame();
  showPlace();
}

async function leave() {
  reads.abort();
  try {
    await signOut();
    showSignIn(TEXT.signedOut);
  } catch (error) {
    showFailure(error);
  }
}

/** Handles a fragment that the server or a link wrote: a single-use code, or the end of a failed sign-in. */
async function enter() {
  const { code, error } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (code === undefined && error === undefined) {
    start();
    return;
  }
  // The code leaves the address and the history before anything else happens.
  history.replaceState(undefined, '', location.pathname);
  if (code === undefined) {
    showSignIn(TEXT.signInErrors[error ?? ''] ?? TEXT.signInErrors.provider);
    return;
  }
  try {
    await exchangeCode(code);
    start();
  } catch (failure) {
    showSignIn(failure instanceof Failure && failure.status === 0 ? failure.message : TEXT.codeRefused);
  }
}

window.addEventListener('hashchange', () => {
  const isCode = location.hash.startsWith('#code=') || location.hash.startsWith('#error=');
  if (isCode) {
    enter();
  } else if (location.hash.startsWith('#/') || location.hash === '') {
    showPlace();
  }
});
enter();
