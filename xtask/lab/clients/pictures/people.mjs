// Signs in as six kinds of people, and compares every view with the answers of REST, in English and German.
//
// Each part of the page must say what the modules draw from the answers of REST, and the figures of the modules must be
// those of the answers. PAGE, API and TOKEN are those of a demo server, and ROWS is the number of transactions of the wide
// person. ADMIN is `passbook-admin`, with the settings of the server in its environment.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { launch, watch } from './browser.mjs';
import { compareAll, report, useTexts } from './comparisons.mjs';
import { serveFiles } from './files.mjs';

const { ADMIN = '', API: api, TOKEN: demo = '', PAGE = '', ROWS = '' } = process.env;
const { origin } = new URL(PAGE);
const LANGUAGES = [{ locale: 'en-GB' }, { locale: 'de-DE', language: 'de' }];
/** The kinds of people that `people.sql` makes. */
const KINDS = ['empty', 'small', 'evil', 'debt', 'wide'];

const admin = (...values) => execFileSync(ADMIN, values, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Stores the people. Returns the token of each kind. */
function storePeople() {
  admin('psql', '--write', '--', '--quiet', '--set', `rows=${ROWS}`, '--file', join(import.meta.dirname, 'people.sql'));
  const tokens = KINDS.map((kind) => [kind, /\S+_\S+/.exec(admin('token', 'create', '--user', `${kind}@people.example`, '--name', 'people'))?.[0]]);
  return { demo, ...Object.fromEntries(tokens) };
}

/** Returns a function that reads a route of REST, each once. */
function reader(token) {
  const known = new Map();
  const readNew = async (path) => {
    const response = await fetch(`${api}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    report.check(response.ok, `${path}: ${text}`);
    return JSON.parse(text);
  };
  return (path) => {
    const read = known.get(path) ?? readNew(path);
    known.set(path, read);
    return read;
  };
}

/** Returns the payloads of a person, by the names that the comparisons use. */
async function payloadsOf(read) {
  const year = 'period=last-12-months';
  const paths = {
    spending: `spending/categories?${year}&groupBy=month`, cashflow: `cashflow/summary?${year}&groupBy=month`,
    history: 'portfolio/history?timeRange=1y&interval=week', merchants: `spending/merchants/top?${year}&limit=10`,
    budgets: 'budgets/summary', recurring: 'recurring-payments?types=INCOME,EXPENSE&limit=200', transactions: 'transactions?pageSize=50',
    ownCategory: `spending/categories?${year}&groupBy=ownCategory`, tag: `spending/categories?${year}&groupBy=tag`,
    banks: 'banks/status', portfolio: 'portfolio', home: undefined,
  };
  const home = {
    today: 'portfolio/history?period=this-month&interval=month&by=type', line: 'portfolio/history?timeRange=3m&interval=day',
    spending: 'spending/summary?period=this-month&compareTo=same-days-of-last-month&groupBy=day', before: 'spending/summary?period=last-month&groupBy=day',
    cashflow: 'cashflow/summary?period=this-month', budgets: 'budgets/summary', moved: 'spending/categories?period=this-month&compareTo=same-days-of-last-month',
    recurring: 'recurring-payments?types=INCOME,EXPENSE&upcomingWithinDays=14',
  };
  const readAll = async (wanted) => Object.fromEntries(await Promise.all(Object.entries(wanted).map(async ([name, path]) => [name, await (path ? read(path) : readAll(home))])));
  return readAll(paths);
}

/** Returns the places of a person: with what explains the largest category and merchant, and the first account. */
function placesOf({ spending, merchants, portfolio }) {
  const largest = merchants.merchants[0]?.merchant;
  const details = {
    category: { categories: spending.categories[0]?.category ?? 'GROCERIES', period: 'last-12-months' },
    merchant: largest === undefined || largest.includes(',') ? { merchantQuery: largest ?? 'nobody' } : { merchants: largest },
    account: { accountIds: portfolio.items[0]?.accounts[0]?.id },
  };
  const tabs = ['home', 'spending', 'upcoming', 'accounts', 'search'].map((name) => [name, {}]);
  const spendings = [{}, { groupBy: 'ownCategory' }, { groupBy: 'tag' }].map((group) => ['spending', { period: 'last-12-months', ...group }]);
  return [...tabs, ...spendings, ...Object.entries(details)].filter(([, parameters]) => !('accountIds' in parameters) || parameters.accountIds);
}

/** Draws a place from the answers of REST, as the page does. */
function drawPlace(files, name, parameters) {
  return files.evaluate(async ([name, parameters]) => {
    const { showParts } = await import('/modules/card.js');
    const { placeFragment: address } = await import('/modules/router.js');
    const modules = await Promise.all(['place_home', 'places', 'place_detail'].map((one) => import(`/modules/${one}.js`)));
    const place = Object.assign({}, ...modules)[`${name}Place`];
    const container = document.createElement('div');
    container.className = `place ${name}`;
    document.body.replaceChildren(container);
    const actions = { address, hasInitialRange: true, load: () => {}, change: () => {} };
    await showParts(container, place.parts(parameters, actions), ({ path, parameters: query }) => globalThis.read(`${path}?${new URLSearchParams(query)}`));
  }, [name, parameters]);
}

/** Returns by part what a place says, with its tables and with the values of its charts. */
function saidParts(page) {
  return page.evaluate(async () => {
    for (const details of document.querySelectorAll('.place details:not([open])')) {
      const shown = new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }));
      details.open = true;
      await shown;
    }
    const parts = [...document.querySelectorAll('.place > .slot')].map((slot) => {
      const values = [...slot.querySelectorAll('[role=slider]')].flatMap((slider) =>
        Array.from({ length: Number(slider.getAttribute('aria-valuemax')) + 1 }, (_, index) => {
          slider.dispatchEvent(new KeyboardEvent('keydown', { key: index === 0 ? 'Home' : 'ArrowRight', bubbles: true }));
          return slider.getAttribute('aria-valuetext');
        }),
      );
      const copy = slot.cloneNode(true);
      // The labels of an axis depend on the size of the chart.
      for (const picture of copy.querySelectorAll('svg, .values')) {
        picture.remove();
      }
      return [slot.id, [copy.textContent, ...values]];
    });
    return Object.fromEntries(parts);
  });
}

/** Compares every part of every place of the page with what is drawn from the answers of REST. */
async function comparePlaces(kind, page, files, places) {
  for (const [name, parameters] of places) {
    const place = `${kind}, ${name}`;
    const fragment = `#/${name}?${new URLSearchParams(parameters)}`;
    await page.evaluate((address) => {
      location.hash = address;
    }, fragment);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await page.waitForFunction((known) => document.querySelector(`.place.${known}`) && !document.querySelector('.place > [aria-busy]'), name);
    await drawPlace(files, name, parameters);
    const [shown, expected] = await Promise.all([saidParts(page), saidParts(files)]);
    report.check(Object.keys(shown).join() === Object.keys(expected).join(), `${place}: the parts are ${Object.keys(shown)}`);
    for (const [part, texts] of Object.entries(expected)) {
      const differs = texts.findIndex((said, index) => said !== shown[part]?.[index]);
      report.check(differs === -1, `${place}, ${part}: ${shown[part]?.[differs]?.slice(0, 300)} for ${texts[differs]?.slice(0, 300)}`);
    }
    const problem = await page.evaluate(() => document.querySelector('.state.error')?.textContent ?? (document.documentElement.scrollWidth > innerWidth && `${document.documentElement.scrollWidth} pixels wide`));
    report.check(!problem, `${place}: ${problem}`);
  }
}

const started = Date.now();
const tokens = storePeople();
console.log(`people: stored after ${Date.now() - started} ms`);
const { origin: filesOrigin, stop } = await serveFiles();
const browser = await launch();
for (const [kind, token] of Object.entries(tokens)) {
  const read = reader(token);
  const payloads = await payloadsOf(read);
  for (const { locale, language } of LANGUAGES) {
    const options = { locale, viewport: { width: 1280, height: 900 } };
    const [page, files] = [await browser.newPage(options), await browser.newPage(options)];
    // The browser itself reports the response that leads to the sign-in.
    watch(page, origin, report, { active: true });
    watch(files, filesOrigin, report);
    await files.exposeFunction('read', read);
    await files.goto(filesOrigin);
    await useTexts(files, language);
    await page.goto(`${origin}/#/home`);
    await page.fill('#token', token);
    await page.click('form button');
    await page.waitForSelector('.place');
    await comparePlaces(kind, page, files, placesOf(payloads));
    await compareAll(files, payloads);
    await page.context().close();
    await files.context().close();
  }
  console.log(`people: ${kind} after ${Date.now() - started} ms`);
}
await browser.close();
stop();
report.finish('people');
