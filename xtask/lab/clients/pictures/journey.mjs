// Follows the `page` line of a fresh demo server through the whole dashboard.
//
// PAGE is the address of the page line, API and TOKEN are the base address and the token. SCREENSHOTS is the folder of
// the pictures.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Report, checkAccess, launch, watch } from './browser.mjs';

const address = process.env.PAGE ?? '';
const api = process.env.API ?? '';
const token = process.env.TOKEN ?? '';
const folder = process.env.SCREENSHOTS ?? 'screenshots';
const { origin } = new URL(address);
const VIEWS = ['net-worth', 'cashflow', 'spending', 'recurring', 'budgets', 'transactions', 'banks'];

const report = new Report();
const browser = await launch();
const newContext = (options = {}) =>
  browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options });

/** Reads the payload of a route over REST, with the token. */
async function payload(path) {
  const response = await fetch(`${api}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return response.json();
}

const amount = ({ amount_cents: cents, currency }) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(cents / 100);

/** Waits until a view is on the screen and no read is under way. */
async function settled(page) {
  // The page hears of a new address in a task of its own, after the browser has reported it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await page.waitForSelector('.content:not([aria-busy]) > .view');
}

async function open(page, view) {
  await page.click(`nav a[href="#/${view}"]`);
  await page.waitForSelector('nav a[aria-current=page]');
  await settled(page);
}

async function firstView(page) {
  await page.goto(address);
  await settled(page);
  report.check(!page.url().includes('code'), 'the code is still in the address');
  const shown = await page.textContent('.headline strong');
  const history = await payload('portfolio/history?timeRange=1y&by=total');
  report.check(shown === amount(history.points.at(-1).total), `net worth: ${shown}`);
  for (const round of ['first', 'second']) {
    await page.reload();
    await settled(page);
    const measured = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource');
      const assets = entries.filter(({ name }) => name.includes('/assets/'));
      const [navigation] = performance.getEntriesByType('navigation');
      return {
        drawn: globalThis.viewDrawnAt,
        bytes: assets.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, navigation.encodedBodySize),
        files: assets.length,
      };
    });
    console.log(`${round} reload: first view after ${measured.drawn.toFixed(0)} ms, ${measured.files} files, ${measured.bytes} bytes compressed`);
  }
}

async function everyView(page) {
  for (const view of VIEWS) {
    await open(page, view);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) {
        details.open = true;
      }
    });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `${view}, ${colorScheme}`, report);
    }
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) {
        details.open = false;
      }
    });
    for (const [colorScheme, width] of [['light', 1280], ['dark', 1280], ['light', 320], ['dark', 320], ['light', 2000]]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
      report.check(scrolled <= width, `${view}: ${scrolled} pixels wide on a screen of ${width}`);
      await page.screenshot({ path: join(folder, `${view}-${colorScheme}-${width}.png`), fullPage: width < 2000 });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

async function ranges(page) {
  await open(page, 'spending');
  const before = await page.textContent('.headline strong');
  await page.click('#range-1m');
  await page.waitForSelector('#range-1m[aria-pressed=true]');
  await settled(page);
  const after = await page.textContent('.headline strong');
  const { totalExpense } = await payload('spending/categories?timeRange=1m');
  report.check(after === amount(totalExpense) && after !== before, `spending of a month: ${after}`);
  report.check(await page.evaluate(() => document.activeElement?.id === 'range-1m'), 'the range lost the focus');
  // A change of the range leaves the page where the reader has scrolled it.
  await page.setViewportSize({ width: 320, height: 500 });
  const scroll = await page.evaluate(() => {
    document.querySelector('.switch').scrollIntoView({ block: 'start' });
    return scrollY;
  });
  await page.click('#range-6m');
  await page.waitForSelector('#range-6m[aria-pressed=true]');
  await settled(page);
  const after6 = await page.evaluate(() => scrollY);
  report.check(scroll > 0 && after6 === scroll, `the page scrolls from ${scroll} to ${after6}`);
  const current = await page.evaluate(() => {
    const [link, nav] = [document.querySelector('nav [aria-current]'), document.querySelector('nav')].map((one) => one.getBoundingClientRect());
    return link.left >= nav.left && link.right <= nav.right;
  });
  report.check(current, 'the current view is not among the visible links of a narrow screen');
  await page.goBack();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.waitForSelector('#range-1m[aria-pressed=true]');
  await settled(page);
  await page.goBack();
  await page.waitForSelector('#range-3m[aria-pressed=true]');
  await settled(page);
  report.check((await page.textContent('.headline strong')) === before, 'the way back shows the range before');
}

async function transactions(page) {
  await open(page, 'transactions');
  const rows = page.locator('table.transactions tbody tr');
  while ((await rows.count()) < 200) {
    const count = await rows.count();
    await page.click('#show-more');
    await page.waitForFunction((known) => document.querySelectorAll('table.transactions tbody tr').length > known, count);
  }
  const shown = await rows.evaluateAll((list) => list.map((row) => row.cells[1].querySelector('.payee').firstChild.textContent));
  const { transactions: expected } = await payload('transactions?pageSize=200');
  const differs = expected.findIndex((one, index) => shown[index] !== (one.merchant_name ?? one.title));
  report.check(differs === -1, `transaction ${differs}: ${shown[differs]}`);

  await page.fill('#filter-search', 'rewe');
  await page.press('#filter-search', 'Enter');
  await page.waitForURL(/merchantQuery=rewe/);
  await settled(page);
  const found = await rows.allTextContents();
  report.check(found.length > 0 && found.every((text) => /rewe/i.test(text)), 'the search finds other texts');
  await page.click('details.plain summary');
  await page.fill('#filter-minAmountCents', '20,50');
  await page.click('#filter-apply');
  await page.waitForURL(/minAmountCents=2050/);
  await settled(page);
  report.check((await page.inputValue('#filter-minAmountCents')) === '20.50', 'the form forgets its amount');
  await page.fill('#filter-search', 'no such merchant');
  await page.click('#filter-apply');
  await page.waitForSelector('.state');
  await page.click('#filter-reset');
  await page.waitForSelector('table.transactions');
}

/** Uses every view by keyboard alone: each control can be reached, and every chart can be read. */
async function keyboard(page) {
  for (const view of VIEWS) {
    await open(page, view);
    await page.focus('nav a[aria-current=page]');
    const controls = await page.locator('main :is(a[href], button, input, select, summary, [tabindex="0"])').evaluateAll((list) =>
      list.filter((one) => one.checkVisibility()).length,
    );
    const reached = new Set();
    for (let step = 0; step < controls + 12; step += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const all = [...document.querySelectorAll('main *')];
        return all.indexOf(document.activeElement);
      });
      if (at >= 0) {
        reached.add(at);
      }
    }
    report.check(reached.size >= controls, `${view}: ${reached.size} of ${controls} controls reached by Tab`);
    for (const slider of await page.locator('[role=slider]').all()) {
      await slider.focus();
      await page.keyboard.press('Home');
      const first = await slider.getAttribute('aria-valuetext');
      await page.keyboard.press('End');
      const last = await slider.getAttribute('aria-valuetext');
      report.check(first !== last && /\d/.test(last ?? ''), `${view}: the slider says ${first} and ${last}`);
    }
  }
}

/** A printed page has the tables and no buttons. */
async function print(page) {
  await open(page, 'cashflow');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.pdf({ path: join(folder, 'cashflow.pdf'), printBackground: true });
  const shown = await page.evaluate(() => ({
    rows: document.querySelectorAll('details tbody tr').length,
    height: document.querySelector('details table')?.getBoundingClientRect().height ?? 0,
    buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).length,
    ink: getComputedStyle(document.querySelector('h2')).color,
  }));
  report.check(shown.rows > 0 && shown.height > 50 && shown.buttons === 0, `print: ${JSON.stringify(shown)}`);
  report.check(/^rgb\((\d|[1-5]\d), /.test(shown.ink), `print: light text, ${shown.ink}`);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

/** A view that waits for its data says so. */
async function loading(page) {
  let answer;
  await page.route('**/data/v1/recurring-payments*', (route) => {
    answer = () => route.continue();
  });
  await page.click('nav a[href="#/recurring"]');
  await page.waitForSelector('p.state.loading[role=status]');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.loading')).opacity === '1');
  await checkAccess(page, 'loading', report);
  await page.screenshot({ path: join(folder, 'loading.png') });
  await answer();
  await settled(page);
  await page.unroute('**/data/v1/recurring-payments*');
  await open(page, 'budgets');
}

/** An error of the server and a lost connection are shown, and the reader can try again. */
async function failures(page) {
  await page.route('**/data/v1/recurring-payments*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{"code":"UNAVAILABLE","message":"The database is not reachable.","requestId":"r-1"}}' }),
  );
  await page.click('nav a[href="#/recurring"]');
  const text = await page.textContent('.state.error');
  report.check(/The database is not reachable\./.test(text ?? '') && /r-1/.test(text ?? ''), `error: ${text}`);
  await checkAccess(page, 'error', report);
  await page.screenshot({ path: join(folder, 'error.png') });
  await page.unroute('**/data/v1/recurring-payments*');
  await page.click('.state.error button');
  await settled(page);
  await page.route('**/data/v1/recurring-payments*', (route) => route.fulfill({ json: { surprising: true } }));
  await open(page, 'budgets');
  await page.click('nav a[href="#/recurring"]');
  await page.waitForSelector('.state.error');
  await page.unroute('**/data/v1/recurring-payments*');
}

async function leaving(page) {
  await page.click('.session button');
  await page.waitForSelector('.sign-in');
  await checkAccess(page, 'sign-in', report);
  await page.screenshot({ path: join(folder, 'sign-in.png') });
  await page.goto(`${origin}/#/budgets`);
  await page.reload();
  await page.waitForSelector('.sign-in');
  await page.fill('#token', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`);
  await page.click('form button');
  await page.waitForSelector('[role=alert]:not([hidden])');
  await page.fill('#token', token);
  await page.click('form button');
  await settled(page);
  report.check((await page.title()).startsWith('Budgets'), `after the token: ${await page.title()}`);
}

async function secondUseOfCode() {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector('.sign-in [role=alert]:not([hidden])');
  report.check((await context.cookies()).length === 0, 'a used code gives a cookie');
  await context.close();
}

mkdirSync(folder, { recursive: true });
const context = await newContext();
await context.addInitScript(() => {
  addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  new MutationObserver((_, observer) => {
    if (document.querySelector('.view')) {
      globalThis.viewDrawnAt = performance.now();
      observer.disconnect();
    }
  }).observe(document, { childList: true, subtree: true });
});
const page = await context.newPage();
const expected = { active: false };
watch(page, origin, report, expected);
await firstView(page);
await everyView(page);
await ranges(page);
await transactions(page);
await keyboard(page);
await print(page);
// From here on the browser itself reports the error responses that this program provokes.
expected.active = true;
await loading(page);
await failures(page);
await leaving(page);
await secondUseOfCode();
await browser.close();
report.finish('journey');
