//! A ledger in memory, of which some operations panic and some never end.

use auth::personal_access_token::PlainToken;
use domain::Currency;
use domain::access::Access;
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::period::{GroupBy, MonthGrouping};
use domain::person::{Person, Surfaces};
use domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use domain::ports::{
    BoxFuture, BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture,
    MerchantTotals, ReadError, Reading, SpendingTotals, TokenDirectory, TokenHash, TokenOwner,
};
use domain::range::{DateRange, Days};
use domain::recurring::Payment;
use domain::scope::Scope;
use domain::transaction::{Transaction, TransactionQuery};
use jiff::civil::Date;
use tests::app::TODAY;
use uuid::Uuid;

/// A ledger whose operations succeed (`me`, `banks_status`), panic (`cashflow_summary`) or never end (every other).
pub(super) struct TestLedger {
    /// The scopes of the grant.
    pub(super) scopes: Vec<Scope>,
}

impl TestLedger {
    fn read<'a, T: Send + 'a>(&'a self, access: &Access<'_>, data: T) -> LedgerFuture<'a, T> {
        let missing = access.scope().filter(|scope| !self.scopes.contains(scope));
        let days = Days::from(DateRange::EVERYTHING).resolve(TODAY);
        let person = Person {
            id: access.credential().user(),
            email: "anna@example.com".to_owned(),
            preferred_currency: Currency::EUR,
            time_zone: "UTC".to_owned(),
            today: TODAY,
            excluded_categories: Vec::new(),
        };
        let surfaces = Surfaces { rest: true, mcp: true };
        let reading = match missing {
            Some(scope) => Err(ReadError::MissingScope(scope)),
            None => Ok(Reading { person, surfaces, days, data }),
        };
        Box::pin(std::future::ready(reading))
    }

    fn never<'a, T: Send + 'a>(&'a self) -> LedgerFuture<'a, T> {
        Box::pin(std::future::pending())
    }
}

impl TokenDirectory for TestLedger {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        let owner = TokenOwner { token: Uuid::from_u128(1), user: Uuid::from_u128(2) };
        let is_known = hash == token().hash();
        Box::pin(async move { Ok(is_known.then_some(owner)) })
    }
}

impl Ledger for TestLedger {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.read(access, ())
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.read(access, Vec::new())
    }

    fn cashflow<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a CountedQuery,
        _: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        Box::pin(async { panic!("the {} row is broken", "seventh") })
    }

    fn transactions<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.never()
    }

    fn spending<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a CountedQuery,
        _: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.never()
    }

    fn spending_by_category<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a CountedQuery,
        _: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.never()
    }

    fn top_merchants<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a CountedQuery,
        _: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        self.never()
    }

    fn recurring_payments<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.never()
    }

    fn budget_summary<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: Option<i16>,
        _: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.never()
    }

    fn budget_categories<'a>(&'a self, _: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.never()
    }

    fn portfolio<'a>(&'a self, _: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.never()
    }

    fn portfolio_history<'a>(
        &'a self,
        _: &'a Access<'a>,
        _: &'a Days,
        _: IntervalChoice,
        _: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.never()
    }
}

/// The only token of the directory.
pub(super) fn token() -> &'static PlainToken {
    static TOKEN: std::sync::OnceLock<PlainToken> = std::sync::OnceLock::new();
    TOKEN.get_or_init(|| PlainToken::generate("pbk_"))
}
