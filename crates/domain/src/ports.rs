//! Two of the three ports that a host implements: [`Ledger`] reads a person's data, [`TokenDirectory`] finds the owner
//! of a personal access token. The third port is `Readiness` in the module `readiness`.

mod totals;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use jiff::civil::Date;
use uuid::Uuid;

use crate::access::{Access, Credential, MissingScope};
use crate::bank::Bank;
use crate::budget::BudgetCategoryEntry;
use crate::category::Category;
use crate::label::LabelKind;
use crate::names::{NameKind, Names};
use crate::period::{GroupBy, MonthGrouping};
use crate::person::{Person, Surfaces};
use crate::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use crate::range::{DateRange, Days, ResolvedDays};
use crate::recurring::Payment;
use crate::transaction::{MerchantQuery, TransactionQuery};

pub use totals::{
    BudgetTotals, CashflowTotals, CategoryTotals, LabelTotals, MerchantTotals, MonthTotals, SpendingTotals,
    Target, TransactionRows,
};

/// A boxed future, as the methods of a port return it. Boxing makes the port traits usable as trait objects, so the
/// adapters are compiled once and not once for each ledger.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The future result of a ledger method.
pub type LedgerFuture<'a, T> = BoxFuture<'a, Result<Reading<T>, ReadError>>;

/// Data read from the ledger, with the person and the grant as the same database transaction saw them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading<T> {
    /// The person with their settings.
    pub person: Person,
    /// Surfaces that the grant allows.
    pub surfaces: Surfaces,
    /// First and last day of the requested range, resolved against the person's current day.
    pub days: ResolvedDays,
    /// The requested data.
    pub data: T,
}

impl<T> Reading<T> {
    /// Creates a reading of `data`.
    pub fn new(person: Person, surfaces: Surfaces, days: ResolvedDays, data: T) -> Reading<T> {
        Reading { person, surfaces, days, data }
    }

    /// Converts the data; person, surfaces and days stay.
    pub fn map<U>(self, convert: impl FnOnce(T, &Person) -> U) -> Reading<U> {
        let data = convert(self.data, &self.person);
        Reading { person: self.person, surfaces: self.surfaces, days: self.days, data }
    }
}

/// Filter for the transactions that a total includes: the income and expenses of a list with the same filters. Internal
/// transfers are never included.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedQuery {
    /// Range of days, both ends inclusive.
    pub days: Days,
    /// True if pending transactions are included.
    pub include_pending: bool,
    /// True if transactions in the person's excluded categories are included.
    pub include_excluded: bool,
    /// Categories of the included transactions; none includes all. A named category is included although the person
    /// excluded it.
    pub categories: Option<Vec<Category>>,
    /// Identifiers of the accounts of the included transactions; none includes all.
    pub accounts: Option<Vec<Uuid>>,
    /// Text in the merchant name, title or note. Case and accents are ignored.
    pub merchant: Option<MerchantQuery>,
    /// Own categories of the included transactions; none includes all. A category includes those that it contains.
    pub own_categories: Option<Vec<Uuid>>,
    /// Tags of the included transactions; none includes all.
    pub tags: Option<Vec<Uuid>>,
    /// Identifiers of the merchants of the included transactions; none includes all.
    pub merchants: Option<Vec<String>>,
}

impl CountedQuery {
    /// The default filter: transactions of every day, with pending transactions, without excluded categories.
    pub const EVERYTHING: CountedQuery = CountedQuery {
        days: Days::Range(DateRange::EVERYTHING),
        include_pending: true,
        include_excluded: false,
        categories: None,
        accounts: None,
        merchant: None,
        own_categories: None,
        tags: None,
        merchants: None,
    };

    /// Returns the default filter of [`CountedQuery::EVERYTHING`] for the transactions of `days`.
    pub fn new(days: impl Into<Days>) -> CountedQuery {
        CountedQuery { days: days.into(), ..CountedQuery::EVERYTHING }
    }

    /// Includes transactions in the person's excluded categories.
    #[must_use]
    pub fn with_excluded(self) -> CountedQuery {
        CountedQuery { include_excluded: true, ..self }
    }
}

impl Default for CountedQuery {
    fn default() -> CountedQuery {
        CountedQuery::EVERYTHING
    }
}

/// Reads one person's financial data.
///
/// Every method reads the grant and the data in one read-only transaction. It returns data only if the grant is neither
/// revoked nor expired and allows the user and the surface of [`Access`], and if [`Access::check_scope`] finds the scope.
///
/// A method that a later version adds has a default, which returns [`ReadError::NotOffered`]. So an implementation
/// compiles unchanged with the later version, and does not offer what the method reads.
pub trait Ledger: Send + Sync {
    /// Reads the person, their settings and their grant, without other data.
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()>;

    /// Reads the transactions of one page. If a next page exists, it returns one row more than the page size.
    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, TransactionRows>;

