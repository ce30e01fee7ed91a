// Draws random households with the views, in the browser, and compares every figure with the payloads.

import { Report, launch, watch } from './browser.mjs';
import { serveFiles } from './files.mjs';
import { household } from './households.mjs';

const HOUSEHOLDS = Number(process.env.HOUSEHOLDS ?? 60);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Time zones and locales in which a day or a separator could go wrong. */
const PLACES = [
  { locale: 'en-GB', timezoneId: 'Pacific/Kiritimati', width: 1280, colorScheme: 'light' },
  { locale: 'de-DE', timezoneId: 'Pacific/Pago_Pago', width: 320, colorScheme: 'dark' },
  { locale: 'fr-CH', timezoneId: 'Europe/Berlin', width: 700, colorScheme: 'light' },
];

const report = new Report();
const money = ({ amount_cents: cents }) => cents;

/** Returns the cents that a formatted amount shows: all its digits, and two decimals if the currency shows none. */
function shownCents(text) {
  const digits = text.replace(/\D/g, '');
  const hasDecimals = /\d[.,]\d{2}(?!\d)/.test(text.replace(/(\d)[’\u00a0\u202f' ](\d)/g, '$1$2').replace(/[^\d.,]+$/, ''));
  const sign = /[-−]/.test(text) ? -1 : 1;
  return sign * Number(hasDecimals ? digits : `${digits}00`) + 0;
}

/** Compares the amounts of a column of a table with the payload. */
function compare(name, cells, expected) {
  report.check(cells.length === expected.length, `${name}: ${cells.length} rows for ${expected.length}`);
  expected.forEach((cents, row) => {
    const shown = cells[row] === '–' ? undefined : shownCents(cells[row] ?? '');
    report.check(Object.is(shown, cents) || shown === cents, `${name}, row ${row}: ${cells[row]} for ${cents} cents`);
  });
}

/** Draws a view in the page and returns what it shows. */
function draw(page, view, definition, payloads, parameters = {}) {
  return page.evaluate(
    async ({ view, definition, payloads, parameters }) => {
      const module = await import(`/modules/view_${view}.js`);
      const started = performance.now();
      const drawn = module[definition].draw(payloads, parameters, {});
      document.body.replaceChildren(drawn);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const taken = performance.now() - started;
      for (const details of drawn.querySelectorAll('details')) {
        const shown = new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }));
        details.open = true;
        await shown;
      }
      const table = (element) => ({
        name: element.caption?.textContent ?? '',
        rows: [...element.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
      });
      const chart = (element) => {
        const slider = element.querySelector('[role=slider]');
        const last = Number(slider.getAttribute('aria-valuemax'));
        const values = [];
        for (let index = 0; index <= last; index += 1) {
          slider.dispatchEvent(new KeyboardEvent('keydown', { key: index === 0 ? 'Home' : 'ArrowRight', bubbles: true }));
          values.push([...element.querySelectorAll('.values dd')].map((value) => value.textContent));
        }
        const bars = [...element.querySelectorAll('svg > rect.bar')].map((bar) => Number(bar.getAttribute('height')));
        const nodes = [...element.querySelectorAll('.node > rect')].map((node) => ({
          x: Number(node.getAttribute('x')),
          height: Number(node.getAttribute('height')),
        }));
        return { values, bars, nodes, label: element.querySelector('svg')?.getAttribute('aria-label') ?? '' };
      };
      return {
        taken,
        text: drawn.textContent,
        headlines: [...drawn.querySelectorAll('.headline strong')].map((value) => value.textContent),
        lists: [...drawn.querySelectorAll('.bars .number, .rows .number, .calendar .number, h3 .number')].map((value) => value.firstChild.textContent),
        tables: Object.fromEntries([...drawn.querySelectorAll('table')].map((element) => [table(element).name, table(element).rows])),
        charts: [...drawn.querySelectorAll('.chart')].map(chart),
        foreign: drawn.querySelectorAll('img, script, b').length,
        wide: document.documentElement.scrollWidth > innerWidth,
      };
    },
    { view, definition, payloads, parameters },
  );
}

const column = (rows, at) => (rows ?? []).map((row) => row[at] ?? '');

/** Checks what holds for every view. */
function checkDrawn(name, drawn) {
  report.check(drawn.foreign === 0, `${name}: a text became an element`);
  report.check(!drawn.wide, `${name}: the page is wider than the screen`);
  report.check(!/undefined|NaN|\[object/.test(drawn.text), `${name}: ${/.{0,40}(undefined|NaN|\[object)/.exec(drawn.text)?.[0]}`);
}

/** Checks that bars are as high as their amounts. */
function proportional(name, heights, amounts) {
  const [highest] = [...amounts].sort((one, other) => other - one);
  const scale = heights[amounts.indexOf(highest)] / highest;
  amounts.forEach((cents, index) => {
    report.check(highest === 0 || Math.abs(heights[index] - cents * scale) < 0.5, `${name}: bar ${index} is ${heights[index]} high for ${cents}`);
  });
}

async function netWorth(page, { history, portfolio }) {
  const drawn = await draw(page, 'net_worth', 'netWorthView', { history, portfolio });
  checkDrawn('net worth', drawn);
  const totals = history.points.map(({ total }) => money(total));
  compare('net worth', column(drawn.tables['Net worth'], 1), [...totals].reverse());
  compare('net worth, chart', column(drawn.charts[0]?.values, 0), totals);
  const part = history.series?.[0]?.points.map(({ total }) => money(total)) ?? [];
  if (part.length > 0) {
    compare('net worth, part', column(drawn.charts[0]?.values, 1), part);
    compare('net worth, part', column(drawn.tables['Net worth'], 2), [...part].reverse());
  }
  const shown = [...(totals.length > 0 ? [totals.at(-1)] : []), ...(portfolio.items.length > 0 ? [money(portfolio.total)] : [])];
  compare('net worth, headline', drawn.headlines, shown);
  const accounts = portfolio.items.flatMap((item) => item.accounts.map((account) => account.balance_cents));
  compare('balances, table', column(drawn.tables['Accounts and holdings'], 3), accounts);
  const values = Object.values(portfolio.securitiesByItem).flat().map((holding) => holding.value_cents);
  compare('holdings', column(drawn.tables.Holdings, 3), values);
  const balances = portfolio.items.flatMap((item) => [money(item.total), ...item.accounts.map((account) => account.balance_cents)]);
  compare('balances', drawn.lists, balances);
  return drawn.taken;
}

async function cashflow(page, { cashflow: payload, budgets }) {
  const drawn = await draw(page, 'cashflow', 'cashflowView', { cashflow: payload, budgets });
  checkDrawn('cashflow', drawn);
  compare('cashflow', drawn.headlines, [payload.incomeTotal, payload.expenseTotal, payload.net].map(money));
  const months = payload.periods;
  const isEmpty = money(payload.incomeTotal) === 0 && money(payload.expenseTotal) === 0;
  ['incomeTotal', 'expenseTotal', 'net'].forEach((name, index) => {
    const expected = months.map((month) => money(month[name]));
    compare(`cashflow, ${name}`, column(drawn.tables['Income and expense'], index + 1), expected);
    if (!isEmpty) {
      compare(`cashflow, chart, ${name}`, column(drawn.charts[0]?.values, index), expected);
    }
  });
  if (!isEmpty && months.length > 0) {
    proportional('cashflow', drawn.charts[0].bars, months.flatMap((month) => [money(month.incomeTotal), money(month.expenseTotal)]));
  }
  compare('income categories', column(drawn.tables.Income, 2), payload.incomeCategories.map(({ total }) => money(total)));
}

async function spending(page, { spending: payload, cashflow: totals, merchants }) {
  const drawn = await draw(page, 'spending', 'spendingView', { spending: payload, cashflow: totals, merchants });
  checkDrawn('spending', drawn);
  const amounts = payload.categories.map(({ total }) => money(total));
  compare('spending', column(drawn.tables['Where it went'], 5), amounts);
  compare('merchants', column(drawn.tables['Top merchants'], 3), merchants.merchants.map(({ total }) => money(total)));
  compare('spending, bars', drawn.lists, [...amounts.slice(0, 12), ...merchants.merchants.map(({ total }) => money(total))]);
  const flow = drawn.charts.find(({ nodes }) => nodes.length > 0);
  report.check((flow !== undefined) === money(payload.totalExpense) > 0, 'flow: absent or without expense');
  if (flow !== undefined) {
    checkFlow(flow, drawn.tables['From income to spending'], payload, totals);
  }
  const months = payload.categories[0]?.periods ?? [];
  if (months.length > 1) {
    const sums = months.map((_, at) => payload.categories.reduce((sum, { periods }) => sum + money(periods[at].total), 0));
    compare('spending by month', column(drawn.tables['Spending by month'].map((row) => row.slice(-1)), 0), sums);
    compare('spending by month, chart', column(drawn.charts.at(-1).values.map((row) => row.slice(-1)), 0), sums);
  }
}

/** Checks that the three columns of the flow have the same sum, and that every category has its amount. */
function checkFlow({ nodes, values }, rows, payload, totals) {
  const whole = Math.max(money(totals.incomeTotal), money(payload.totalExpense));
  const columns = [...new Set(nodes.map(({ x }) => x))].sort((one, other) => one - other);
  report.check(columns.length === 3, `flow: ${columns.length} columns`);
  const cents = values.map((row) => shownCents(row.at(-1)));
  for (const [index, x] of columns.entries()) {
    const members = nodes.map((node, at) => ({ ...node, cents: cents[at] })).filter((node) => node.x === x);
    const sum = members.reduce((total, node) => total + node.cents, 0);
    report.check(sum === whole, `flow, column ${index}: ${sum} for ${whole}`);
    const scale = nodes[0].height / whole;
    for (const node of members) {
      // A node is at least one pixel high.
      report.check(Math.abs(node.height - Math.max(1, node.cents * scale)) < 0.5, `flow: a node of ${node.cents} is ${node.height} high`);
    }
  }
  const parts = values[0].slice(0, -1).map(shownCents);
  report.check(parts.reduce((total, part) => total + part, 0) === whole, 'flow: the incomes do not sum up');
  const categories = payload.categories.map(({ total }) => money(total)).filter((amount) => amount > 0);
  const shown = rows.map((row) => shownCents(row[2]));
  report.check(categories.every((amount) => shown.includes(amount)), 'flow: a category has another amount');
}

async function others(page, payloads) {
  const { budgets, recurring, transactions, banks, merchants } = payloads;
  const budget = await draw(page, 'budgets', 'budgetsView', { budgets, preferences: { today: '2025-03-04' } });
  checkDrawn('budgets', budget);
  const [, ...pairs] = [[], ...(budget.tables.Budgets ?? [])];
  const known = budgets.filter(({ target, total }) => target !== undefined || money(total) !== 0);
  report.check(pairs.length === known.length, `budgets: ${pairs.length} rows for ${known.length}`);
  for (const { total, target } of known) {
    const row = pairs.find((cells) => shownCents(cells[1]) === money(total) && (target === undefined ? cells[2] === '–' : shownCents(cells[2]) === money(target)));
    report.check(row !== undefined, `budgets: no row shows ${money(total)} of ${target && money(target)}`);
    if (target !== undefined && row !== undefined) {
      report.check(shownCents(row[3]) === Math.abs(money(target) - money(total)), `budgets: ${row[3]} of ${money(target)}`);
    }
  }

  const calendar = await draw(page, 'recurring', 'recurringView', { recurring });
  checkDrawn('recurring', calendar);
  const payments = recurring.recurringPayments;
  compare('recurring', column(calendar.tables['Recurring payments'], 7), payments.map(({ amount_cents: cents }) => cents));
  compare('recurring, before', column(calendar.tables['Recurring payments'], 6), payments.map((payment) => payment.previous_amount_cents));
  if (payments.length > 0) {
    compare('recurring, headline', calendar.headlines.slice(0, 1), [money(recurring.monthlyTotal)]);
    const sorted = (list) => [...list].sort((one, other) => one - other);
    compare('recurring, list', sorted(calendar.lists.map(shownCents)).map((cents) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`), sorted(payments.map(({ amount_cents: cents }) => cents)));
  }

  const list = await draw(page, 'transactions', 'transactionsView', { transactions });
  checkDrawn('transactions', list);
  const rows = list.tables.Transactions ?? [];
  report.check(rows.length === transactions.transactions.length, `transactions: ${rows.length} rows`);
  transactions.transactions.forEach((one, index) => {
    const sign = one.type === 'INCOME' || (one.type === 'INTERNAL_TRANSFER' && one.category === 'TRANSFER_IN') ? 1 : -1;
    const [own, converted] = (rows[index]?.[2] ?? '').split('≈');
    report.check(shownCents(own) === sign * one.amount_cents + 0, `transactions: ${own} for ${sign * one.amount_cents}`);
    report.check((converted === undefined) === (one.converted === undefined), 'transactions: converted');
    report.check(converted === undefined || shownCents(converted) === sign * money(one.converted) + 0, `transactions: ${converted}`);
    report.check(rows[index]?.[1].includes(one.merchant_name ?? one.title), `transactions: ${rows[index]?.[1]}`);
  });

  for (const [view, definition, key, payload] of [
    ['banks', 'banksView', 'banks', banks],
    ['merchants', 'merchantsView', 'merchants', merchants],
    ['portfolio', 'portfolioView', 'portfolio', payloads.portfolio],
  ]) {
    checkDrawn(view, await draw(page, view, definition, { [key]: payload }));
  }
}

/** Draws a history of the largest size that the service returns, and prints the time. */
async function measure(page) {
  const points = Array.from({ length: 1200 }, (_, index) => ({
    date: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
    total: { amount_cents: 5_000_000 + ((index * 7919) % 90_001), currency: 'EUR' },
  }));
  const history = { dateFrom: points[0].date, dateTo: points.at(-1).date, interval: 'day', points };
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    times.push((await draw(page, 'net_worth', 'netWorthView', { history })).taken);
  }
  console.log(`1200 points: ${times.map((time) => time.toFixed(1)).join(', ')} ms until the next frame`);
}

const { origin, stop } = await serveFiles();
const browser = await launch();
console.log(`figures: seed ${SEED}`);
for (const [index, { locale, timezoneId, width, colorScheme }] of PLACES.entries()) {
  const page = await browser.newPage({ locale, timezoneId, colorScheme, viewport: { width, height: 900 } });
  watch(page, origin, report);
  await page.goto(origin);
  for (let seed = SEED + index; seed < SEED + HOUSEHOLDS; seed += PLACES.length) {
    const payloads = household(seed);
    await netWorth(page, payloads);
    await cashflow(page, payloads);
    await spending(page, payloads);
    await others(page, payloads);
  }
  if (index === 0) {
    await measure(page);
  }
  await page.close();
}
await browser.close();
stop();
report.finish('figures');
