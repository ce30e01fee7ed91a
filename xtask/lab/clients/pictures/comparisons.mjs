// Draws payloads with the views, in the browser, and compares every figure with the payloads.

import { Report } from './browser.mjs';

export const report = new Report();
/** The texts of the page, by which its tables are found. */
let text = {};

/** Selects the texts of a page; instead of functions what they return without values. */
export async function useTexts(page, language) {
  text = await page.evaluate(async (name) => {
    const { TEXT } = await import('/modules/text.js');
    if (name !== undefined) {
      Object.assign(TEXT, ...Object.values(await import(`/modules/text_${name}.js`)));
    }
    const { netWorth, cashflow, income, holdings, spending, flow, byMonth } = TEXT;
    return { netWorth, cashflow, income, holdings, spending, flow, byMonth, of: TEXT.spentOf(['', '']) };
  }, language);
}
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

/** Draws a view in the page, or the part of a place with the name `parameters.part`, and returns what it shows. */
export function draw(page, view, definition, payloads, parameters = {}) {
  return page.evaluate(
    async ({ view, definition, payloads, parameters }) => {
      const { part, ...others } = parameters;
      const module = await import(part ? `/modules/${view}.js` : `/modules/view_${view}.js`);
      const address = (name, values) => `#/${name}?${new URLSearchParams(values)}`;
      const parts = part && module[definition].parts(others, { address });
      const started = performance.now();
      const shown = part ? parts.find(({ name }) => name === part).draw(payloads) : module[definition].draw(payloads, others, {});
      const drawn = document.createElement('div');
      drawn.append(...(shown ? [shown] : []));
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
      const lines = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      };
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
        rows: [...drawn.querySelectorAll('li')].map((row) => [
          row.querySelector('.number')?.firstChild?.textContent ?? '',
          row.querySelector(':scope > small, :scope > span > small:not(.change)')?.textContent ?? '',
          row.textContent,
        ]),
        transactions: [...drawn.querySelectorAll('.transaction')].map((row) => [
          row.querySelector('.text').textContent,
          row.querySelector('.number').textContent,
        ]),
        lists: [...drawn.querySelectorAll('.bars .number, .rows .number, .calendar .number, h3 .number')].map((value) => value.firstChild.textContent),
        amounts: [...drawn.querySelectorAll('.amount')].map((value) => value.textContent),
        tables: Object.fromEntries([...drawn.querySelectorAll('table')].map((element) => [table(element).name, table(element).rows])),
        charts: [...drawn.querySelectorAll('.chart')].map(chart),
        foreign: drawn.querySelectorAll('img, script, b').length,
        wide: document.documentElement.scrollWidth > innerWidth && [...drawn.querySelectorAll('*')].findLast((one) => !one.closest('.scroll') && one.getBoundingClientRect().right > innerWidth)?.outerHTML.slice(0, 100),
        wrapped: [...drawn.querySelectorAll('td.number')].filter((cell) => lines(cell) > 1).map((cell) => cell.textContent),
      };
    },
    { view, definition, payloads, parameters },
  );
}

const column = (rows, at) => (rows ?? []).map((row) => row[at] ?? '');

