// Draws the states of the views without usual data: empty, incomplete, and amounts without an exchange rate. Checks what
// each says, that it fits a narrow screen, and its accessibility. The states "loading" and "error" are those of the page:
// journey.mjs checks them.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Report, checkAccess, launch, watch } from './browser.mjs';
import { serveFiles } from './files.mjs';

const folder = process.env.SCREENSHOTS ?? 'screenshots';
const report = new Report();

const euro = (cents) => ({ amount_cents: cents, currency: 'EUR' });
const range = { dateFrom: '2025-01-10', dateTo: '2025-03-20' };
const unconverted = [
  { type: 'EXPENSE', currency: 'USD', amount_cents: 123456, transactionCount: 2 },
  { type: 'INCOME', currency: 'USD', amount_cents: 789, transactionCount: 1 },
];
const WITHOUT_RATE = /expense US\$1,234\.56 \(2 transactions\), income US\$7\.89 \(1 transaction\)/;

/** The payloads of somebody without any data, by view. */
const EMPTY = {
  net_worth: { history: { ...range, interval: 'week', points: [] }, portfolio: emptyPortfolio() },
  portfolio: { portfolio: emptyPortfolio() },
  cashflow: { cashflow: { ...range, incomeTotal: euro(0), expenseTotal: euro(0), net: euro(0), incomeCategories: [], periods: [] }, budgets: [] },
  spending: {
    spending: { ...range, totalExpense: euro(0), categories: [], uncategorizedTotal: euro(0) },
    merchants: { ...range, totalExpense: euro(0), merchants: [] },
  },
  merchants: { merchants: { ...range, totalExpense: euro(0), merchants: [] } },
  recurring: { recurring: { asOf: '2025-03-20', monthlyTotal: euro(0), recurringPayments: [] } },
  budgets: { budgets: [], preferences: { today: '2025-03-20' } },
  transactions: { transactions: { transactions: [], pagination: { hasMore: false } } },
  banks: { banks: { needsAttention: 0, banks: [] } },
};

function emptyPortfolio() {
  return { total: euro(0), items: [], wallets: [], paper_accounts: [], securitiesByItem: {} };
}

/** Payloads whose totals leave out amounts without an exchange rate, by view. */
function withoutRate() {
  const category = { category: 'RENT', group: 'HOUSING', total: euro(5000), percentOfTotal: 100, transactionCount: 1 };
  const cashflow = { ...range, incomeTotal: euro(9000), expenseTotal: euro(5000), net: euro(4000), periods: [], unconverted };
  return {
    cashflow: { cashflow },
    spending: { spending: { ...range, totalExpense: euro(5000), categories: [category], uncategorizedTotal: euro(0), unconverted } },
    merchants: { merchants: { ...range, totalExpense: euro(0), merchants: [], unconverted } },
    recurring: { recurring: { asOf: '2025-03-20', monthlyTotal: euro(0), recurringPayments: [], unconverted } },
    budgets: { budgets: [{ category: 'RENT', total: euro(5000), currency: 'EUR', target: euro(6000), unconverted }], preferences: { today: '2025-03-20' } },
    portfolio: { portfolio: { ...emptyPortfolio(), unconverted } },
  };
}

/** Draws a view in the page. */
async function draw(page, view, payloads) {
  await page.evaluate(
    async ([name, values]) => {
      const module = await import(`/modules/view_${name}.js`);
      const definition = Object.values(module).find((one) => one.draw !== undefined);
      const main = document.createElement('main');
      const heading = document.createElement('h1');
      heading.className = 'unseen';
      heading.textContent = name;
      main.append(heading, definition.draw(values, {}, { change: () => {}, address: (other) => `#/${other}` }));
      document.body.replaceChildren(main);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    },
    [view, payloads],
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  report.check(!wide, `${view}: the page is wider than the screen`);
}

async function empty(page) {
  for (const [view, payloads] of Object.entries(EMPTY)) {
    await draw(page, view, payloads);
    const texts = await page.locator('p.state').allTextContents();
    report.check(texts.length > 0 && texts.every((text) => /^[A-Z].+\.$/.test(text)), `${view}, empty: ${texts}`);
    report.check((await page.locator('.chart, .bars, table').count()) === 0, `${view}, empty: there is a picture`);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `${view}, empty, ${colorScheme}`, report);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.screenshot({ path: join(folder, `empty-${view}.png`), fullPage: true });
  }
}

