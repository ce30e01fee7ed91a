//! The ledger in memory: each method reads the rows that the grant of the call allows.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::access::Access;
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::label::{GroupLabel, LabelKind};
use passbook_domain::names::{Name, NameKind, Names};
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::person::{Person, Surfaces};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, LabelTotals, Ledger, LedgerFuture,
    MerchantTotals, ReadError, Reading, SpendingTotals, TransactionRows,
};
use passbook_domain::range::{DateRange, Days, ResolvedDays};
use passbook_domain::recurring::Payment;
use passbook_domain::scope::Scope;
use passbook_domain::transaction::TransactionQuery;
use uuid::Uuid;

use crate::assets::{StoredAccount, Valuation};
use crate::data::StoredPerson;
use crate::rates::Rates;
use crate::rows::Rows;

/// Maximum number of merchants whose names are compared.
const MERCHANTS_MAX: usize = 2_000;
/// Maximum number of merchants that a text names.
const FITTING_MAX: usize = 21;
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
                .with_month_start(stored.month_start)
                .with_excluded_categories(stored.excluded_categories.clone());
            let days = days.resolve(today, stored.month_start);
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
        let rows = Rows::new(&self.stored.transactions, self.person, self.rates);
        rows.with_own_categories(&self.stored.own_categories)
    }

    fn assets(&self) -> Valuation<'_> {
        Valuation::new(&self.stored.assets, &self.stored.transactions, self.person, self.rates)
    }

    /// Returns the names of an account and of its bank, if the account is stored.
    fn names(&self, account: Option<Uuid>) -> (Option<Arc<str>>, Option<Arc<str>>) {
        let assets = &self.stored.assets;
        let Some(stored) = assets.accounts.iter().find(|stored| Some(stored.account.id) == account) else {
            return (None, None);
        };
        let bank = assets.banks.iter().find(|bank| bank.id == stored.bank);
        (Some(stored.account.name.as_str().into()), bank.map(|bank| bank.name.as_str().into()))
    }

    /// Returns the names of a kind; of merchants those that each text names, and without texts the largest.
    fn names_of(&self, kind: NameKind, texts: &[String]) -> Vec<Name> {
        let assets = &self.stored.assets;
        let name = |id: String, name: &str, detail, ids| Name {
            kind,
            id,
            name: name.to_owned(),
            detail,
            ids,
            given: None,
        };
        match kind {
            NameKind::Account => {
                let account = |StoredAccount { account, .. }: &StoredAccount| {
                    let bank = self.names(Some(account.id)).1.unwrap_or_default();
                    let detail = format!("{bank}, {}", account.subtype);
                    name(account.id.to_string(), &account.name, Some(detail), vec![account.id])
                };
                assets.accounts.iter().map(account).collect()
            }
            NameKind::Bank => {
                let accounts = |bank: &Bank| {
                    let own = assets.accounts.iter().filter(|stored| stored.bank == bank.id);
                    own.map(|stored| stored.account.id).collect()
                };
                assets
                    .banks
                    .iter()
                    .map(|bank| name(bank.id.to_string(), &bank.name, None, accounts(bank)))
                    .collect()
            }
            NameKind::OwnCategory => {
                let own = |own: &GroupLabel| {
                    let detail = own.category.map(|category| category.as_str().to_owned());
                    name(own.label.id.to_string(), &own.label.name, detail, vec![own.label.id])
                };
                self.stored.own_categories.iter().map(own).collect()
            }
            NameKind::Tag => {
                let used = self.stored.transactions.iter().flat_map(|row| &row.tags);
                let tags = used.chain(&self.stored.tags);
                let tags: BTreeMap<Uuid, &str> = tags.map(|tag| (tag.id, tag.name.as_str())).collect();
                tags.into_iter().map(|(id, text)| name(id.to_string(), text, None, vec![id])).collect()
            }
            NameKind::Merchant => {
                let merchant = |(key, spelling): (String, String)| name(key, &spelling, None, Vec::new());
                let named = texts.iter().flat_map(|text| {
                    let given = Some(text.clone());
                    let names = self.rows().merchants_named(text).into_iter().map(merchant).take(FITTING_MAX);
                    names.map(move |name| Name { given: given.clone(), ..name })
                });
                match texts {
                    [] => self.rows().all_merchants().into_iter().map(merchant).take(MERCHANTS_MAX).collect(),
                    _ => named.collect(),
                }
            }
        }
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

    fn spending_by_label<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        kind: LabelKind,
    ) -> LedgerFuture<'a, LabelTotals> {
        self.read(access, query.days, |open, days| {
            let mut totals = open.rows().spending_by_label(query, days, kind);
            if kind == LabelKind::Account {
                for (GroupLabel { label, .. }, _) in &mut totals.groups {
                    label.name = open.names(Some(label.id)).0.as_deref().unwrap_or_default().to_owned();
                }
            }
            Ok(totals)
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
            totals.planned = rows.planned_expenses(&CountedQuery::new(requested).with_excluded(), days);
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

    #[expect(
        clippy::disallowed_methods,
        reason = "a kind of names has scopes of its own, which the grants check"
    )]
    fn names<'a>(
        &'a self,
        access: &'a Access<'a>,
        kinds: &'a [NameKind],
        merchants: &'a [String],
    ) -> LedgerFuture<'a, Names> {
        let holds =
            |scope: &Scope| self.0.open(&Access::for_operation(access.credential(), Some(*scope))).is_ok();
        let readable: Vec<NameKind> =
            kinds.iter().copied().filter(|kind| kind.scopes().iter().any(holds)).collect();
        self.read(access, ALL_DAYS, |open, _| {
            let names = readable.iter().flat_map(|kind| open.names_of(*kind, merchants)).collect();
            Ok(Names { readable, names })
        })
    }
}
