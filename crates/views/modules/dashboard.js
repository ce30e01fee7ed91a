/** The entry of the dashboard's page. @import { Actions, DataRequest } from './types.d.ts' */

import { showParts } from './card.js';
import { element } from './dom.js';
import { isOtherLanguage, loadLanguage } from './language.js';
import { accountPlace, categoryPlace, merchantPlace } from './place_detail.js';
import { homePlace } from './place_home.js';
import { accountsPlace, searchPlace, spendingPlace, upcomingPlace } from './places.js';
import { parsePlace, placeFragment } from './router.js';
import { Failure, exchangeCode, readData, signOut } from './session.js';
import { createShell } from './shell.js';
import { signInView } from './sign_in.js';
import { TEXT } from './text.js';
import { enterVisit, restoreVisit } from './visits.js';

/** The places of the navigation. The first is shown at the start. */
const TABS = [homePlace, spendingPlace, upcomingPlace, accountsPlace];
const PLACES = [...TABS, searchPlace, categoryPlace, merchantPlace, accountPlace];

await loadLanguage();
const shell = createShell(TABS, leave);
const signInPage = element('main', { class: 'outside' });
/** Tells the other tabs that the session has ended. */
const tabs = new BroadcastChannel('passbook-session');
let isSignedIn = false;
/** Ends the reads of the place that was shown before. */
let reads = new AbortController();
/** The identity of the place on the screen: its name and what it is about, without the days. */
let shown = '';
let container = element('div');

/** Shows the place in the address. */
async function showPlace() {
  const { name, parameters, isMoved } = parsePlace(location.hash);
  const place = PLACES.find((known) => known.name === name) ?? homePlace;
  if (isMoved) {
    history.replaceState(history.state, '', placeFragment(name, parameters));
  }
  const visit = enterVisit();
  reads.abort();
  reads = new AbortController();
  const { signal } = reads;
  /** @type {Actions} */
  const actions = {
    address: placeFragment,
    hasInitialRange: true,
    load: (request) => readData(request).catch(endIfRefused),
    change: (next) => {
      location.hash = placeFragment(place.name, next);
    },
  };
  if (!shell.element.isConnected) {
    document.body.replaceChildren(shell.element);
  }
  shell.setPlace(place, parameters, actions);
  const identity = `${place.name} ${parameters.categories ?? parameters.accountIds ?? parameters.merchants ?? parameters.merchantQuery ?? ''}`;
  const isSame = shown === identity || (shown.startsWith('search ') && place.name === 'search');
  if (!isSame) {
    container = element('div', { class: `place ${place.name}` });
    shell.content.replaceChildren(container);
    if (shown !== '' && visit === undefined) {
      shell.heading.focus({ preventScroll: true });
    }
    window.scrollTo(0, 0);
  }
  shown = identity;
  await showParts(container, place.parts(parameters, actions), reader(signal));
  if (!signal.aborted && !isSame && visit !== undefined) {
    restoreVisit(visit, container);
  }
  if (!isSignedIn && !signal.aborted) {
    isSignedIn = true;
    shell.setReader((await readData({ path: 'me', parameters: {} }).catch(endIfRefused))?.email);
  }
}

/** Returns a function that reads data, each request once. @param {AbortSignal} signal */
function reader(signal) {
  /** @type {Map<string, Promise<any>>} */
  const known = new Map();
  return (/** @type {DataRequest} */ request, isFresh = false) => {
    const key = JSON.stringify([request.path, request.parameters]);
    const read = (isFresh ? undefined : known.get(key)) ?? readData(request, signal).catch(endIfRefused);
    known.set(key, read);
    read.catch(() => known.delete(key));
    return read;
  };
}

/** Shows the sign-in if the session has ended. @param {unknown} error @returns {never} */
function endIfRefused(error) {
  if (error instanceof Failure && error.status === 401) {
    showSignIn(isSignedIn ? TEXT.sessionEnded : undefined);
  }
  throw error;
}

/** @param {string | undefined} message */
function showSignIn(message) {
  if (signInPage.isConnected && message === undefined) {
    return;
  }
  reads.abort();
  isSignedIn = false;
  shown = '';
  const path = location.hash.startsWith('#/') ? location.hash.slice(1) : '/home';
  shell.content.replaceChildren();
  shell.setReader(undefined);
  signInPage.replaceChildren(signInView({ path, message, done: showPlace }));
  document.body.replaceChildren(signInPage);
  document.title = `${TEXT.signIn} – ${TEXT.product}`;
}

async function leave() {
  reads.abort();
  try {
    await signOut();
    tabs.postMessage('ended');
    showSignIn(TEXT.signedOut);
  } catch {
    showPlace();
  }
}

/** Handles a fragment that the server or a link wrote: a single-use code, or the end of a failed sign-in. */
async function enter() {
  const { code, error } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (code === undefined && error === undefined) {
    showPlace();
    return;
  }
  // The code leaves the address and the history before anything else happens.
  history.replaceState(undefined, '', location.pathname);
  if (code === undefined) {
    const known = Object.hasOwn(TEXT.signInErrors, error ?? '');
    showSignIn(TEXT.signInErrors[known ? (error ?? '') : 'provider']);
    return;
  }
  try {
    await exchangeCode(code);
    showPlace();
  } catch (failure) {
    // A link that was used before does not end the session that the browser has.
    const me = await readData({ path: 'me', parameters: {} }).catch(() => undefined);
    if (me === undefined) {
      showSignIn(failure instanceof Failure && failure.status === 0 ? failure.message : TEXT.codeRefused);
    } else {
      showPlace();
    }
  }
}

tabs.addEventListener('message', () => showSignIn(TEXT.signedOut));
window.addEventListener('hashchange', () => {
  const isCode = location.hash.startsWith('#code=') || location.hash.startsWith('#error=');
  if (isOtherLanguage()) {
    location.reload();
  } else if (isCode) {
    enter();
  } else if (location.hash.startsWith('#/') || location.hash === '') {
    showPlace();
  }
});
enter();
