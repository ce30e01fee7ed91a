//! The ports the service needs filled: where the money is read, and where a token's owner is found. The third, whether
//! it is worth asking, is [`crate::readiness`].

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use jiff::civil::Date;
use uuid::Uuid;

use crate::access::Access;
use crate::bank::Bank;
use crate::budget::BudgetCategoryEntry;
use crate::category::ExpenseCategory;
use crate::currency::Currency;
use crate::period::GroupBy;
use crate::person::{Person, Surfaces};
use crate::portfolio::{Held, HistorySums, IntervalChoice};
use crate::range::{DateRange, Days, ResolvedDays};
use crate::recurring::Payment;
use crate::scope::Scope;
use crate::tally::Sum;
use crate::transaction::{Transaction, TransactionQuery, TransactionType};

/// A future behind a port: boxed, so that adapters need not be compiled once per ledger.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What the ledger answers, in time.
pub type Answer<'a, T> = BoxFuture<'a, Result<Reading<T>, ReadError>>;

/// An answer of the ledger, with what its transaction saw of the person and the grant.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The person, and the settings in force.
    pub person: Person,
    /// The surfaces the grant allows.
    pub surfaces: Surfaces,
    /// The days that were asked about, resolved.
    pub days: ResolvedDays,
    /// The rows.
    pub data: T,
}

/// The rows that totals are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedQuery {
    /// Days, inclusive.
    pub days: Days,
    /// Whether pending rows count.
    pub include_pending: bool,
    /// Whether excluded categories count.
    pub include_excluded: bool,
}

impl CountedQuery {
    /// Every day, pending rows included, excluded categories left out: what counts when nothing else is said.
    pub const EVERYTHING: CountedQuery = CountedQuery {
        days: Days::Range(DateRange::EVERYTHING),
        include_pending: true,
        include_excluded: false,
    };
}

/// Spending in a range and before it.
#[derive(Clone, Debug, Default)]
pub struct SpendingSums {
    /// Expenses by the first day of their period.
    pub expenses: Vec<(Option<Date>, Sum)>,
    /// Refunds.
    pub refunds: Vec<Sum>,
    /// Expenses of the same number of days directly before; empty for an open range.
    pub previous: Vec<Sum>,
    /// First and last day with a counted expense or refund.
    pub counted_days: Option<(Date, Date)>,
}

/// Spending by category, and the refunds of each category's purchases.
#[derive(Clone, Debug, Default)]
pub struct CategorySums {
    /// Expenses.
    pub expenses: Vec<(ExpenseCategory, Sum)>,
    /// Refunds, by the category of the purchase.
    pub refunds: Vec<(ExpenseCategory, Sum)>,
}

/// Spending by merchant.
#[derive(Clone, Debug, Default)]
pub struct MerchantSums {
    /// All expenses, those without a merchant included.
    pub total: Vec<Sum>,
    /// The largest merchants in their most recent spelling, in order; several sums each.
    pub merchants: Vec<(String, Vec<Sum>)>,
}

/// What is meant to be spent on a category in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// In hundredths of `currency`.
    pub amount_cents: i64,
    /// As stored.
    pub currency: Currency,
    /// In the preferred currency at the month's end or today, whichever is earlier; none without a rate.
    pub converted_cents: Option<i64>,
}

/// Spending by category in a month, and the targets.
#[derive(Clone, Debug, Default)]
pub struct BudgetSums {
    /// Expenses of the month.
    pub expenses: Vec<(ExpenseCategory, Sum)>,
    /// Targets, of categories that are not left out.
    pub targets: Vec<(ExpenseCategory, Target)>,
}

/// Answers questions about one person's money.
///
/// Every method reads the grant and the data in one read-only transaction, and gives out rows only if the grant
/// is live and allows what [`Access`] needs.
pub trait Ledger: Send + Sync {
    /// The person, their settings and their grant; no rows.
    fn person<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, ()>;

    /// The rows of one page and, when there is a next page, one row more.
    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> Answer<'a, Vec<Transaction>>;

    /// Sums of income and expenses.
    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> Answer<'a, Vec<(TransactionType, Sum)>>;

    /// Sums of expenses by period, of refunds, and of the days before.
    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> Answer<'a, SpendingSums>;

    /// Sums of expenses, and of the refunds of purchases, by category.
    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> Answer<'a, CategorySums>;

    /// Sums of expenses at the `limit` largest merchants.
    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> Answer<'a, MerchantSums>;

    /// Income and expenses of the [`WINDOW_MONTHS`](crate::recurring::WINDOW_MONTHS) up to a day, today when none is
    /// given, converted at that day's rates.
    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> Answer<'a, Vec<Payment>>;

    /// Sums of expenses by category in a month, and the targets.
    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> Answer<'a, BudgetSums>;

    /// The income categories that are budgeted for, by category.
    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Vec<BudgetCategoryEntry>>;

    /// Every bank, by name.
    fn banks<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Vec<Bank>>;

    /// What the person has now.
    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Held>;

    /// What the person had at the end of each point's day, and of the first day. No sums when there would be more
    /// than [`PERIODS_MAX`](crate::period::PERIODS_MAX) points.
    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
    ) -> Answer<'a, HistorySums>;
}

/// Why the ledger gave no rows.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The grant is gone: unknown user, unknown or revoked token or client.
    #[error("the grant is not live")]
    Revoked,
    /// The grant's time is over.
    #[error("the grant has expired")]
    Expired,
    /// The grant does not serve this person, or not through this surface.
    #[error("the grant does not allow this person or surface")]
    Forbidden,
    /// The grant lacks the scope.
    #[error("the grant lacks the scope {0}")]
    MissingScope(Scope),
    /// The cursor's row does not exist for this person.
    #[error("the cursor names no row")]
    UnknownCursor,
    /// The ledger cannot be reached now.
    #[error("the ledger is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The question took longer than a statement may.
    #[error("the ledger took too long")]
    TimedOut(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The ledger is wrong, or the question is.
    #[error("the ledger's answer cannot be used")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// SHA-256 of a personal access token. Prints as its type's name only.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// From the 32 bytes of the hash.
    pub const fn new(bytes: [u8; 32]) -> TokenHash {
        TokenHash(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash")
    }
}

/// Whose token it is. Both facts never change while the token exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenOwner {
    /// The token.
    pub token: Uuid,
    /// Its user.
    pub user: Uuid,
}

/// Finds the owner of a personal access token.
pub trait TokenDirectory: Send + Sync {
    /// The token with this hash; none when there is none. Says nothing about whether it is live.
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>>;
}

impl From<DateRange> for Days {
    fn from(range: DateRange) -> Days {
        Days::Range(range)
    }
}
