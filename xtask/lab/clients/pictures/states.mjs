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
const WITHOUT_RATE = /expense US\$1,234\.56 \(2 transactions\) and income US\$7\.89 \(1 transaction\)/;

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
  budgets: { budgets: { budgets: [], year: 2025, month: 3 } },
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
    budgets: { budgets: { budgets: [{ category: 'RENT', total: euro(5000), currency: 'EUR', target: euro(6000), unconverted }], year: 2025, month: 3 } },
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

/** Home of somebody without any data names the first steps, and has no part that says nothing. */
async function emptyHome(page) {
  const days = [{ period: range.dateTo, dateFrom: range.dateTo, dateTo: range.dateTo, totalExpense: euro(0) }];
  const nothing = { ...range, totalExpense: euro(0), transactionCount: 0, periods: days };
  const payloads = {
    worth: { today: { ...range, interval: 'month', points: [{ date: range.dateTo, total: euro(0) }], series: [] } },
    attention: { banks: { banks: [] }, budgets: [], recurring: { asOf: range.dateTo, recurringPayments: [] } },
    month: { spending: nothing, before: nothing, cashflow: { incomeTotal: euro(0) }, budgets: [] },
    next: { recurring: { asOf: range.dateTo, recurringPayments: [], occurrences: [], occurrenceCount: 0 } },
    moved: { spending: { ...nothing, categories: [] } },
    latest: { transactions: EMPTY.transactions.transactions },
  };
  const shown = await page.evaluate(async (values) => {
    const { homePlace } = await import('/modules/place_home.js');
    const parts = homePlace.parts({}, { address: (name) => `#/${name}` }).map((part) => [part.name, part.draw(values[part.name])]);
    const main = document.createElement('main');
    main.append(document.createElement('h1'), ...parts.flatMap(([, drawn]) => (drawn ? [drawn] : [])));
    main.firstChild.textContent = 'Home';
    document.body.replaceChildren(main);
    return parts.filter(([, drawn]) => drawn).map(([name]) => name);
  }, payloads);
  report.check(shown.join() === 'worth,month,next,latest', `empty home: ${shown}`);
  const hasLine = await page.evaluate(async (values) => {
    const { accountsPlace } = await import('/modules/places.js');
    return accountsPlace.parts({}, {})[0].draw(values) !== undefined;
  }, { history: payloads.worth.today, portfolio: emptyPortfolio() });
  report.check(!hasLine, 'empty accounts: there is a line of zeros');
  report.check((await page.locator('.steps code').count()) === 2, 'empty home: no first steps');
  report.check((await page.locator('.chart').count()) === 0, 'empty home: there is a picture');
  await checkAccess(page, 'empty home', report);
  await page.screenshot({ path: join(folder, 'empty-home.png'), fullPage: true });
}

async function unconvertedAmounts(page) {
  for (const [view, payloads] of Object.entries(withoutRate())) {
    await draw(page, view, payloads);
    const notes = await page.locator('.note.warning').allTextContents();
    report.check(notes.some((text) => WITHOUT_RATE.test(text)), `${view}, unconverted: ${notes}`);
    await checkAccess(page, `${view}, unconverted`, report);
  }
  const { unconverted: missing, ...spending } = withoutRate().spending.spending;
  const totalExpense = { total: euro(0), change: euro(5000) };
  const comparison = { dateFrom: '2025-02-01', dateTo: '2025-02-20', totalExpense, unconverted: missing };
  await draw(page, 'spending', { spending: { ...spending, comparison } });
  const shown = await page.locator('.headline').allTextContents();
  report.check(shown.some((text) => WITHOUT_RATE.test(text)), `earlier days, unconverted: ${shown}`);
}

/** A line is dashed from and to each point whose total is incomplete, has a gap where it would dip, and a note says why. */
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
  report.check(lines.join() === 'true,false,false', `incomplete: the line is dashed in ${lines}`);
  const [partial, withoutRates] = await page.locator('.note.warning').allTextContents();
  report.check(partial?.includes('Before 4 Jan 2025'), `incomplete: ${partial}`);
  report.check(/10 Jan 2025 and 12 Jan 2025,.* USD\. The line has a gap/.test(withoutRates ?? ''), `incomplete: ${withoutRates}`);
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
    [range, 4, 'January 2025 and March 2025'],
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

