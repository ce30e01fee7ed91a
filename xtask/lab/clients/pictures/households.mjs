// Random households as the payloads of the REST routes. The payloads agree with each other, as those of the service do:
// the categories sum up to the totals, and the months sum up to the categories.

/** The kinds of people: without anything, with one of each, of random sizes, with very much, and with debts in long numbers. */
export const KINDS = ['empty', 'small', 'any', 'wide', 'debt'];

/** Returns a generator of random numbers from a seed (mulberry32). `count` is the length of a list of a kind of people. */
export function randomNumbers(seed, kind = 'any') {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  const lengths = { empty: () => 0, small: (limit) => Math.min(1, limit - 1), wide: (limit) => limit * 8 };
  const count = lengths[kind] ?? below;
  return { next, below, count, kind, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

/** Texts of third parties. None may become an element, need more room than there is, or turn the text around it. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>"\'&amp;</script><b>', 'W'.repeat(200), '\u202egnirts desrever\u202c \u05e2\u05d1\u05e8\u05d9\u05ea', `Z${'\u0351\u036b'.repeat(40)}algo`,
];
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'CHF', 'USDT'];
const GROUPS = {
  RENT: 'HOUSING', ENERGY: 'UTILITIES', GROCERIES: 'FOOD', COFFEE: 'FOOD', BOOKS: 'LEISURE', CINEMA: 'LEISURE',
  CLOTHING: 'SHOPPING', VACATION: 'TRAVEL', DOCTOR: 'HEALTH', TAXES: 'FINANCE', UNCATEGORIZED: 'OTHER', A_NEW_CATEGORY: 'A_NEW_GROUP',
  MUSIC: 'LEISURE', PETS: 'SHOPPING', TAXI: 'TRANSPORT', FUEL: 'TRANSPORT', PHONE: 'UTILITIES', DENTIST: 'HEALTH', FLIGHTS: 'TRAVEL',
};
const INCOMES = ['SALARY', 'FREELANCE', 'REFUND', 'INTEREST', 'A_NEW_INCOME'];
const sum = (list) => list.reduce((total, cents) => total + cents, 0);

/** Returns cents of very different sizes: none, some, and as many as the service can return. */
function someCents(random) {
  const digits = random.below(12) + (random.kind === 'debt' ? 1 : 0);
  return random.chance(0.1) ? 0 : random.below(10 ** digits) + 1;
}

/** Returns the payloads of one household. The seed decides its kind. */
export function household(seed) {
  const random = randomNumbers(seed, KINDS[seed % KINDS.length]);
  const currency = random.pick(CURRENCIES);
  const money = (cents) => ({ amount_cents: cents, currency });
  const unconverted = random.chance(0.3)
    ? { unconverted: [{ currency: 'GBP', amount_cents: someCents(random), transactionCount: random.below(5) + 1 }] }
    : {};
  const months = Array.from({ length: random.count(14) }, (_, index) => {
    const date = new Date(Date.UTC(2025, index, 1));
    return date.toISOString().slice(0, 7);
  });
  const excludedCategories = random.chance(0.3) ? ['VACATION'] : [];
  const categories = Object.entries(GROUPS)
    .slice(0, random.count(Object.keys(GROUPS).length + 1))
    .map(([category, group]) => {
      const amounts = months.map(() => someCents(random));
      const cents = months.length > 0 ? sum(amounts) : someCents(random);
      const periods = months.map((period, index) => ({ period, total: money(amounts[index]) }));
      return { category, group, total: money(cents), percentOfTotal: 0, transactionCount: random.below(900), periods };
    })
    .sort((one, other) => other.total.amount_cents - one.total.amount_cents);
  const expense = sum(categories.map(({ total }) => total.amount_cents));
  for (const category of categories) {
    category.percentOfTotal = expense === 0 ? 0 : Math.round((category.total.amount_cents / expense) * 10000) / 100;
  }
  const incomeCategories = INCOMES.filter(() => random.chance(0.6)).map((category) => ({
    category,
    total: money(someCents(random)),
    transactionCount: random.below(90),
  }));
  const income = sum(incomeCategories.map(({ total }) => total.amount_cents));
  const range = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };
  const totals = (inward, outward) => ({
    incomeTotal: money(inward),
    expenseTotal: money(outward),
    net: money(inward - outward),
  });
  return {
    currency,
    spending: {
      ...range, totalExpense: money(expense), categories, uncategorizedTotal: money(0), excludedCategories, ...unconverted,
    },
    cashflow: {
      ...range,
      ...totals(income, expense),
      incomeCategories,
      periods: months.map((period) => ({
        period, dateFrom: `${period}-01`, dateTo: `${period}-28`, ...totals(someCents(random), someCents(random)),
      })),
      excludedCategories,
      ...unconverted,
    },
    history: history(random, money, unconverted),
    merchants: {
      ...range,
      totalExpense: money(expense),
      excludedCategories,
      merchants: Array.from({ length: random.count(12) }, (_, index) => ({
        merchant: index < HOSTILE.length ? HOSTILE[index] : `Merchant ${index}`,
        total: money(someCents(random)),
        percentOfTotal: random.below(10001) / 100,
        transactionCount: random.below(90) + 1,
      })).sort((one, other) => other.total.amount_cents - one.total.amount_cents),
    },
    budgets: budgets(random, money, currency),
    recurring: recurring(random, money),
    transactions: transactions(random),
    banks: banks(random),
    portfolio: portfolio(random, money),
    home: home(random, money),
  };
}

/** The payloads of home: a month that runs beside the month before. */
function home(random, money) {
  const days = (month, count) => Array.from({ length: count }, (_, index) => {
    const date = `2025-${month}-${String(index + 1).padStart(2, '0')}`;
    return { period: date, dateFrom: date, dateTo: date, totalExpense: money(random.chance(0.4) ? 0 : someCents(random)) };
  });
  const summary = (periods) => ({
    dateFrom: periods[0].dateFrom, dateTo: periods.at(-1).dateTo, transactionCount: periods.length, periods,
    totalExpense: money(sum(periods.map(({ totalExpense }) => totalExpense.amount_cents))),
  });
  const spending = summary(days('03', random.below(31) + 1));
  const before = summary(days('02', 28));
  const compared = (now, then) => ({ total: money(then), change: money(now - then) });
  const first = { dateFrom: '2025-02-01', dateTo: '2025-02-28' };
  const changes = Object.keys(GROUPS).map((category) => ({ category, ...compared(someCents(random), someCents(random)) }));
  const series = ['depository', 'investment', 'credit'].map((type) => ({
    type, name: type, opening: { date: '2025-02-28', total: money(someCents(random)) },
    points: [{ date: '2025-03-20', total: money((type === 'credit' ? -1 : 1) * someCents(random)) }],
  }));
  const total = money(sum(series.map(({ points }) => points[0].total.amount_cents)));
  const history = { dateFrom: '2025-03-01', dateTo: '2025-03-20', interval: 'month', points: [{ date: '2025-03-20', total }], series };
  const points = Array.from({ length: 20 }, (_, index) => ({ date: `2025-03-${String(index + 1).padStart(2, '0')}`, total: money(someCents(random)) }));
  const budgets = Object.keys(GROUPS).filter(() => random.chance(0.5)).map((category) => {
    const [net, target] = [someCents(random), someCents(random)];
    const set = random.chance(0.6) && { target: money(target), remaining: money(target - net) };
    return { category, total: money(net + someCents(random)), net: money(net), currency: money(0).currency, ...set };
  });
  const { recurringPayments, ...list } = recurring(random, money);
  const occurrences = recurringPayments.map(({ id, currency }, index) => ({
    date: `2025-03-${String(index + 1).padStart(2, '0')}`, amount: { amount_cents: someCents(random), currency }, recurring_payment_id: id,
  }));
  return {
    today: history, line: { dateFrom: '2025-03-01', dateTo: '2025-03-20', interval: 'day', points }, before, budgets,
    spending: { ...spending, comparison: { ...first, totalExpense: compared(spending.totalExpense.amount_cents, someCents(random)) } },
    cashflow: { incomeTotal: money(someCents(random)), expenseTotal: spending.totalExpense, net: money(0) },
    recurring: { ...list, recurringPayments, occurrences, occurrenceCount: occurrences.length, occurrencesTotal: money(someCents(random)), occurrencesIncome: money(someCents(random)) },
    moved: { ...spending, categories: [], comparison: { ...first, totalExpense: compared(1, someCents(random) + 1), categories: changes } },
  };
}

function history(random, money, unconverted) {
  const count = { empty: 0, small: 1, wide: 400 }[random.kind] ?? random.pick([0, 1, 2, 52, 400]);
  const days = Array.from({ length: count }, (_, index) => new Date(Date.UTC(2025, 0, 1 + index * 7)).toISOString().slice(0, 10));
  const partial = random.chance(0.3) ? random.below(count + 1) : 0;
  const hole = random.chance(0.3) ? random.below(9) : -1;
  const sign = random.kind === 'debt' || random.chance(0.2) ? -1 : 1;
  const level = someCents(random);
  const points = days.map((date, index) => ({
    date,
    total: money(sign * level + random.below(level + 100) - index),
    ...(index < partial && { partial: true }),
    ...(index % 9 === hole && { unconverted: [{ currency: 'USD', amount_cents: 123 }] }),
  }));
  const hasOpening = random.chance(0.5);
  const opening = { date: '2024-12-31', total: money(level) };
  const parts = random.chance(0.5)
    ? { series: [{ type: 'depository', ...(hasOpening && { opening }), points: points.map(({ date, total }) => ({ date, total: money(total.amount_cents - 7) })) }] }
    : {};
  const change = count > 1 ? { change: { amount: money(points.at(-1).total.amount_cents - points[0].total.amount_cents), percent: -3.5 } } : {};
  const [first, last] = [days[0] ?? '2025-01-01', days.at(-1) ?? '2025-01-01'];
  return { dateFrom: first, dateTo: last, interval: 'week', points, ...(hasOpening && { opening }), ...parts, ...change, ...unconverted };
}

function budgets(random, money, currency) {
  return Object.keys(GROUPS).filter(() => random.chance(0.5)).map((category) => ({
    category,
    total: money(random.chance(0.2) ? 0 : someCents(random)),
    currency,
    ...(random.chance(0.6) && { target: money(someCents(random)) }),
  }));
}

function recurring(random, money) {
  const payments = Array.from({ length: random.count(20) }, (_, index) => ({
    id: String(index),
    type: random.pick(['INCOME', 'EXPENSE']),
    ...(random.chance(0.9) && { merchant_name: index < HOSTILE.length ? HOSTILE[index] : `Payee ${index}` }),
    category: random.pick(Object.keys(GROUPS)),
    cadence: random.pick(['WEEKLY', 'MONTHLY', 'ANNUALLY', 'A_NEW_CADENCE']),
    status: random.pick(['ACTIVE', 'OVERDUE', 'ENDED']),
    amount_cents: someCents(random),
    currency: random.pick(CURRENCIES),
    amount_varies: random.chance(0.3),
    last_date: '2025-02-03',
    ...(random.chance(0.8) && { next_expected_date: `2025-0${random.below(8) + 1}-15` }),
    ...(random.chance(0.3) && { previous_amount_cents: someCents(random), amount_changed_on: '2025-01-09' }),
    occurrence_count: 9,
  }));
  return {
    asOf: '2025-03-04', monthlyTotal: money(someCents(random)), monthlyIncome: money(someCents(random)),
    totalCount: payments.length + random.below(3), recurringPayments: payments,
  };
}

function transactions(random) {
  const list = Array.from({ length: random.count(50) }, (_, index) => ({
    id: String(index),
    type: random.pick(['INCOME', 'EXPENSE', 'INTERNAL_TRANSFER']),
    category: random.pick(['GROCERIES', 'TRANSFER_IN', 'TRANSFER_OUT', 'SALARY']),
    amount_cents: someCents(random),
    date: `2025-03-${String(28 - (index % 28)).padStart(2, '0')}`,
    title: index < HOSTILE.length ? HOSTILE[index] : `Title ${index}`,
    pending: random.chance(0.1),
    currency: random.pick(CURRENCIES),
    ...(random.chance(0.3) && { converted: { amount_cents: someCents(random), currency: 'EUR' } }),
    ...(random.chance(0.7) && { merchant_name: index === 1 ? HOSTILE[0] : `Payee ${index}` }),
  }));
  return { transactions: list, pagination: { hasMore: random.chance(0.5) } };
}

function banks(random) {
  const list = Array.from({ length: random.count(4) }, (_, index) => ({
    id: String(index),
    bank_name: index < HOSTILE.length ? HOSTILE[index] : `Bank ${index}`,
    status: random.pick(['CONNECTED', 'NEEDS_UPDATE', 'ERROR', 'DISCONNECTED', 'MANUAL', 'A_NEW_STATUS']),
    needs_update: false,
    new_accounts_available: random.chance(0.3),
    account_count: random.below(9),
    last_successful_update: '2025-03-01T04:12:00Z',
    stale: random.chance(0.4),
    stale_days: random.below(20),
    ...(random.chance(0.5) && { consent_expires_at: '2025-03-02T00:00:00Z' }),
  }));
  return { needsAttention: 0, banks: list };
}

function portfolio(random, money) {
  const items = Array.from({ length: random.count(4) }, (_, index) => ({
    id: String(index),
    total: money(someCents(random)),
    currency: 'EUR',
    bank_name: index < HOSTILE.length ? HOSTILE[index] : `Bank ${index}`,
    needs_update: random.chance(0.2),
    new_accounts_available: false,
    accounts: Array.from({ length: random.count(4) }, (_, at) => ({
      id: `${index} ${at}`,
      name: `Account ${at}`,
      type: 'depository',
      balance_cents: random.kind === 'debt' || random.chance(0.3) ? -someCents(random) : someCents(random),
      currency: random.pick(CURRENCIES),
    })),
  }));
  const securities = items.slice(0, 1).map(({ id }) => [id, [{ name: HOSTILE[0], quantity: '0.04210000', price: '86165.31', value_cents: someCents(random), currency: 'USD' }]]);
  return { total: money(someCents(random)), items, wallets: [], paper_accounts: [], securitiesByItem: Object.fromEntries(securities) };
}