/** Checks what holds for every view. */
function checkDrawn(name, drawn) {
  report.check(drawn.foreign === 0, `${name}: a text became an element`);
  report.check(!drawn.wide, `${name}: the page is wider than the screen: ${drawn.wide}`);
  report.check(drawn.wrapped.length === 0, `${name}: lines break within ${drawn.wrapped}`);
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

/** Returns the points of a line: those from the first known balance, with the one before the range. */
function knownPoints({ opening, points }) {
  const all = [...(opening ? [opening] : []), ...points];
  const first = all.findIndex(({ partial, total }) => !partial || money(total) !== 0);
  return first < 0 ? [] : all.slice(first);
}

async function netWorth(page, { history, portfolio }) {
  const drawn = await draw(page, 'net_worth', 'netWorthView', { history, portfolio });
  checkDrawn('net worth', drawn);
  const totals = knownPoints(history).map(({ total }) => money(total));
  compare('net worth', column(drawn.tables[text.netWorth], 1), [...totals].reverse());
  compare('net worth, chart', column(drawn.charts[0]?.values, 0), totals.length > 1 ? totals : []);
  const series = history.series?.[0];
  const part = series ? [...(history.opening ? [series.opening] : []), ...series.points].slice(-totals.length).map(({ total }) => money(total)) : [];
  if (part.length > 1 && totals.length > 1) {
    compare('net worth, part', column(drawn.charts[0]?.values, 1), part);
    compare('net worth, part', column(drawn.tables[text.netWorth], 2), [...part].reverse());
  }
  const assets = [...portfolio.wallets, ...portfolio.paper_accounts];
  const shown = [...(totals.length > 0 ? [totals.at(-1)] : []), ...(portfolio.items.length + assets.length > 0 ? [money(portfolio.total)] : [])];
  compare('net worth, headline', drawn.headlines, shown);
  const holdings = [...Object.values(portfolio.securitiesByItem).flat(), ...portfolio.wallets.flatMap((wallet) => wallet.holdings ?? [])];
  const values = holdings.map((holding) => holding.value_cents);
  compare('holdings', column(drawn.tables[text.holdings], 3), values);
  const { compare: byName } = Intl.Collator('en', { numeric: true });
  const sorted = portfolio.items.toSorted((one, other) => byName(one.bank_name, other.bank_name));
  const balances = sorted.flatMap((item) => [money(item.total), ...item.accounts.map((account) => account.balance_cents)]);
  compare('balances', drawn.lists, [...balances, ...assets.map(({ total }) => money(total))]);
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
    compare(`cashflow, ${name}`, column(drawn.tables[text.cashflow], index + 1), expected);
    if (!isEmpty) {
      compare(`cashflow, chart, ${name}`, column(drawn.charts[0]?.values, index), expected);
    }
  });
  if (!isEmpty && months.length > 0) {
    proportional('cashflow', drawn.charts[0].bars, months.flatMap((month) => [money(month.incomeTotal), money(month.expenseTotal)]));
  }
  compare('income categories', column(drawn.tables[text.income], 1), payload.incomeCategories.map(({ total }) => money(total)));
}

async function spending(page, { spending: payload, cashflow: totals, merchants }) {
  const drawn = await draw(page, 'spending', 'spendingView', { spending: payload, cashflow: totals, merchants });
  checkDrawn('spending', drawn);
  const amounts = payload.categories.map(({ total }) => money(total));
  compare('spending', column(drawn.tables[text.spending], 5), amounts);
  const groups = money(payload.totalExpense) > 0 ? flowGroups(payload, totals) : [];
  compare('spending, bars', drawn.lists, [...withOthers(amounts), ...groups, ...merchantBars(merchants)]);
  const flow = drawn.charts.find(({ nodes }) => nodes.length > 0);
  // A narrow screen shows the groups as a list.
  const hasRoom = page.viewportSize().width > 560;
  report.check((flow !== undefined) === (hasRoom && money(payload.totalExpense) > 0), 'flow: absent or without expense');
  if (flow !== undefined) {
    checkFlow(flow, drawn.tables[text.flow], payload, totals);
  }
  const months = payload.categories[0]?.periods ?? [];
  if (months.length > 1) {
    const sums = months.map((_, at) => payload.categories.reduce((sum, { periods }) => sum + money(periods[at].total), 0));
    compare('spending by month', column(drawn.tables[text.byMonth].map((row) => row.slice(-1)), 0), sums);
    compare('spending by month, chart', column(drawn.charts.at(-1).values.map((row) => row.slice(-1)), 0), sums);
  }
}

const add = (amounts) => amounts.reduce((total, cents) => total + cents, 0);

/** Returns the amounts of the bars of categories: twelve, and the sum of all others if there are more than one. */
function withOthers(amounts) {
  const shown = amounts.length === 13 ? 13 : 12;
  return amounts.length > shown ? [...amounts.slice(0, shown), add(amounts.slice(shown))] : amounts;
}

/** Returns the amounts of the groups of the flow, the largest first, and what is left over. */
function flowGroups({ categories, totalExpense }, { incomeTotal }) {
  const sums = new Map();
  for (const { group, total } of categories) {
    sums.set(group, (sums.get(group) ?? 0) + money(total));
  }
  const sorted = [...sums].sort(([one, cents], [other, others]) => others - cents || (one < other ? -1 : 1)).map(([, cents]) => cents);
  const rest = money(incomeTotal) - money(totalExpense);
  return [...sorted.filter((cents) => cents > 0), ...(rest > 0 ? [rest] : [])];
}

/** Returns the amounts of the bars of merchants: those of the list, and what is left of the total. */
function merchantBars({ merchants, totalExpense }) {
  const amounts = merchants.map(({ total }) => money(total));
  const rest = money(totalExpense) - add(amounts);
  return amounts.length > 0 && rest > 0 ? [...amounts, rest] : amounts;
}

