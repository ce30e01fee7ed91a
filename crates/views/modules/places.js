/** The places of the navigation except home, and the search.
 * @import { Actions, DataRequest, Parameters, Part, Place } from './types.d.ts' */

import { rangeParameters } from './controls.js';
import { element } from './dom.js';
import { monthOfDays } from './month.js';
import { TEXT } from './text.js';
import { transactionFilters } from './transaction_filters.js';
import { upcomingCalendar } from './upcoming_calendar.js';
import { banksFigure } from './view_banks.js';
import { budgetsFigure, targetsFigure } from './view_budgets.js';
import { incomeFigure, monthsFigure } from './view_cashflow.js';
import { merchantsSection } from './view_merchants.js';
import { NET_WORTH_RANGE, historyFigure, historyParameters } from './view_net_worth.js';
import { isEmpty, portfolioSection } from './view_portfolio.js';
import { recurringFigure } from './view_recurring.js';
import { spendingFigure } from './view_own_words.js';
import { SPENDING_RANGE, flowFigure, monthsOfGroups } from './view_spending.js';
import { transactionsFigure, transactionsRequest } from './view_transactions.js';

/** The periods by name that have several whole months. */
const WITH_MONTHS = ['this-quarter', 'last-quarter', 'this-year', 'last-year', 'last-12-months'];

/** @type {Place} */
export const spendingPlace = {
  name: 'spending',
  title: () => TEXT.spendingTab,
  range: SPENDING_RANGE,
  parts: (parameters, actions) => {
    const range = rangeParameters(parameters, SPENDING_RANGE);
    const hasMonths = WITH_MONTHS.includes(range.period ?? '') || range.timeRange !== undefined;
    const months = hasMonths ? range : { period: 'last-12-months' };
    const cashflow = { path: 'cashflow/summary', parameters: { ...months, groupBy: 'month' } };
    const grouped = (/** @type {Record<string, string>} */ values) => ({
      path: 'spending/categories',
      parameters: { ...range, ...values },
    });
    const categories = grouped({ compareTo: comparedDays(range), groupBy: 'ownCategory' });
    return [
      {
        name: 'categories',
        title: TEXT.spending,
        requests: { spending: categories, tags: { ...grouped({ groupBy: 'tag' }), optional: true } },
        draw: ({ spending, tags }) => spendingFigure(spending, tags, parameters, actions),
        height: [1006, 975],
      },
      budgetsPart(range, categories, actions),
      {
        name: 'months',
        title: TEXT.cashflow,
        requests: { cashflow },
        draw: (payloads) => monthsFigure(payloads.cashflow, actions),
        height: [668, 671],
      },
      {
        name: 'merchants',
        title: TEXT.merchants,
        requests: { merchants: { path: 'spending/merchants/top', parameters: { ...range, limit: 10 } } },
        draw: ({ merchants }) => merchantsSection(merchants, parameters, actions),
        height: [744, 748],
        later: true,
      },
      {
        name: 'groups',
        title: TEXT.byMonth,
        requests: { spending: { path: 'spending/categories', parameters: { ...months, groupBy: 'month' } }, cashflow },
        draw: ({ spending, cashflow: days }) => monthsOfGroups(spending, actions, days.periods),
        height: [450, 480],
        later: true,
      },
      {
        name: 'flow',
        title: TEXT.flow,
        requests: { spending: categories, cashflow: { path: 'cashflow/summary', parameters: range } },
        draw: ({ spending, cashflow }) => flowFigure(spending, cashflow, parameters, actions),
        height: [641, 757],
        later: true,
      },
      {
        name: 'income',
        title: TEXT.income,
        requests: {
          cashflow: { path: 'cashflow/summary', parameters: range },
          targets: { path: 'budgets/categories', parameters: {}, optional: true },
        },
        draw: ({ cashflow, targets }) =>
          element('div', { class: 'stack' }, incomeFigure(cashflow, parameters, actions), targetsFigure(targets)),
        height: [463, 450],
        later: true,
      },
    ];
  },
};

/** Returns the days with which a range is compared: those of the month before for a month that runs.
 * @param {Record<string, string>} range */
function comparedDays({ period = '' }) {
  const days = /** @type {Record<string, string>} */ ({
    'this-month': 'same-days-of-last-month',
    'last-month': 'previous-period',
    'this-year': 'same-days-of-last-year',
    'last-year': 'previous-period',
  });
  return days[period] ?? 'none';
}

/** Returns the budgets of the month that the range covers; for any other range, those of the current month. The first and last
 * day of the range come from the spending.
 * @param {Record<string, string>} range @param {DataRequest} categories @param {Actions} actions @returns {Part} */
