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
/** The places by their addresses, and the name of each in the pictures. */
const PLACES = {
  home: 'home', spending: 'spending', upcoming: 'upcoming', accounts: 'accounts', search: 'search',
  'category?categories=GROCERIES': 'category', 'merchant?merchantQuery=rewe': 'merchant',
};
/** The largest number of requests before the first figure. */
const REQUESTS_MAX = 10;
/** The largest sum of layout shifts while the page opens. */
const SHIFT_MAX = 0.02;

const report = new Report();
const browser = await launch();
const newContext = (options = {}) =>
  browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options });

/** Reads the payload of a route over REST, with the token. */
async function payload(path) {
  const response = await fetch(`${api}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return response.json();
}

/** The locale of the amounts on the page. */
let locale = 'en-GB';
const amount = ({ amount_cents: cents, currency }) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100);

/** Waits until a place is on the screen and no read is under way. */
async function settled(page) {
  // The page hears of a new address in a task of its own, after the browser has reported it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await page.waitForFunction(() => document.querySelector('.place') && !document.querySelector('.place > [aria-busy]'));
}

async function open(page, place) {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, `#/${place}`);
  await settled(page);
}

const headline = (page, part) => page.textContent(`#part-${part} .headline strong`);

async function firstView(page) {
  await page.goto(address);
  await settled(page);
  report.check(!page.url().includes('code'), 'the code is still in the address');
  const shown = await headline(page, 'worth');
  const history = await payload('portfolio/history?timeRange=1y&by=total');
  report.check(shown === amount(history.points.at(-1).total), `net worth: ${shown}`);
  await measure(page, ['first reload', 'second reload']);
}

/** Loads the page, and checks the number of requests before the first figure and that nothing moves. */
async function measure(page, rounds) {
  for (const round of rounds) {
    await page.reload();
    await settled(page);
    const measured = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource');
      const assets = entries.filter(({ name }) => name.includes('/assets/'));
      const data = entries.filter(({ name }) => name.includes('/data/'));
      const [navigation] = performance.getEntriesByType('navigation');
      return {
        drawn: globalThis.viewDrawnAt,
        bytes: assets.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, navigation.encodedBodySize),
        data: data.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        requests: 1 + entries.filter(({ startTime }) => startTime < globalThis.viewDrawnAt).length,
        shift: globalThis.layoutShift,
      };
    });
    const { drawn, bytes, data, requests, shift } = measured;
    console.log(`${round}: first figure after ${drawn.toFixed(0)} ms and ${requests} requests, ${bytes} + ${data} bytes, shift ${shift.toFixed(3)}`);
    report.check(requests <= REQUESTS_MAX, `${requests} requests before the first figure`);
    report.check(shift <= SHIFT_MAX, `layout shift of ${shift}`);
  }
}

/** The figures of home are those of REST. */
async function homeFigures(page) {
  await open(page, 'home');
  const month = await payload('spending/summary?period=this-month&compareTo=same-days-of-last-month');
  const text = await page.textContent('#part-month');
  for (const money of [month.totalExpense, month.comparison.totalExpense.change]) {
    report.check(text.replace(/[+−-]/g, '').includes(amount({ ...money, amount_cents: Math.abs(money.amount_cents) })), `home: the month lacks ${amount(money)}`);
  }
  const today = await payload('portfolio/history?period=this-month&interval=month&by=type');
  const worth = (await page.textContent('#part-worth')).replaceAll('−', '-');
  for (const money of [today.change.amount, ...today.series.map(({ points }) => points.at(-1).total)]) {
    report.check(worth.includes(amount(money)), `home: the net worth lacks ${amount(money)}`);
  }
  const next = await payload('recurring-payments?types=INCOME,EXPENSE&upcomingWithinDays=14');
  const due = await page.textContent('#part-next');
  for (const money of [next.occurrencesTotal, next.occurrencesIncome, ...next.occurrences.slice(0, 6).map((one) => one.amount)]) {
    report.check(due.includes(amount(money)), `home: the next days lack ${amount(money)}`);
  }
  // Every line leads to the place that explains it.
  const dead = await page.evaluate(() => [...document.querySelectorAll('.home li')].filter((row) => !row.querySelector('a') && !row.closest('.parts')).map((row) => row.textContent));
  report.check(dead.length === 0, `home: no link in ${dead}`);
}