/** The budgets beside a spending are those of the same month, also if the months of a person begin on payday. */
async function budgetsOfMonths(page) {
  const days = (dateFrom, dateTo) => ({ dateFrom, dateTo, totalExpense: euro(0), categories: [] });
  for (const [start, dates, period, asked, name] of [
    ['1', days('2025-02-01', '2025-02-28'), 'last-month', { year: 2025, month: 2 }, 'February 2025'],
    ['25', days('2025-01-25', '2025-02-24'), 'last-month', { year: 2025, month: 2 }, 'February 2025'],
    ['10', days('2025-01-10', '2025-02-09'), undefined, { year: 2025, month: 1 }, 'January 2025'],
    ['16', days('2025-02-16', '2025-03-15'), 'last-month', { year: 2025, month: 2 }, 'February 2025'],
    ['17', days('2025-02-17', '2025-03-16'), undefined, { year: 2025, month: 3 }, 'March 2025'],
    ['last-working-day', days('2025-01-31', '2025-02-27'), undefined, { year: 2025, month: 2 }, 'February 2025'],
    ['25', days('2025-02-01', '2025-02-28'), undefined, {}, 'This month'],
    ['1', days('2025-01-01', '2025-12-31'), undefined, {}, 'March 2025'],
    ['1', days('2025-03-01', '2025-03-20'), 'this-month', {}, 'March 2025'],
  ]) {
    const [parameters, text, address] = await page.evaluate(
      async ([spending, shown, month_start]) => {
        const { spendingPlace } = await import('/modules/places.js');
        const { dateFrom, dateTo } = spending;
        const place = spendingPlace.parts(shown ? { period: shown } : { dateFrom, dateTo }, { address: (_, values) => JSON.stringify(values) });
        const part = place.find(({ name }) => name === 'budgets');
        const payloads = { spending, preferences: { month_start, today: '2025-03-20' } };
        const target = { amount_cents: 5, currency: 'EUR' };
        const drawn = part.draw({ ...payloads, budgets: [{ category: 'RENT', total: target, currency: 'EUR', target }] });
        return [part.next(payloads).budgets.parameters, drawn.querySelector('figcaption').textContent, drawn.querySelector('a').getAttribute('href')];
      },
      [dates, period, start],
    );
    const range = asked.year ? dates.dateFrom : name === 'This month' ? '"this-month"' : '2025-03-01';
    report.check(JSON.stringify(parameters) === JSON.stringify(asked), `budgets, ${start}: ${JSON.stringify(parameters)}`);
    report.check(text.includes(name) && address.includes(range), `budgets, ${start}: ${text}, ${address}`);
  }
}