function budgetsPart({ period }, categories, actions) {
  const monthOf = (/** @type {Record<string, any>} */ { spending, preferences }) =>
    period === 'this-month' ? undefined : monthOfDays(spending, preferences?.month_start ?? '1');
  return {
    name: 'budgets',
    title: TEXT.budgets,
    requests: { spending: categories, preferences: { path: 'preferences', parameters: {}, optional: true } },
    next: (payloads) => {
      const [year, month] = (monthOf(payloads) ?? '').split('-').map(Number);
      return { budgets: { path: 'budgets/summary', parameters: { ...(year && month && { year, month }) } } };
    },
    draw: (payloads) => {
      const { today = new Date().toISOString().slice(0, 10), month_start: start = '1' } = payloads.preferences ?? {};
      const { dateFrom, dateTo } = payloads.spending;
      const known = monthOf(payloads);
      const current = start === '1' ? today.slice(0, 7) : '';
      const days = known === undefined ? undefined : { dateFrom, dateTo };
      return budgetsFigure(payloads.budgets, known ?? current, actions, { today, isPage: true, days });
    },
    height: [845, 849],
  };
}

/** @type {Place} */
export const upcomingPlace = {
  name: 'upcoming',
  title: () => TEXT.upcoming,
  parts: (_parameters, actions) => {
    const types = ['EXPENSE', 'INCOME'];
    return [
      {
        name: 'month',
        title: TEXT.nextWeeks,
        requests: {
          recurring: { path: 'recurring-payments', parameters: { types, upcomingWithinDays: 35, limit: 200 } },
        },
        draw: ({ recurring }) => upcomingCalendar(recurring),
        height: [514, 633],
      },
      {
        name: 'payments',
        title: TEXT.recurring,
        requests: { recurring: { path: 'recurring-payments', parameters: { types, limit: 200 } } },
        draw: ({ recurring }) => recurringFigure(recurring, actions),
        height: [1600, 1400],
      },
    ];
  },
};

/** @type {Place} */
export const accountsPlace = {
  name: 'accounts',
  title: () => TEXT.accounts,
  range: NET_WORTH_RANGE,
  parts: (parameters, actions) => [
    {
      name: 'worth',
      title: TEXT.netWorth,
      requests: {
        history: { path: 'portfolio/history', parameters: historyParameters(parameters) },
        portfolio: { path: 'portfolio', parameters: {}, optional: true },
      },
      // Without accounts, the line would be one of zeros.
      draw: ({ history, portfolio }) => (portfolio && isEmpty(portfolio) ? undefined : historyFigure(history, {})),
      height: [613, 620],
    },
    {
      name: 'portfolio',
      title: TEXT.portfolio,
      requests: { portfolio: { path: 'portfolio', parameters: {} } },
      draw: ({ portfolio }) => portfolioSection(portfolio, actions),
      height: [1040, 626],
    },
    {
      name: 'banks',
      title: TEXT.banks,
      requests: { banks: { path: 'banks/status', parameters: {} } },
      draw: ({ banks }) => banksFigure(banks),
      height: [608, 407],
      later: true,
    },
  ],
};

/** @type {Place} */
export const searchPlace = {
  name: 'search',
  title: () => TEXT.transactions,
  parts: (parameters, actions) => [searchForm(parameters, actions), searchRows(parameters, actions)],
};

/** Returns the read of all spending with the own categories, or the tags, of a person.
 * @param {'ownCategory' | 'tag'} groupBy @returns {DataRequest} */
function groupedSpending(groupBy) {
  return { path: 'spending/categories', parameters: { groupBy, includeExcluded: true }, optional: true };
}

/** @param {Parameters} parameters @param {Actions} actions @returns {Part} */
function searchForm(parameters, { change = () => {} }) {
  return {
    name: 'form',
    title: TEXT.search,
    requests: {
      portfolio: { path: 'portfolio', parameters: {}, optional: true },
      ownCategories: groupedSpending('ownCategory'),
      tags: groupedSpending('tag'),
    },
    draw: (offered) => {
      const known = document.querySelector('#filters');
      if (known?.parentElement && document.activeElement?.id === 'filter-search') {
        return known.parentElement;
      }
      const form = transactionFilters(parameters, offered, change);
      const isOpen = known instanceof HTMLDetailsElement && known.open;
      form.querySelector('details')?.toggleAttribute('open', isOpen);
      return form;
    },
    height: [84, 84],
  };
}

/** @param {Parameters} parameters @param {Actions} actions @returns {Part} */
function searchRows(parameters, actions) {
  return {
    name: 'rows',
    title: TEXT.transactions,
    requests: { transactions: transactionsRequest(parameters) },
    draw: ({ transactions }) =>
      transactionsFigure(transactions, parameters, actions, { caption: TEXT.transactionsCaption }),
    height: [2600, 2600],
  };
}