/** A category, a merchant and an account show the total of their rows; the way back leads to the same line. */
async function details(page) {
  await open(page, 'spending');
  const link = page.locator('#part-categories a', { hasText: 'Groceries' });
  await page.setViewportSize({ width: 390, height: 500 });
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/category/);
  await settled(page);
  const total = await payload('spending/summary?period=this-month&categories=GROCERIES');
  const { transactions: rows } = await payload('transactions?period=this-month&categories=GROCERIES&types=EXPENSE&pageSize=200');
  report.check((await headline(page, 'rows')) === amount(total.totalExpense), `category: ${await headline(page, 'rows')}`);
  report.check((await page.locator('.transaction').count()) === rows.length, 'category: the rows are others');
  const sum = rows.reduce((cents, row) => cents + (row.converted ?? row).amount_cents, 0);
  report.check(sum === total.totalExpense.amount_cents, `category: the rows are ${sum} together`);
  await page.goBack();
  await settled(page);
  const back = await page.evaluate(() => ({ top: scrollY, text: document.activeElement?.textContent }));
  report.check(back.text === 'Groceries' && Math.abs(back.top - top) < 2, `the way back leads to ${JSON.stringify(back)}, not to ${top}`);
  await page.setViewportSize({ width: 1280, height: 900 });

  await open(page, 'accounts');
  await page.click('#part-portfolio a:has-text("Girokonto")');
  await page.waitForURL(/account\?/);
  await settled(page);
  report.check((await page.textContent('h1')) === 'Girokonto', `account: ${await page.textContent('h1')}`);
  const { items } = await payload('portfolio');
  const account = items.flatMap(({ accounts }) => accounts).find(({ name }) => name === 'Girokonto');
  report.check((await headline(page, 'balance')) === amount({ amount_cents: account.balance_cents, currency: account.currency }), `account: ${await headline(page, 'balance')}`);
  await checkAccess(page, 'account', report);

  for (const [moved, now] of [['net-worth', 'accounts'], ['cashflow?timeRange=1y', 'spending?timeRange=1y'], ['recurring', 'upcoming'], ['banks', 'accounts'], ['budgets?month=10&year=2026', 'spending?dateFrom=2026-10-01&dateTo=2026-10-31'], ['transactions?merchantQuery=rewe', 'search?merchantQuery=rewe']]) {
    await open(page, moved);
    report.check(page.url() === `${origin}/#/${now}`, `${moved} leads to ${page.url()}`);
  }
}