/** Own categories, tags and notes stand in rows, and the spending is grouped by them if the address says so. */
async function ownWords(page) {
  const label = (name) => ({ id: `id ${name}`, name });
  const one = { id: '1', type: 'EXPENSE', category: 'COFFEE', amount_cents: 420, currency: 'EUR', date: '2025-03-01', title: 'Café', pending: false };
  const rows = [{ ...one, ownCategory: label('قهوة'), tags: [label('work'), label('<b>trip</b>')], note: 'with "Grace"' }, one];
  await draw(page, 'transactions', { transactions: { transactions: rows, pagination: { hasMore: false } } });
  const details = await page.locator('.transaction small').allTextContents();
  report.check(details.join() === 'قهوة · #work · #<b>trip</b> · with "Grace",Coffee', `own words: ${details}`);
  report.check((await page.locator('.transaction small bdi').count()) === 4, 'own words: a word is not apart from the text around it');
  await checkAccess(page, 'own words', report);

  const group = (name, cents) => ({ ...(name && label(name)), total: euro(cents), percentOfTotal: cents / 100, transactionCount: 1 });
  const category = { category: 'RENT', group: 'HOUSING', total: euro(10_000), percentOfTotal: 100, transactionCount: 2 };
  const spending = { ...range, totalExpense: euro(10_000), categories: [category], uncategorizedTotal: euro(0), groups: [group('Household', 7_000), group(undefined, 3_000)] };
  const tags = { ...spending, groups: [group('work', 6_000), group('trip', 5_000)], groupsOverlap: euro(1_000) };
  const none = { ...spending, groups: [group(undefined, 10_000)] };
  for (const [groupBy, payloads, bars, choices] of [
    [undefined, { spending, tags }, ['Rent €100.00 100%'], 3],
    [undefined, { spending: none, tags: none }, ['Rent €100.00 100%'], 0],
    [undefined, { spending: none, tags }, ['Rent €100.00 100%'], 2],
    ['ownCategory', { spending, tags }, ['Household €70.00 70%', 'Without own category €30.00 30%'], 3],
    ['ownCategory', { spending: none, tags: none }, ['Without own category €100.00 100%'], 2],
    ['tag', { spending, tags }, ['work €60.00 60%', 'trip €50.00 50%'], 3],
    ['other', { spending, tags }, ['Rent €100.00 100%'], 3],
  ]) {
    const shown = await page.evaluate(async ([parameters, values]) => {
      const { spendingPlace } = await import('/modules/places.js');
      const address = (name, others) => `#/${name}?${new URLSearchParams(others)}`;
      const [part] = spendingPlace.parts(parameters, { address, change: () => {} });
      const main = document.createElement('main');
      main.append(document.createElement('h1'), part.draw(values));
      main.firstChild.textContent = 'Spending';
      document.body.replaceChildren(main);
      return {
        bars: [...main.querySelectorAll('.bars .line')].map((line) => [...line.children].map((part) => part.textContent).join(' ')),
        links: [...main.querySelectorAll('.bars a')].map((link) => link.getAttribute('href')),
        choices: main.querySelectorAll('#grouping option').length,
        overlap: main.textContent.includes('€10.00 more than the total'),
      };
    }, [{ ...(groupBy && { groupBy }) }, payloads]);
    report.check(shown.bars.join() === bars.join() && shown.choices === choices, `grouped by ${groupBy}: ${JSON.stringify(shown)}`);
    report.check(shown.overlap === (groupBy === 'tag'), `grouped by ${groupBy}: the overlap`);
    const filter = { ownCategory: 'ownCategories=id+Household', tag: 'tags=id+work' }[groupBy] ?? 'categories=RENT';
    report.check((shown.links[0] ?? filter).includes(filter), `grouped by ${groupBy}: ${shown.links}`);
    await checkAccess(page, `grouped by ${groupBy}`, report);
  }

  const chips = await page.evaluate(async (offered) => {
    const { transactionFilters } = await import('/modules/transaction_filters.js');
    const form = transactionFilters({ ownCategories: 'id Household', tags: 'id gone', minAmountCents: '1250' }, offered, () => {});
    const lists = [...form.querySelectorAll('#filter-ownCategories option, #filter-tags option')].map((option) => option.textContent);
    return [...form.querySelectorAll('.chip')].map((chip) => chip.textContent).concat(lists);
  }, { ownCategories: spending, tags });
  const expected = ['Household ×', 'Tag ×', 'At least 12.50 ×', 'All own categories', 'Household', 'All tags', 'trip', 'work', 'Tag'];
  report.check(chips.join() === expected.join(), `filters by own words: ${chips}`);
}

mkdirSync(folder, { recursive: true });
const { origin, stop } = await serveFiles();
const browser = await launch();
for (const width of [320, 1280]) {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width, height: 700 }, colorScheme: 'light' });
  watch(page, origin, report);
  await page.goto(origin);
  await empty(page);
  await emptyHome(page);
  await unconvertedAmounts(page);
  await incompleteHistory(page);
  await partsOfMonths(page);
  await budgetsOfMonths(page);
  await ownWords(page);
  await page.close();
}
await browser.close();
stop();
report.finish('states');
