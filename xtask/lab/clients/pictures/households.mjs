// Random households as the payloads of the REST routes. The payloads agree with each other, as those of the service do:
// the categories sum up to the totals, and the months sum up to the categories.

/** Returns a generator of random numbers from a seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

/** A text of a third party. It must never become an element. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'&amp;</script><b>';
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'CHF', 'USDT'];
const GROUPS = {
  RENT: 'HOUSING', ENERGY: 'UTILITIES', GROCERIES: 'FOOD', COFFEE: 'FOOD', BOOKS: 'LEISURE', CINEMA: 'LEISURE',
  CLOTHING: 'SHOPPING', VACATION: 'TRAVEL', DOCTOR: 'HEALTH', TAXES: 'FINANCE', UNCATEGORIZED: 'OTHER', A_NEW_CATEGORY: 'A_NEW_GROUP',
};
const INCOMES = ['SALARY', 'FREELANCE', 'REFUND', 'INTEREST', 'A_NEW_INCOME'];
const sum = (list) => list.reduce((total, cents) => total + cents, 0);

/** Returns cents of very different sizes: none, some, and as many as the service can return. */
function someCents(random) {
  const digits = random.below(12);
  return random.chance(0.1) ? 0 : random.below(10 ** digits) + 1;
}

/** Returns the payloads of one household. */
export function household(seed) {
  const random = randomNumbers(seed);
  const currency = random.pick(CURRENCIES);
  const money = (cents) => ({ amount_cents: cents, currency });
  const unconverted = random.chance(0.3)
    ? { unconverted: [{ currency: 'GBP', amount_cents: someCents(random), transactionCount: random.below(5) + 1 }] }
    : {};
  const months = Array.from({ length: random.below(14) }, (_, index) => {
    const date = new Date(Date.UTC(2025, index, 1));
    return date.toISOString().slice(0, 7);
  });
  const excludedCategories = random.chance(0.3) ? ['VACATION'] : [];
  const categories = Object.entries(GROUPS)
    .filter(() => random.chance(0.7))
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
      merchants: Array.from({ length: random.below(12) }, (_, index) => ({
        merchant: index === 0 ? HOSTILE : `Merchant ${index}`,
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
  };
}

function history(random, money, unconverted) {
  const count = random.pick([0, 1, 2, 52, 400]);
  const days = Array.from({ length: count }, (_, index) => new Date(Date.UTC(2025, 0, 1 + index * 7)).toISOString().slice(0, 10));
  const partial = random.chance(0.3) ? random.below(count + 1) : 0;
  const hole = random.chance(0.3) ? random.below(9) : -1;
  const sign = random.chance(0.2) ? -1 : 1;
  const level = someCents(random);
  const points = days.map((date, index) => ({
    date,
    total: money(sign * level + random.below(level + 100) - index),
    ...(index < partial && { partial: true }),
    ...(index % 9 === hole && { unconverted: [{ currency: 'USD', amount_cents: 123 }] }),
  }));
  const parts = random.chance(0.5)
    ? { series: [{ type: 'depository', points: points.map(({ date, total }) => ({ date, total: money(total.amount_cents - 7) })) }] }
    : {};
  const change = count > 1 ? { change: { amount: money(points.at(-1).total.amount_cents - points[0].total.amount_cents), percent: -3.5 } } : {};
  const [first, last] = [days[0] ?? '2025-01-01', days.at(-1) ?? '2025-01-01'];
  return { dateFrom: first, dateTo: last, interval: 'week', points, ...parts, ...change, ...unconverted };
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
  const payments = Array.from({ length: random.below(20) }, (_, index) => ({
    id: String(index),
    type: random.pick(['INCOME', 'EXPENSE']),
    ...(random.chance(0.9) && { merchant_name: index === 0 ? HOSTILE : `Payee ${index}` }),
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
  const list = Array.from({ length: random.below(50) }, (_, index) => ({
    id: String(index),
    type: random.pick(['INCOME', 'EXPENSE', 'INTERNAL_TRANSFER']),
    category: random.pick(['GROCERIES', 'TRANSFER_IN', 'TRANSFER_OUT', 'SALARY']),
    amount_cents: someCents(random),
    date: `2025-03-${String(28 - (index % 28)).padStart(2, '0')}`,
    title: index === 0 ? HOSTILE : `Title ${index}`,
    pending: random.chance(0.1),
    currency: random.pick(CURRENCIES),
    ...(random.chance(0.3) && { converted: { amount_cents: someCents(random), currency: 'EUR' } }),
    ...(random.chance(0.7) && { merchant_name: index === 1 ? HOSTILE : `Payee ${index}` }),
  }));
  return { transactions: list, pagination: { hasMore: random.chance(0.5) } };
}

function banks(random) {
  const list = Array.from({ length: random.below(4) }, (_, index) => ({
    id: String(index),
    bank_name: index === 0 ? HOSTILE : `Bank ${index}`,
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
  const items = Array.from({ length: random.below(4) }, (_, index) => ({
    id: String(index),
    total: money(someCents(random)),
    currency: 'EUR',
    bank_name: index === 0 ? HOSTILE : `Bank ${index}`,
    needs_update: random.chance(0.2),
    new_accounts_available: false,
    accounts: Array.from({ length: random.below(4) }, (_, at) => ({
      id: `${index} ${at}`,
      name: `Account ${at}`,
      type: 'depository',
      balance_cents: random.chance(0.3) ? -someCents(random) : someCents(random),
      currency: random.pick(CURRENCIES),
    })),
  }));
  const securities = items.slice(0, 1).map(({ id }) => [id, [{ name: HOSTILE, quantity: '0.04210000', price: '86165.31', value_cents: someCents(random), currency: 'USD' }]]);
  return { total: money(someCents(random)), items, wallets: [], paper_accounts: [], securitiesByItem: Object.fromEntries(securities) };
}