async function everyView(page) {
  for (const [place, view] of Object.entries(PLACES)) {
    await open(page, place);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) {
        details.open = true;
      }
    });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `${view}, ${colorScheme}`, report);
    }
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) {
        details.open = false;
      }
    });
    for (const [width, ...schemes] of [[1280, 'light', 'dark'], [390, 'light', 'dark'], [820, 'light', 'dark'], [1440, 'light', 'dark'], [320, 'light'], [2000, 'light']]) {
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        report.check(scrolled <= width, `${view}: ${scrolled} pixels wide on a screen of ${width}`);
        // The documents show the first screen of 1280 pixels.
        const [name, fullPage] = width === 1280 ? [colorScheme, false] : [`${colorScheme}-${width}`, width < 2000];
        await page.screenshot({ path: join(folder, `${view}-${name}.png`), fullPage });
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

async function ranges(page) {
  await open(page, 'spending');
  const before = await headline(page, 'categories');
  await page.setViewportSize({ width: 320, height: 500 });
  const scroll = await page.evaluate(() => {
    scrollTo(0, 40);
    return scrollY;
  });
  await page.focus('#period');
  await page.selectOption('#period', 'last-month');
  await page.waitForURL(/period=last-month/);
  await settled(page);
  const after = await headline(page, 'categories');
  const { totalExpense } = await payload('spending/categories?period=last-month');
  report.check(after === amount(totalExpense) && after !== before, `spending of a month: ${after}`);
  report.check(await page.evaluate(() => document.activeElement?.id === 'period'), 'the period lost the focus');
  // A change of the period leaves the page where the reader has scrolled it, and stays with the next place.
  const now = await page.evaluate(() => scrollY);
  report.check(scroll > 0 && now === scroll, `the page scrolls from ${scroll} to ${now}`);
  const accounts = await page.getAttribute('nav a:has-text("Accounts")', 'href');
  report.check(accounts === '#/accounts?period=last-month', `the accounts are at ${accounts}`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goBack();
  await settled(page);
  report.check((await headline(page, 'categories')) === before, 'the way back shows the period before');
  // A bar leads to its month.
  await page.focus('#part-months [role=slider]');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(/dateFrom=\d{4}-\d\d-01/);
  await settled(page);
  const days = new URLSearchParams(page.url().split('?')[1]);
  const month = await payload(`spending/categories?${days}`);
  report.check((await headline(page, 'categories')) === amount(month.totalExpense), `bar: ${await headline(page, 'categories')}`);
}

async function transactions(page) {
  await open(page, 'search');
  const rows = page.locator('.transaction');
  while ((await rows.count()) < 200) {
    const count = await rows.count();
    await page.click('#show-more');
    await page.waitForFunction((known) => document.querySelectorAll('.transaction').length > known, count);
  }
  const shown = await rows.evaluateAll((list) => list.map((row) => row.querySelector('bdi').textContent));
  const { transactions: all } = await payload('transactions?pageSize=200');
  const differs = all.findIndex((one, index) => shown[index] !== (one.merchant_name ?? one.title));
  report.check(differs === -1, `transaction ${differs}: ${shown[differs]}`);

  // The search applies while the reader writes, and keeps the focus.
  await page.focus('#filter-search');
  await page.keyboard.type('rewe', { delay: 20 });
  await page.waitForURL(/merchantQuery=rewe/);
  await settled(page);
  report.check(await page.evaluate(() => document.activeElement?.id === 'filter-search'), 'the search lost the focus');
  const found = await rows.allTextContents();
  report.check(found.length > 0 && found.every((text) => /rewe/i.test(text)), 'the search finds other texts');
  await page.click('#filters summary');
  await page.fill('#filter-minAmountCents', '20,50');
  await page.press('#filter-minAmountCents', 'Enter');
  await page.waitForURL(/minAmountCents=2050/);
  await settled(page);
  report.check((await page.inputValue('#filter-minAmountCents')) === '20.50', 'the form forgets its amount');
  await page.click('.chip');
  await page.waitForURL((url) => !url.href.includes('minAmountCents'));
  await page.fill('#filter-search', 'no such merchant');
  await page.waitForSelector('.state');
  // A range that no day fits says so, and the form stays.
  expected.active = true;
  await open(page, 'search?dateFrom=2026-05-02&dateTo=2026-05-01');
  await page.waitForSelector('#part-rows .state.error');
  report.check((await page.locator('#filter-search').count()) === 1, 'the form is gone');
}

/** Uses every view by keyboard alone: each control can be reached, and every chart can be read. */
async function keyboard(page) {
  for (const [place, view] of Object.entries(PLACES)) {
    await open(page, place);
    await page.focus('.menu summary');
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

/** A printed page has the tables and no buttons. A month has two pages on the paper of every country. */
async function print(page) {
  for (const place of ['spending', 'spending?period=last-month']) {
    await open(page, place);
    for (const format of ['A4', 'Letter']) {
      const paper = await page.pdf({ path: join(folder, `spending-${format}.pdf`), format, printBackground: true });
      const count = paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
      report.check(count === 2, `print: ${place} has ${count} pages on ${format}`);
    }
  }
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const shown = await page.evaluate(() => ({
    rows: document.querySelectorAll('main details tbody tr').length,
    height: document.querySelector('main details table')?.getBoundingClientRect().height ?? 0,
    buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).length,
    ink: getComputedStyle(document.querySelector('h2')).color,
  }));
  report.check(shown.rows > 0 && shown.height > 50 && shown.buttons === 0, `print: ${JSON.stringify(shown)}`);
  report.check(/^rgb\((\d|[1-5]\d), /.test(shown.ink), `print: light text, ${shown.ink}`);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

/** The browser can install the page: the manifest has no error, and its icons are there. */
async function installation(page) {
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  const { start_url: start, icons } = JSON.parse(data);
  report.check(errors.length === 0 && new URL(start, url).href === `${origin}/`, `manifest: ${start}, ${JSON.stringify(errors)}`);
  for (const { src, type, sizes } of icons) {
    const [status, width] = await page.evaluate(async (address) => {
      const response = await fetch(address);
      const image = new Image();
      image.src = address;
      await image.decode();
      return [`${response.status} ${response.headers.get('content-type')}`, image.naturalWidth];
    }, new URL(src, url).href);
    report.check(status === `200 ${type}` && (sizes === 'any' || sizes === `${width}x${width}`), `icon: ${src} is ${status}, ${width}`);
  }
  report.check((await page.locator('meta[name=theme-color]').count()) === 2, 'there is no colour for each theme');
}

/** Months are whole, and the parts of a total are all of it. A node of the flow has its amount, and leads to its category. */
async function wholes(page) {
  await open(page, 'spending');
  const bars = page.locator('#part-months rect.bar');
  report.check((await bars.count()) === 24 && (await page.locator('#part-months .bar.part').count()) === 0, 'the months are not twelve whole ones');
  const cents = (text) => Number(text.replace(/\D/g, ''));
  const parts = await page.locator('#part-categories .bars .number').evaluateAll((list) => list.map((one) => one.firstChild.textContent));
  const sum = parts.reduce((total, text) => total + cents(text), 0);
  report.check(sum === cents(await headline(page, 'categories')), `the categories are ${sum} together`);
  report.check(/Other \(\d+\)/.test(await page.textContent('#part-categories .bars')), 'the other categories have no row');
  const labels = await page.locator('#part-flow .label.name').allTextContents();
  report.check(labels.length > 0 && labels.every((text) => /\d\.\d\d$/.test(text)), `flow: labels without an amount: ${labels}`);
  await page.focus('#part-flow [role=slider]');
  await page.keyboard.press('End');
  const [, value] = /(\S+)$/.exec(await page.getAttribute('#part-flow [role=slider]', 'aria-valuetext'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/category/);
  await settled(page);
  report.check((await headline(page, 'rows')) === value, `flow: ${value} leads to ${await headline(page, 'rows')}`);
}

/** On a phone of a German reader: what a person asks is on the first screen, nothing overlaps or breaks, targets fit a finger,
 * and the values of a chart stay after a touch. */
async function phone(signedIn) {
  const small = await newContext({ locale: 'de-DE', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, storageState: await signedIn.storageState() });
  await watchDrawing(small);
  const page = await small.newPage();
  await page.goto(`${origin}/#/home`);
  await settled(page);
  const shift = await page.evaluate(() => globalThis.layoutShift);
  report.check(shift <= SHIFT_MAX, `phone: layout shift of ${shift}`);
  const bar = (await page.locator('nav').boundingBox()).y;
  const firsts = {
    // Where a person stands, what changed, what needs attention, this month, and what comes next.
    home: ['#part-worth .headline strong', '#part-worth .headline strong + span', '#part-attention li', '#part-month .headline strong + span', '#part-next li'],
    search: ['.transaction'], upcoming: ['.month-grid td'], spending: ['#part-categories li'], accounts: ['#part-worth .headline'],
  };
  for (const [place, selectors] of Object.entries(firsts)) {
    await open(page, place);
    for (const first of selectors) {
      const { y, height } = (await page.locator(first).first().boundingBox()) ?? { y: 0, height: Infinity };
      report.check(y >= 0 && y + height <= bar, `phone: ${first} of ${place} ends at ${y + height} of ${bar}`);
    }
  }
  for (const [place, view] of Object.entries(PLACES)) {
    await open(page, place);
    for (const problem of await page.evaluate(crowded)) {
      report.check(false, `phone, ${view}: ${problem}`);
    }
  }
  await open(page, 'spending');
  const slider = page.locator('#part-months [role=slider]');
  await slider.scrollIntoViewIfNeeded();
  await slider.tap();
  await page.waitForTimeout(200);
  report.check(await page.locator('#part-months .values').isVisible(), 'phone: the values go after a touch');
  await small.close();
}

/** Returns what has no room in the page: parts of a row that overlap, numbers in two lines, and targets too small for a finger. */
function crowded() {
  const box = (element) => element.getBoundingClientRect();
  const isApart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.slider, .unseen'));
  const overlaps = shown('main li').flatMap((row) => {
    const parts = [...row.children].filter((part) => box(part).width > 0).map(box);
    return parts.some((one, index) => parts.slice(index + 1).some((other) => !isApart(one, other))) ? [`overlap in ${row.textContent}`] : [];
  });
  const broken = shown('main :is(.number, .amount, .headline strong)').filter((number) => {
    const range = document.createRange();
    range.selectNodeContents(number.firstChild);
    const ends = [...range.getClientRects()].map(({ bottom }) => bottom);
    return Math.max(...ends) - Math.min(...ends) > 12;
  });
  const target = (minimum) => (one) => box(one).height > 0 && box(one).height < minimum - 0.5;
  const targets = [
    ...shown('main :is(a, button, select, summary, input)').filter(target(24)),
    ...shown(':is(nav a, .find, .menu summary, .brand, .up a, .place-head .period)').filter(target(44)),
  ];
  return [
    ...overlaps,
    ...broken.map((number) => `broken number ${number.textContent}`),
    ...targets.map((one) => `${one.tagName} ${one.textContent.slice(0, 30)} is ${box(one).height} high`),
  ];
}

/** A part that waits for its data has a place, and says so to a screen reader. */
async function loading(page) {
  const waiting = [];
  await page.route('**/data/v1/recurring-payments*', (route) => {
    waiting.push(route);
  });
  await page.click('nav a[href="#/upcoming"]');
  await page.waitForSelector('.skeleton');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.skeleton')).opacity === '1');
  await checkAccess(page, 'loading', report);
  await page.screenshot({ path: join(folder, 'loading.png') });
  await Promise.all(waiting.map((route) => route.continue()));
  await settled(page);
  await page.unroute('**/data/v1/recurring-payments*');
  await open(page, 'home');
}

/** A part that cannot be read says so in its own place, and the reader can try again. */
async function failures(page) {
  await page.route('**/data/v1/portfolio', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{"code":"UNAVAILABLE","message":"The database is not reachable.","requestId":"r-1"}}' }),
  );
  await page.click('nav a[href^="#/accounts"]');
  const text = await page.textContent('.state.error');
  await settled(page);
  report.check(/The server cannot answer now\./.test(text ?? '') && /r-1/.test(text ?? ''), `error: ${text}`);
  report.check((await page.locator('#part-worth .chart').count()) === 1, 'an error hides the other parts');
  await checkAccess(page, 'error', report);
  await page.screenshot({ path: join(folder, 'error.png') });
  await page.unroute('**/data/v1/portfolio');
  // An optional payload that is missing is named.
  await page.route('**/data/v1/banks/status', (route) => route.abort());
  await open(page, 'home');
  report.check(/could not be loaded/.test((await page.textContent('#part-attention')) ?? ''), 'a missing part is not named');
  await page.unroute('**/data/v1/banks/status');
  await open(page, 'accounts');
  await page.route('**/data/v1/recurring-payments*', (route) => route.fulfill({ json: { surprising: true } }));
  await page.click('nav a[href="#/upcoming"]');
  await page.waitForSelector('.state.error');
  await page.unroute('**/data/v1/recurring-payments*');
  await page.click('.state.error button');
  await page.waitForSelector('.month-grid, .calendar');
}

async function leaving(page) {
  const other = await page.context().newPage();
  await other.goto(`${origin}/#/home`);
  await settled(other);
  await page.click('.menu summary');
  await checkAccess(page, 'account menu', report);
  await page.click('.menu button');
  await page.waitForSelector('.sign-in');
  // The other tabs show no figures any more.
  await other.waitForSelector('.sign-in');
  await other.close();
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
  report.check((await page.title()).startsWith('Spending'), `after the token: ${await page.title()}`);
}

/** A used link leaves the session as it is. A code of an error that is none has words of the page. */
async function links(page) {
  await page.goto(address);
  await page.reload();
  await settled(page);
  report.check((await page.locator('.sign-in').count()) === 0, 'a used link ends the session');
  await page.goto('about:blank');
  await page.goto(`${origin}/#error=constructor`);
  const words = await page.textContent('.sign-in [role=alert]');
  report.check(/identity provider/.test(words) && !/native code/.test(words), `error: ${words}`);
}

/** Notes in each page of a context when its first figure is drawn, what moves, and what the policy refuses. */
async function watchDrawing(context) {
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    new MutationObserver((_, observer) => {
      if (document.querySelector('.headline')) {
        globalThis.viewDrawnAt = performance.now();
        observer.disconnect();
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await context.addInitScript(() => {
    globalThis.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) {
        globalThis.layoutShift += hadRecentInput ? 0 : value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The page speaks the first language of the browser that it has, or the one that its address names. */
async function languages() {
  const context = await newContext({ locale: 'de-DE' });
  await watchDrawing(context);
  const page = await context.newPage();
  watch(page, origin, report, { active: true });
  await page.goto(`${origin}/#/home`);
  await page.waitForSelector('.sign-in');
  report.check((await page.textContent('.sign-in form button')) === 'Dieses Token verwenden', 'the sign-in is not in German');
  await checkAccess(page, 'sign-in, German', report);
  await page.fill('#token', token);
  await page.click('form button');
  await settled(page);
  locale = 'de-DE';
  await homeFigures(page);
  await measure(page, ['German']);
  report.check((await page.textContent('nav')) === 'ÜbersichtAusgabenAnstehendKonten', `German: ${await page.textContent('nav')}`);
  for (const [place, view] of Object.entries(PLACES)) {
    await open(page, place);
    report.check((await page.getAttribute('html', 'lang')) === 'de', `${view}: not in German`);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
      report.check(scrolled <= width, `${view}, German: ${scrolled} pixels wide on a screen of ${width}`);
      await page.screenshot({ path: join(folder, `${view}-german-${width}.png`), fullPage: true });
    }
    await checkAccess(page, `${view}, German`, report);
  }
  await page.route('**/data/v1/banks/status', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{"code":"UNAVAILABLE","message":"no words"}}' }),
  );
  await open(page, 'accounts');
  report.check(/gerade nicht antworten/.test((await page.textContent('.state.error')) ?? ''), 'an error is not in German');
  // The account menu changes the language, which stays in the address, with a reload and at the next place.
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [language, tab] of [['en', 'Accounts'], ['de', 'Konten']]) {
    await page.click('.menu summary');
    await page.selectOption('#language', language);
    await page.waitForSelector(`html[lang=${language}] .place`);
    await settled(page);
    await page.reload();
    await page.click(`nav a:has-text("${tab}")`);
    await settled(page);
    report.check(page.url().includes(`/#/accounts?language=${language}`), `${language}: ${page.url()}`);
    report.check((await page.title()).startsWith(tab), `${language}: ${await page.title()}`);
  }
  locale = 'en-GB';
  // Each language fits a narrow screen; a locale without texts of its own is in English.
  for (const [language, spending] of Object.entries({ es: 'Gastos', fr: 'Dépenses', 'pt-BR': 'Gastos', 'pt-PT': 'Despesas', xx: 'Ausgaben' })) {
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(`${origin}/?${language}#/spending?language=${language}`);
    await settled(page);
    const shown = await page.evaluate(() => ({ title: document.title, width: document.documentElement.scrollWidth }));
    report.check(shown.title.startsWith(spending) && shown.width <= 320, `${language}: ${JSON.stringify(shown)}`);
    await page.screenshot({ path: join(folder, `spending-${language}-320.png`), fullPage: true });
    await checkAccess(page, `spending, ${language}`, report);
  }
  await context.close();
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
await watchDrawing(context);
const page = await context.newPage();
const expected = { active: false };
watch(page, origin, report, expected);
const { items } = await payload('portfolio');
PLACES[`account?accountIds=${items[0].accounts[0].id}`] = 'account';
await firstView(page);
await homeFigures(page);
await details(page);
await everyView(page);
await ranges(page);
await transactions(page);
await keyboard(page);
await print(page);
await installation(page);
await wholes(page);
await phone(context);
// From here on the browser itself reports the error responses that this program provokes.
expected.active = true;
await loading(page);
await failures(page);
await leaving(page);
await links(page);
await secondUseOfCode();
await languages();
await browser.close();
report.finish('journey');
