// Signs in to the dashboard of several servers in the browser, at the identity provider of each server: the journey from
// the sign-in to the revoked consent, and attacks on the sign-in.
//
//   node sign_in.mjs PLAN        PLAN is a JSON file: {"person", "cases": [{"setting", "origin", "issuer"}]}
//
// The provider logs in the person that the request header `sign-in-as` names, and issues access tokens that live as long
// as the header `token-seconds` says. Prints the line `revoke` when every browser is signed in, and continues when
// standard input has a line: the consent of the person to the dashboard is then revoked.

import { mkdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Report, checkAccess, launch, watch } from './browser.mjs';

/** The lifetime of an access token whose expiry is checked, in seconds. A slow machine signs in within this time. */
const SHORT_SECONDS = 10;
/** The time between two looks at the cookies, in milliseconds. */
const LOOK = 100;
/** The texts of the page by the code of an error. */
const ERRORS = { state: 'started in another tab', provider: 'did not complete the sign-in', token: 'not accepted here' };

const { person, cases } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const folder = process.env.SCREENSHOTS ?? 'screenshots';
const report = new Report();
const browser = await launch();
const input = createInterface({ input: process.stdin });

const link = '.sign-in a.button';
const session = (origin) => `passbook-session-${new URL(origin).port}`;

/** A browser of a person, with cookies of its own. */
async function newBrowser({ setting, origin, issuer }) {
  const context = await browser.newContext({ locale: 'en-GB', extraHTTPHeaders: { 'sign-in-as': person } });
  const page = await context.newPage();
  // The browser itself reports the responses with the status 401 that this program provokes.
  watch(page, origin, report, { active: true, provider: new URL(issuer).origin });
  const check = (holds, problem) => report.check(holds, `${setting}: ${problem}`);
  return { context, page, origin, setting, check };
}

async function sessionCookie({ context, origin }) {
  return (await context.cookies(origin)).find(({ name }) => name === session(origin));
}

async function settled(page) {
  await page.waitForSelector('.place > :not([aria-busy]) > .card');
}

async function signIn({ page }) {
  await page.click(link);
  await settled(page);
}

/** Waits until the page offers the sign-in with this text. */
async function signedOut({ page, check }, text) {
  const message = page.locator('.sign-in [role=alert]:not([hidden])');
  await message.waitFor();
  const shown = await message.textContent();
  check(shown?.includes(text), `the page says ${shown}, not ${text}`);
}

/** Signs in, reads data and signs out. Returns the address of the callback. */
async function firstSession(one, isFirst) {
  const { context, page, origin, check } = one;
  const callbacks = [];
  page.on('request', (request) => request.url().includes('/session/callback?') && callbacks.push(request.url()));
  await page.goto(`${origin}/#/spending?timeRange=all`);
  await page.waitForSelector(link);
  if (isFirst) {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `sign-in at a provider, ${colorScheme}`, report);
      await page.screenshot({ path: join(folder, `sign-in-provider-${colorScheme}.png`) });
    }
  }
  await signIn(one);
  check(page.url() === `${origin}/#/spending?timeRange=all`, `the sign-in leads to ${page.url()}`);
  const total = await page.textContent('#part-categories .headline strong');
  check(total === '€4.50', `the spending is ${total}`);
  const cookie = await sessionCookie(one);
  check(cookie?.httpOnly && cookie.sameSite === 'Lax', `the cookie is ${JSON.stringify(cookie)}`);
  const stored = await page.evaluate(() => document.cookie.length + localStorage.length + sessionStorage.length);
  check(stored === 0, 'a script of the page can read something that is stored');
  const names = (await context.cookies(origin)).map(({ name }) => name).filter((name) => name.includes('attempt'));
  check(names.length === 0, `the attempt is still stored: ${names}`);
  check(callbacks.length === 1, `${callbacks.length} callbacks`);

  await page.click('.menu summary');
  await page.click('.menu button');
  await signedOut(one, 'You are signed out.');
  check((await sessionCookie(one)) === undefined, 'the session is still stored');
  await page.reload();
  await page.waitForSelector(link);
  return callbacks[0] ?? '';
}