    /// Reads the totals of income and of expenses by period. The periods are months or the whole range.
    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals>;

    /// Reads the expense totals by period, the refund totals, and the expense totals of the days before the range.
    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals>;

    /// Reads the totals of expenses by category and period, and the totals of refunds by category. The periods are
    /// months or the whole range. The filters select refunds by their purchase.
    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals>;

    /// Reads the totals of expenses by own category, tag or account. A transaction with several tags is in the total of each.
    fn spending_by_label<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        kind: LabelKind,
    ) -> LedgerFuture<'a, LabelTotals> {
        let _ = (access, query, kind);
        Box::pin(std::future::ready(Err(ReadError::NotOffered("totals by own category, tag and account"))))
    }

    /// Reads the expense totals of the `limit` merchants with the largest totals.
    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals>;

    /// Reads the income and expenses of the [`WINDOW_MONTHS`](crate::recurring::WINDOW_MONTHS) months up to and
    /// including `as_of`, converted at the rates of that day. Without `as_of`, the person's current day is used.
    /// If there are more than [`ANALYSED_PAYMENTS_MAX`](crate::recurring::ANALYSED_PAYMENTS_MAX), it may return any of
    /// them, and returns at least one more than that number.
    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>>;

    /// Reads the expense totals by category in a month, and the targets. A missing year or month is the current one.
    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals>;

    /// Reads the budgeted income categories, sorted by category.
    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>>;

    /// Reads all banks, sorted by name.
    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>>;

    /// Reads the person's portfolio as it is today.
    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows>;

    /// Reads the value of the portfolio at the end of the first day and of each point's day, and the series that `by`
    /// names. Returns no values if there would be more than [`PERIODS_MAX`](crate::period::PERIODS_MAX) points.
    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals>;

    /// Reads the names of some kinds, those that the scopes of the caller read ([`Access::holds`]), in any order. A person may have
    /// very many merchants: those that each text of `merchants` names are read, and without texts those with the largest expenses.
    fn names<'a>(
        &'a self,
        access: &'a Access<'a>,
        kinds: &'a [NameKind],
        merchants: &'a [String],
    ) -> LedgerFuture<'a, Names> {
        let _ = (access, kinds, merchants);
        Box::pin(std::future::ready(Err(ReadError::NotOffered("names"))))
    }

    /// Opens a snapshot: a ledger whose methods all read the same state of the data and the same grant. The snapshot
    /// ends when it is dropped. It returns data only for this credential, and each call still checks the scope of its
    /// own [`Access`].
    ///
    /// A snapshot may hold a resource, such as a database connection. The snapshot of a snapshot is not offered.
    ///
    /// # Errors
    /// [`ReadError::NotOffered`] by default, else [`ReadError::Unavailable`].
    fn snapshot<'a>(
        &'a self,
        credential: &'a Credential,
    ) -> BoxFuture<'a, Result<Box<dyn Ledger + 'a>, ReadError>> {
        let _ = credential;
        Box::pin(std::future::ready(Err(ReadError::NotOffered("snapshots"))))
    }
}

/// The reason why the ledger returned no data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The user, token or client is unknown, or the grant is revoked.
    #[error("the grant is unknown or revoked")]
    Revoked,
    /// The grant has expired.
    #[error("the grant has expired")]
    Expired,
    /// The grant belongs to another person, or it does not allow the surface.
    #[error("the grant does not allow this person or surface")]
    Forbidden,
    /// The grant or the token does not include the required scope.
    #[error(transparent)]
    MissingScope(#[from] MissingScope),
    /// The person has no row with the cursor's date and identifier.
    #[error("the cursor names no row of this person")]
    UnknownCursor,
    /// The ledger does not implement the method. Contains the name of the missing data, as a plural: "snapshots".
    #[error("the ledger does not offer {0}")]
    NotOffered(&'static str),
    /// The ledger cannot be reached.
    #[error("the ledger is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A statement of the database exceeded its time limit.
    #[error("the ledger exceeded its time limit")]
    TimedOut(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The ledger returned unusable data or rejected the query. This is a defect.
    #[error("the ledger returned unusable data")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// SHA-256 of a personal access token. The `Debug` output contains the type's name only, so that no log contains a
/// hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Creates a hash from its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> TokenHash {
        TokenHash(bytes)
    }

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash")
    }
}

/// The owner of a personal access token. It never changes while the token exists, so it may be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenOwner {
    /// Identifier of the token.
    pub token: Uuid,
    /// Identifier of the user who owns the token.
    pub user: Uuid,
}

/// Looks up personal access tokens.
pub trait TokenDirectory: Send + Sync {
    /// Finds the owner of the personal access token with this hash; none if no token has the hash. Revoked and expired
    /// tokens have an owner, too.
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>>;
}
