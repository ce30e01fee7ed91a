//! A ledger in memory, of which some operations panic and some never end, and the log lines of a test.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jiff::civil::Date;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::Currency;
use passbook_domain::access::Access;
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::month_start::MonthStart;
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::person::{Person, Surfaces};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BoxFuture, BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture,
    MerchantTotals, ReadError, Reading, SpendingTotals, TokenDirectory, TokenHash, TokenOwner,
    TransactionRows,
};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::recurring::Payment;
use passbook_domain::scope::Scope;
use passbook_domain::transaction::TransactionQuery;
use serde_json::Value;
use tests::app::TODAY;
use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;
use tracing_subscriber::fmt::MakeWriter;
use uuid::Uuid;

/// A ledger whose operations succeed (`me`, `banks_status`), panic (`cashflow_summary`) or never end (every other).
pub(super) struct TestLedger {
    /// The scopes of the grant.
    scopes: Vec<Scope>,
    /// True if the ledger and its token directory are unavailable.
    pub(super) is_unavailable: AtomicBool,
}

impl TestLedger {
    /// Creates a ledger whose grant has these scopes.
    pub(super) fn new(scopes: &[Scope]) -> TestLedger {
        TestLedger { scopes: scopes.to_vec(), is_unavailable: AtomicBool::new(false) }
    }

    fn check(&self) -> Result<(), ReadError> {
        let unavailable = || ReadError::Unavailable("the connection was refused".into());
        if self.is_unavailable.load(Ordering::Relaxed) { Err(unavailable()) } else { Ok(()) }
    }

    fn read<'a, T: Send + 'a>(&'a self, access: &Access<'_>, data: T) -> LedgerFuture<'a, T> {
        tracing::debug!("the ledger reads");
        let days = Days::from(DateRange::EVERYTHING).resolve(TODAY, MonthStart::FIRST_DAY);
        let user = access.credential().user();
        let person = Person::new(user, "anna@example.com", Currency::EUR, "UTC", TODAY);
        let surfaces = Surfaces { rest: true, mcp: true };
        let stored = self.scopes.iter().map(|scope| scope.as_str());
        let allowed =
            if access.is_surface_allowed(surfaces, stored) { Ok(()) } else { Err(ReadError::Forbidden) };
        let checked = self.check().and(allowed).and_then(|()| Ok(access.check_scope(&self.scopes)?));
        Box::pin(std::future::ready(checked.map(|()| Reading::new(person, surfaces, days, data))))
    }

    fn never<'a, T: Send + 'a>(&'a self) -> LedgerFuture<'a, T> {
        Box::pin(std::future::pending())
    }
}

impl TokenDirectory for TestLedger {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        let owner = TokenOwner { token: Uuid::from_u128(1), user: Uuid::from_u128(2) };
        let is_known = hash == token().hash();
        Box::pin(async move { self.check().map(|()| is_known.then_some(owner)) })
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
    ) -> LedgerFuture<'a, TransactionRows> {
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

/// A second subscriber, which logs nothing. If there is only one, `tracing` disables a statement for the whole program when
/// the first thread that reaches the statement has no subscriber, as the threads of most tests.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// The lines that a test logs, as JSON.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects what this thread logs from now on.
    pub(crate) fn collect(&self) -> tracing::subscriber::DefaultGuard {
        self.collect_filtered("debug")
    }

    /// Collects what this thread logs from now on and the filter lets through.
    pub(crate) fn collect_filtered(&self, filter: &str) -> tracing::subscriber::DefaultGuard {
        LazyLock::force(&SECOND);
        let subscriber = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(self.clone());
        tracing::subscriber::set_default(subscriber.finish())
    }

    /// Takes the lines logged at level `info` or above.
    pub(crate) fn take(&self) -> Vec<Value> {
        self.take_all().into_iter().filter(|line| line["level"] != "DEBUG").collect()
    }

    /// Takes the lines logged at any level.
    pub(crate) fn take_all(&self) -> Vec<Value> {
        let written = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8(written).expect("the log is UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Log {
    type Writer = Log;

    fn make_writer(&'w self) -> Log {
        self.clone()
    }
}
