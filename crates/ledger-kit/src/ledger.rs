//! The ledger in memory: each method reads the rows that the grant of the call allows.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::access::Access;
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::person::{Person, Surfaces};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals,
    ReadError, Reading, SpendingTotals, TransactionRows,
};
use passbook_domain::range::{DateRange, Days, ResolvedDays};
use passbook_domain::recurring::Payment;
use passbook_domain::transaction::TransactionQuery;
use uuid::Uuid;

use crate::assets::Valuation;
use crate::data::StoredPerson;
use crate::rates::Rates;
use crate::rows::Rows;

const ALL_DAYS: Days = Days::Range(DateRange::EVERYTHING);

/// Decides which rows a call may read. A host implements the trait over its own sessions and tokens.
pub trait Grants: Send + Sync {
    /// Returns the rows of the caller, if the grant of the call allows them.
    ///
    /// # Errors
    /// The grant is revoked, expired or unknown, or does not allow person, surface or scope of the access:
    /// [`Access::is_surface_allowed`] and [`Access::check_scope`] check the last two.
    fn open(&self, access: &Access<'_>) -> Result<OpenRows<'_>, ReadError>;
}

impl<G: Grants> Grants for Arc<G> {
    fn open(&self, access: &Access<'_>) -> Result<OpenRows<'_>, ReadError> {
        G::open(self, access)
    }
}

/// The rows that one call may read.
#[derive(Clone, Debug)]
pub struct OpenRows<'a> {
    /// The person who calls.
    pub person: &'a StoredPerson,
    /// The exchange rates.
    pub rates: &'a Rates,
    /// Surfaces that the grant allows.
    pub surfaces: Surfaces,
    /// The current day in the person's time zone.
    pub today: Date,
}

/// A ledger over rows in memory. It computes every answer from all rows of the person, so it suits tests, examples and
/// small hosts.
#[derive(Clone, Debug)]
pub struct MemoryLedger<G>(G);

impl<G: Grants> MemoryLedger<G> {
    /// Creates a ledger whose rows `grants` opens.
    pub const fn new(grants: G) -> MemoryLedger<G> {
        MemoryLedger(grants)
    }

    /// Returns the grants.
    pub const fn grants(&self) -> &G {
        &self.0
    }

    /// Opens the caller's rows and reads from them. Every method uses this function, so none can omit the check.
    fn read<'a, T: Send + 'a>(
        &'a self,
        access: &Access<'_>,
        days: Days,
        read: impl FnOnce(&Opened<'_>, ResolvedDays) -> Result<T, ReadError>,
    ) -> LedgerFuture<'a, T> {
        let reading = self.0.open(access).and_then(|OpenRows { person: stored, rates, surfaces, today }| {
            let user = access.credential().user();
            let person = Person::new(user, &stored.name, stored.preferred_currency, &stored.time_zone, today)
                .with_excluded_categories(stored.excluded_categories.clone());
            let days = days.resolve(today);
            let data = read(&Opened { stored, person: &person, rates }, days)?;
            Ok(Reading::new(person, surfaces, days, data))
        });
        Box::pin(std::future::ready(reading))
    }
}

/// The rows of a call with the settings of the person.
struct Opened<'a> {
    stored: &'a StoredPerson,
    person: &'a Person,
    rates: &'a Rates,
}

impl Opened<'_> {
    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.stored.transactions, self.person, self.rates)
    }

    fn assets(&self) -> Valuation<'_> {
        Valuation::new(&self.stored.assets, &self.stored.transactions, self.person, self.rates)
    }

    /// Returns the names of an account and of its bank, if the account is stored.
    fn names(&self, account: Option<Uuid>) -> (Option<String>, Option<String>) {
        let assets = &self.stored.assets;
        let Some(stored) = assets.accounts.iter().find(|stored| Some(stored.account.id) == account) else {
            return (None, None);
        };
        let bank = assets.banks.iter().find(|bank| bank.id == stored.bank);
        (Some(stored.account.name.clone()), bank.map(|bank| bank.name.clone()))
    }

    /// Returns a function from a time to the day in the person's time zone.
    fn day_of(&self) -> Result<impl Fn(Timestamp) -> Date + use<>, ReadError> {
        let zone =
            TimeZone::get(&self.person.time_zone).map_err(|error| ReadError::Broken(Box::new(error)))?;
        Ok(move |time: Timestamp| time.to_zoned(zone.clone()).date())
    }
}

impl<G: Grants> Ledger for MemoryLedger<G> {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.read(access, ALL_DAYS, |_, _| Ok(()))
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, TransactionRows> {
        self.read(access, query.days.into(), |open, days| {
            let mut page = open.rows().page(query, days)?;
            for row in &mut page.rows {
                (row.account_name, row.bank_name) = open.names(row.account_id);
            }
            Ok(page)
        })
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        self.read(access, query.days, |open, days| Ok(open.rows().cashflow(query, days, group_by)))
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.read(access, query.days, |open, days| Ok(open.rows().spending(query, days, group_by)))
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.read(access, query.days, |open, days| {
            Ok(open.rows().spending_by_category(query, days, group_by))
        })
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        self.read(access, query.days, |open, days| Ok(open.rows().top_merchants(query, days, limit)))
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.read(access, ALL_DAYS, |open, _| {
            let mut payments = open.rows().payments(as_of);
            let accounts: HashMap<Uuid, Option<Uuid>> =
                open.stored.transactions.iter().map(|row| (row.id, row.account_id)).collect();
            for payment in &mut payments {
                payment.account_name = open.names(accounts[&payment.id]).0;
            }
            Ok(payments)
        })
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        let requested = Days::Month { year, month };
        self.read(access, requested, |open, days| {
            let rows = open.rows();
            let mut totals = BudgetTotals::default();
            totals.expenses = rows.expenses_by_category(days);
            totals.planned = rows.planned_expenses(&CountedQuery::new(requested), days);
            totals.refunds = rows.refunds_by_category(days);
            totals.targets = rows.targets(&open.stored.targets, days);
            Ok(totals)
        })
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.read(access, ALL_DAYS, |open, _| {
            let mut budgets = open.stored.budgeted_income.clone();
            budgets.sort_by_key(|budget| budget.category.as_str());
            Ok(budgets)
        })
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.read(access, ALL_DAYS, |open, _| Ok(open.assets().banks(open.day_of()?)))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.read(access, ALL_DAYS, |open, _| open.assets().portfolio(open.day_of()?))
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.read(access, *days, |open, days| open.assets().history(days, interval, by, open.day_of()?))
    }
}