/** Checks the sums of the three columns of the flow, and that every category has its amount. */
function checkFlow({ nodes, values }, rows, payload, totals) {
  const whole = Math.max(money(totals.incomeTotal), money(payload.totalExpense));
  const columns = [...new Set(nodes.map(({ x }) => x))].sort((one, other) => one - other);
  report.check(columns.length === 3, `flow: ${columns.length} columns`);
  const cents = values.map((row) => shownCents(row.at(-1)));
  for (const [index, x] of columns.entries()) {
    const members = nodes.map((node, at) => ({ ...node, cents: cents[at] })).filter((node) => node.x === x);
    const sum = members.reduce((total, node) => total + node.cents, 0);
    // What is left over leads to no category.
    const expected = index === 2 ? money(payload.totalExpense) : whole;
    report.check(sum === expected, `flow, column ${index}: ${sum} for ${expected}`);
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
  const budget = await draw(page, 'budgets', 'budgetsView', { budgets: { budgets, year: 2025, month: 3 } });
  checkDrawn('budgets', budget);
  const known = budgets.filter(({ target, total }) => target !== undefined || money(total) !== 0);
  const targets = known.filter(({ target }) => target !== undefined);
  const expectedRows = known.length + (targets.length > 1 ? 1 : 0);
  report.check(budget.rows.length === expectedRows, `budgets: ${budget.rows.length} rows for ${expectedRows}`);
  for (const { total, target, net = total } of known) {
    const expected = target === undefined ? [money(total)] : [money(net), money(target)];
    const row = budget.rows.find(([shown]) => shown.split(text.of).map(shownCents).join() === expected.join());
    report.check(row !== undefined, `budgets: no row shows ${expected.join(text.of)}`);
    if (target !== undefined && row !== undefined) {
      report.check(shownCents(row[1]) === Math.abs(money(target) - money(net)), `budgets: ${row[1]} of ${money(target)}`);
    }
  }

  const calendar = await draw(page, 'recurring', 'recurringView', { recurring });
  checkDrawn('recurring', calendar);
  const payments = recurring.recurringPayments;
  if (payments.length > 0) {
    compare('recurring, headline', calendar.headlines.slice(0, 1), [money(recurring.monthlyTotal)]);
    const sorted = (list) => [...list].sort((one, other) => one - other);
    compare('recurring, list', sorted(calendar.lists.map(shownCents)).map((cents) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`), sorted(payments.map(({ amount_cents: cents }) => cents)));
  }

  const list = await draw(page, 'transactions', 'transactionsView', { transactions });
  checkDrawn('transactions', list);
  const rows = list.transactions;
  report.check(rows.length === transactions.transactions.length, `transactions: ${rows.length} rows`);
  transactions.transactions.forEach((one, index) => {
    const sign = one.type === 'INCOME' || (one.type === 'INTERNAL_TRANSFER' && one.category === 'TRANSFER_IN') ? 1 : -1;
    const [own, converted] = (rows[index]?.[1] ?? '').split('≈');
    report.check(shownCents(own) === sign * one.amount_cents + 0, `transactions: ${own} for ${sign * one.amount_cents}`);
    report.check((converted === undefined) === (one.converted === undefined), 'transactions: converted');
    report.check(converted === undefined || shownCents(converted) === sign * money(one.converted) + 0, `transactions: ${converted}`);
    report.check(rows[index]?.[0].includes(one.merchant_name ?? one.title), `transactions: ${rows[index]?.[0]}`);
  });

  for (const [view, definition, key, payload] of [
    ['banks', 'banksView', 'banks', banks],
    ['merchants', 'merchantsView', 'merchants', merchants],
    ['portfolio', 'portfolioView', 'portfolio', payloads.portfolio],
  ]) {
    checkDrawn(view, await draw(page, view, definition, { [key]: payload }));
  }
}

/** Compares the parts of home with their payloads. */
async function home(page, { home: payloads, transactions }) {
  const part = async (name, values) => {
    const drawn = await draw(page, 'place_home', 'homePlace', values, { part: name });
    checkDrawn(`home, ${name}`, drawn);
    return drawn;
  };
  const { today, line, spending, before, cashflow, budgets, recurring, moved } = payloads;
  const worth = await part('worth', { today, line });
  const last = today.points[0].total;
  compare('home, net worth', worth.headlines, today.series.length > 0 ? [money(last)] : []);
  const points = today.series.length > 0 ? knownPoints(line) : [];
  compare('home, line', column(worth.charts[0]?.values, 0), points.length > 1 ? points.map(({ total }) => money(total)) : []);
  const parts = today.series.map((series) => money(series.points[0].total));
  const shownParts = worth.amounts;
  compare('home, parts', shownParts, parts);
  report.check(add(parts) === money(last), 'home: the parts do not sum up');

  const month = await part('month', { spending, before, cashflow, budgets });
  compare('home, month', month.headlines, [money(spending.totalExpense)]);
  const running = (periods) => periods.map((_, index) => add(periods.slice(0, index + 1).map((one) => money(one.totalExpense))));
  const earlier = running(before.periods);
  const days = money(spending.totalExpense) + earlier.at(-1) > 0 ? spending.periods : [];
  compare('home, days', column(month.charts[0]?.values, 0), running(days));
  compare('home, days before', column(month.charts[0]?.values, 1), days.map((_, index) => earlier[index] ?? earlier.at(-1)));
  const set = budgets.filter(({ target }) => target !== undefined);
  const [row] = month.rows.filter(([shown]) => shown.includes(text.of));
  const sums = [add(set.map(({ net }) => money(net))), add(set.map(({ target }) => money(target)))];
  report.check((row !== undefined) === set.length > 0, 'home: budgets');
  report.check(row === undefined || row[0].split(text.of).map(shownCents).join() === sums.join(), `home, budgets: ${row?.[0]} for ${sums}`);
  report.check(row === undefined || shownCents(row[1]) === Math.abs(sums[1] - sums[0]), `home, budgets: ${row?.[1]}`);

  const next = await part('next', { recurring });
  compare('home, next', next.lists, recurring.occurrences.slice(0, 6).map(({ amount }) => money(amount)));
  const changes = await part('moved', { spending: moved });
  const hasBefore = money(moved.comparison.totalExpense.total) !== 0;
  const largest = moved.comparison.categories.filter(({ change }) => hasBefore && money(change) !== 0).map(({ change }) => money(change)).sort((one, other) => Math.abs(other) - Math.abs(one)).slice(0, 6);
  const shown = changes.rows.map(([text]) => Math.abs(shownCents(text)));
  report.check(shown.join() === largest.map(Math.abs).join(), `home, moved: ${shown} for ${largest}`);
  const latest = await part('latest', { transactions });
  report.check(latest.transactions.length === transactions.transactions.length, 'home: the latest transactions');
  const attention = await part('attention', { budgets, banks: { banks: [] } });
  const over = budgets.filter(({ remaining }) => remaining && money(remaining) < 0).map(({ remaining }) => -money(remaining));
  report.check(attention.rows.map(([, text]) => shownCents(text)).join() === over.join(), `home, attention: ${attention.rows.map(([, text]) => text)} for ${over}`);
}

/** Compares the months and the totals of a category, and of a merchant, with their payloads. */
async function details(page, { home: { spending, before, budgets }, transactions, merchants }) {
  const parameters = { categories: 'GROCERIES' };
  const months = await draw(page, 'place_detail', 'categoryPlace', { whole: before, current: spending, budgets }, { part: 'months', ...parameters });
  const amounts = [...before.periods, ...spending.periods].map(({ totalExpense }) => money(totalExpense));
  if (amounts.some((cents) => cents !== 0)) {
    compare('category', column(months.charts[0]?.values, 0), amounts);
    compare('category, table', column(months.tables[text.byMonth], 1), [...amounts].reverse());
    proportional('category', months.charts[0].bars, amounts);
  }
  const rows = await draw(page, 'place_detail', 'categoryPlace', { transactions, spending }, { part: 'rows', ...parameters });
  checkDrawn('category, rows', rows);
  compare('category, total', rows.headlines, [money(spending.totalExpense)]);
  const list = await draw(page, 'place_detail', 'categoryPlace', { merchants }, { part: 'merchants', ...parameters });
  compare('category, merchants', list.lists, merchantBars(merchants));
}

/** Compares the spending by own category and by tag with the payloads of a person. */
async function ownWords(page, { ownCategory, tag }) {
  for (const [groupBy, payload] of Object.entries({ ownCategory, tag })) {
    const groups = payload?.groups ?? [];
    if (groups.length > 0) {
      const drawn = await draw(page, 'places', 'spendingPlace', { spending: ownCategory, tags: tag }, { part: 'categories', groupBy });
      checkDrawn(`spending by ${groupBy}`, drawn);
      compare(`spending by ${groupBy}`, drawn.lists, groups.map(({ total }) => money(total)));
      compare(`spending by ${groupBy}, total`, drawn.headlines, [money(payload.totalExpense)]);
    }
  }
}

/** Compares every view, home and a category with the payloads of a household. */
export async function compareAll(page, payloads) {
  await netWorth(page, payloads);
  await cashflow(page, payloads);
  await spending(page, payloads);
  await ownWords(page, payloads);
  await others(page, payloads);
  await home(page, payloads);
  await details(page, payloads);
}