async function unconvertedAmounts(page) {
  for (const [view, payloads] of Object.entries(withoutRate())) {
    await draw(page, view, payloads);
    const notes = await page.locator('.note.warning').allTextContents();
    report.check(notes.some((text) => WITHOUT_RATE.test(text)), `${view}, unconverted: ${notes}`);
    await checkAccess(page, `${view}, unconverted`, report);
  }
}

/** A line is dashed from and to each point whose total is incomplete, and a note says why. */
async function incompleteHistory(page) {
  const day = (index) => `2025-01-${String(index + 1).padStart(2, '0')}`;
  const points = Array.from({ length: 20 }, (_, index) => ({
    date: day(index),
    total: euro(900_000 + index * 1000),
    ...(index < 3 && { partial: true }),
    ...([9, 11].includes(index) && { unconverted: [{ currency: 'USD', amount_cents: 5000 }] }),
  }));
  const history = { dateFrom: day(0), dateTo: day(19), interval: 'day', completeFrom: day(3), points };
  await draw(page, 'net_worth', { history });
  const lines = await page.locator('path.line').evaluateAll((list) => list.map((path) => path.classList.contains('dashed')));
  report.check(lines.join() === 'true,false,true,false', `incomplete: the line is dashed in ${lines}`);
  const [partial, withoutRates] = await page.locator('.note.warning').allTextContents();
  report.check(partial?.includes('Before 4 Jan 2025'), `incomplete: ${partial}`);
  report.check(/10 Jan 2025 and 12 Jan 2025 .* USD/.test(withoutRates ?? ''), `incomplete: ${withoutRates}`);
  await page.focus('[role=slider]');
  for (const [key, isIncomplete] of [['Home', true], ['End', false]]) {
    await page.keyboard.press(key);
    const text = await page.getAttribute('[role=slider]', 'aria-valuetext');
    report.check(text?.includes('(incomplete)') === isIncomplete, `incomplete: ${text}`);
  }
  await page.click('summary');
  await page.waitForSelector('details td');
  const cells = await page.locator('details td').allTextContents();
  const marked = cells.filter((text) => text.includes('(incomplete)')).length;
  report.check(marked === 5, `incomplete: ${marked} cells of the table are marked`);
  await checkAccess(page, 'incomplete', report);
  await page.screenshot({ path: join(folder, 'incomplete-net_worth.png'), fullPage: true });
}

/** The bars of a month of which the range has only a part are paler, and a note names the month. */
async function partsOfMonths(page) {
  const month = (period, dateFrom, dateTo) => ({ period, dateFrom, dateTo, incomeTotal: euro(3000), expenseTotal: euro(2000), net: euro(1000) });
  const periods = [month('2025-01', '2025-01-10', '2025-01-31'), month('2025-02', '2025-02-01', '2025-02-28'), month('2025-03', '2025-03-01', '2025-03-20')];
  const totals = { incomeTotal: euro(9000), expenseTotal: euro(6000), net: euro(3000) };
  for (const [dates, paler, names] of [
    [range, 4, 'January 2025, March 2025'],
    [{ dateFrom: '2025-01-01', dateTo: '2025-03-20' }, 2, 'March 2025'],
    [{ dateFrom: '2025-01-01', dateTo: '2025-03-31' }, 0, undefined],
  ]) {
    await draw(page, 'cashflow', { cashflow: { ...dates, ...totals, periods } });
    const count = await page.locator('rect.bar.part').count();
    report.check(count === paler, `parts of months: ${count} bars are paler`);
    const notes = await page.locator('.note').allTextContents();
    report.check(notes.some((text) => text.includes('Only a part')) === (names !== undefined), `parts of months: ${notes}`);
    report.check(names === undefined || notes.some((text) => text.endsWith(`: ${names}.`)), `parts of months: ${notes}`);
  }
}

mkdirSync(folder, { recursive: true });
const { origin, stop } = await serveFiles();
const browser = await launch();
for (const width of [320, 1280]) {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width, height: 700 }, colorScheme: 'light' });
  watch(page, origin, report);
  await page.goto(origin);
  await empty(page);
  await unconvertedAmounts(page);
  await incompleteHistory(page);
  await partsOfMonths(page);
  await page.close();
}
await browser.close();
stop();
report.finish('states');