/** The session ends with its token, also if the browser keeps the cookie. The next sign-in leads back to the view. */
async function expiry(one) {
  const { context, page, origin, check } = one;
  await context.setExtraHTTPHeaders({ 'sign-in-as': person, 'token-seconds': String(SHORT_SECONDS) });
  await signIn(one);
  const cookie = await sessionCookie(one);
  const remaining = (cookie?.expires ?? 0) - Date.now() / 1000;
  check(remaining > 0 && remaining <= SHORT_SECONDS, `the cookie lives for ${remaining} s`);
  while ((await sessionCookie(one)) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  if (cookie !== undefined) {
    await context.addCookies([{ ...cookie, expires: -1 }]);
  }
  await page.click('a.find');
  await signedOut(one, 'Your session has ended.');
  check((await sessionCookie(one)) === undefined, 'the server left the ended session in the browser');
  await context.setExtraHTTPHeaders({ 'sign-in-as': person });
  await signIn(one);
  check(page.url() === `${origin}/#/search`, `the new sign-in leads to ${page.url()}`);
  const row = await page.textContent('.transaction');
  check(/Café de la Gare.*[-−]€4\.50/.test(row ?? ''), `the transaction is ${row}`);
}

/** Begins a sign-in with the cookies of the browser, and stops before the callback. Returns the address of the callback. */
async function begin({ context, origin }) {
  let next = `${origin}/session/sign-in`;
  while (!next.startsWith(`${origin}/session/callback?`)) {
    const response = await context.request.get(next, { maxRedirects: 0 });
    const { location } = response.headers();
    if (location === undefined) {
      throw new Error(`${next} returned ${response.status()}`);
    }
    next = new URL(location, next).href;
  }
  return new URL(next);
}

/** Opens a callback and checks that it gives no session. */
async function refused(one, name, callback, error) {
  await one.page.goto(String(callback));
  await signedOut(one, ERRORS[error]);
  one.check((await sessionCookie(one)) === undefined, `${name}: a session was opened`);
}

/** Returns a callback with another value of a parameter. */
function changed(callback, name, value) {
  const url = new URL(callback);
  url.searchParams.set(name, value);
  return url;
}

async function attacks(one, own, other) {
  const browsers = [await newBrowser(own), await newBrowser(own)];
  const [attacker, victim] = browsers;
  const callback = await begin(attacker);
  await refused(victim, 'login CSRF', callback, 'state');
  const ownCallback = await begin(victim);
  await refused(victim, 'login CSRF with an attempt of the victim', callback, 'state');
  await refused(attacker, 'wrong state', changed(callback, 'state', 'A'.repeat(43)), 'state');
  const injected = changed(ownCallback, 'code', callback.searchParams.get('code'));
  await refused(victim, 'code of another attempt', injected, 'provider');
  await refused(victim, 'second callback of an attempt', ownCallback, 'state');
  const foreign = changed(await begin(victim), 'iss', 'https://provider.example');
  await refused(victim, 'callback of another provider', foreign, 'provider');
  await attacker.context.clearCookies({ name: /attempt/ });
  await refused(attacker, 'missing cookie', callback, 'state');

  // The browser sends the cookies of one port to every port of the host.
  const elsewhere = { ...one, page: await one.context.newPage(), origin: other };
  const cookie = await sessionCookie(one);
  const opened = async (name) => {
    await elsewhere.page.goto(`${other}/#/search`);
    await elsewhere.page.reload();
    await elsewhere.page.waitForSelector(link);
    one.check((await elsewhere.page.locator('table.transactions').count()) === 0, `${name}: data is shown`);
  };
  await opened('cookie of another port');
  await one.context.addCookies([{ ...cookie, name: session(other) }]);
  await opened('cookie that was sealed under another key');
  await one.context.clearCookies({ name: session(other) });
  await elsewhere.page.close();
  for (const { context } of browsers) {
    await context.close();
  }
}

/** The callback of the first sign-in cannot be used again, and ends no session. */
async function replay(one, callback) {
  const page = await one.context.newPage();
  await page.goto(callback);
  await signedOut({ ...one, page }, ERRORS.state);
  await page.close();
  one.check((await sessionCookie(one)) !== undefined, 'a refused callback ended the session');
}

/** The next request after the revocation signs out, and a new sign-in is refused. */
async function revocation(one) {
  const { page, check } = one;
  await page.click('nav a[href^="#/spending"]');
  await signedOut(one, 'Your session has ended.');
  check((await sessionCookie(one)) === undefined, 'the revoked session is still stored');
  await page.click(link);
  await signedOut(one, ERRORS.token);
  check((await sessionCookie(one)) === undefined, 'a session was opened without consent');
}

mkdirSync(folder, { recursive: true });
const started = performance.now();
const browsers = await Promise.all(
  cases.map(async (own, index) => {
    const one = await newBrowser(own);
    const callback = await firstSession(one, index === 0);
    await expiry(one);
    await replay(one, callback);
    await attacks(one, own, cases[(index + 1) % cases.length].origin);
    return one;
  }),
);
const line = once(input, 'line');
console.log('revoke');
await line;
await Promise.all(browsers.map(revocation));
await browser.close();
input.close();
console.log(`${cases.length} settings: ${((performance.now() - started) / 1000).toFixed(1)} s`);
report.finish('sign-in in a browser');
