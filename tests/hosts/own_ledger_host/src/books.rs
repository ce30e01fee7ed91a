//! The rows, sessions and tokens of all people in memory: an implementation of every port.
//!
//! The ledger selects rows and groups them into totals per currency; `operations` computes results from the totals. An
//! amount in another currency than the preferred one has no converted amount, so every total reports it apart.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use auth::personal_access_token::PlainToken;
use domain::access::{Access, GrantReference};
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::category::{Category, IncomeCategory};
use domain::period::{GroupBy, MonthGrouping};
use domain::person::{Person, Surfaces};
use domain::portfolio::{HistoryTotals, Interval, IntervalChoice, PortfolioRows, SeriesChoice};
use domain::ports::{
    BoxFuture, BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture,
    MerchantTotals, ReadError, Reading, SpendingTotals, TokenDirectory, TokenHash, TokenOwner,
};
use domain::range::{DateRange, DaySpan, Days, ResolvedDays, parse_date};
use domain::readiness::{Check, Readiness};
use domain::recurring::Payment;
use domain::scope::{Scope, Surface};
use domain::tally::CurrencyTotal;
use domain::transaction::{Transaction, TransactionQuery, TransactionType};
use domain::{Currency, Invalid};
use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use uuid::Uuid;

use crate::recurring::payments;
use crate::rows::{
    CURRENCY, compare, counted, cursor_key, expense_category, extend, lists, month, previous_days, sort_key,
    sum,
};

/// The prefix of this host's tokens.
pub(crate) const TOKEN_PREFIX: &str = "own_";
/// The scopes of every token. A session has all scopes.
const TOKEN_SCOPES: [Scope; 2] = [Scope::SpendingRead, Scope::CashflowRead];

#[derive(Default)]
pub(crate) struct Books {
    people: BTreeMap<Uuid, Page>,
    sessions: Mutex<HashMap<String, Uuid>>,
    tokens: HashMap<TokenHash, TokenOwner>,
}

/// The name and the rows of one person.
struct Page {
    name: String,
    rows: Vec<Transaction>,
}

impl Books {
    /// Reads rows from text. People and rows get ascending numbers as ids.
    pub(crate) fn read(text: &str) -> Result<Books, Invalid> {
        let mut books = Books::default();
        for (number, line) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = line.split('|').collect();
            let [name, date, kind, category, cents, currency, state, title, merchant] = fields[..] else {
                return Err(Invalid::new(format!("line {number} must have nine fields")));
            };
            let known = books.people.iter().find(|(_, page)| page.name == name).map(|(person, _)| *person);
            let person = known.unwrap_or_else(|| Uuid::from_u128(books.people.len() as u128 + 1));
            let page = books.people.entry(person);
            let page = page.or_insert_with(|| Page { name: name.to_owned(), rows: Vec::new() });
            page.rows.push(Transaction {
                id: Uuid::from_u128(number),
                r#type: TransactionType::parse(kind)?,
                category: Category::parse(category)?,
                amount_cents: cents.parse().map_err(|_| Invalid::new("must be cents"))?,
                date: parse_date(date)?,
                title: title.to_owned(),
                pending: state == "pending",
                currency: Currency::parse(currency)?,
                provider_category: None,
                converted: None,
                merchant_name: (!merchant.is_empty()).then(|| merchant.to_owned()),
                account_id: None,
                account_name: None,
                bank_name: None,
                linked_transaction_id: None,
            });
        }
        Ok(books)
    }

    pub(crate) fn people(&self) -> Vec<(Uuid, String)> {
        self.people.iter().map(|(person, page)| (*person, page.name.clone())).collect()
    }

    /// Creates a session with a random identifier of a token's strength.
    pub(crate) fn sign_in(&self, person: Uuid) -> String {
        let session = PlainToken::generate("").reveal().to_owned();
        self.sessions().insert(session.clone(), person);
        session
    }

    pub(crate) fn who_is_in(&self, session: &str) -> Option<Uuid> {
        self.sessions().get(session).copied()
    }

    pub(crate) fn sign_out(&self, grant: &GrantReference) {
        if let GrantReference::OauthClient { client_id: session, .. } = grant {
            self.sessions().remove(session);
        }
    }

    /// Creates a token and stores its hash only.
    pub(crate) fn give_token(&mut self, person: Uuid) -> PlainToken {
        let token = PlainToken::generate(TOKEN_PREFIX);
        self.tokens.insert(token.hash(), TokenOwner { token: person, user: person });
        token
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Uuid>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the scopes of a grant, or `None` if the grant has ended.
    fn scopes(&self, person: Uuid, grant: &GrantReference) -> Option<&'static [Scope]> {
        match grant {
            GrantReference::OauthClient { client_id: session, .. } => {
                (self.who_is_in(session) == Some(person)).then_some(Scope::ALL)
            }
            GrantReference::PersonalAccessToken(token) => (*token == person).then_some(&TOKEN_SCOPES),
        }
    }

    /// Reads the caller's rows if the grant allows it. Every method of the ledger uses this function, so none can omit the
    /// check.
    fn open<'a, T: Send + 'a>(
        &'a self,
        access: &Access<'_>,
        days: Days,
        read: impl FnOnce(&[Transaction], ResolvedDays) -> Result<T, ReadError>,
    ) -> LedgerFuture<'a, T> {
        let reading = self.granted(access).and_then(|person| {
            let page = self.people.get(&person.id.as_uuid()).ok_or(ReadError::Revoked)?;
            let days = days.resolve(person.today);
            let data = read(&page.rows, days)?;
            Ok(Reading { person, surfaces: Surfaces { rest: true, mcp: false }, days, data })
        });
        Box::pin(std::future::ready(reading))
    }

    fn granted(&self, access: &Access<'_>) -> Result<Person, ReadError> {
        let caller = access.credential();
        let person = caller.user().as_uuid();
        let scopes = self.scopes(person, caller.grant()).ok_or(ReadError::Revoked)?;
        if caller.surface() == Some(Surface::Mcp) {
            return Err(ReadError::Forbidden);
        }
        match access.scope() {
            Some(scope) if !scopes.contains(&scope) => Err(ReadError::MissingScope(scope)),
            _ => Ok(Person {
                id: caller.user(),
                email: self.people.get(&person).ok_or(ReadError::Revoked)?.name.clone(),
                preferred_currency: CURRENCY,
                time_zone: "UTC".to_owned(),
                today: today(),
                excluded_categories: Vec::new(),
            }),
        }
    }
}

impl TokenDirectory for Books {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        Box::pin(async move { Ok(self.tokens.get(&hash).copied()) })
    }
}

impl Readiness for Books {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async { vec![Check::new("books", Ok(()))] })
    }
}

impl Ledger for Books {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.open(access, DateRange::EVERYTHING.into(), |_, _| Ok(()))
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.open(access, query.days.into(), |rows, days| {
            let mut listed: Vec<&Transaction> = rows.iter().filter(|row| lists(query, days, row)).collect();
            listed.sort_by(|one, other| compare(query.sort, &sort_key(one), &sort_key(other)));
            if let Some(cursor) = query.after {
                let start = cursor_key(query.sort, cursor, rows)?;
                listed.retain(|row| compare(query.sort, &sort_key(row), &start).is_gt());
            }
            // The ledger returns one row more than the page if there is a next page.
            let rows_max = usize::try_from(query.page_size.get()).expect("a page size is small") + 1;
            Ok(listed.into_iter().take(rows_max).cloned().collect())
        })
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        self.open(access, query.days, |rows, days| {
            let mut totals = CashflowTotals::default();
            for row in counted(rows, days, query) {
                let month = month(group_by, row);
                match row.category {
                    Category::Income(category) => totals.income.push((month, category, sum(row))),
                    Category::Expense(_) => totals.expenses.push((month, sum(row))),
                }
                extend(&mut totals.counted_days, row);
            }
            Ok(totals)
        })
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.open(access, query.days, |rows, days| {
            let mut sums = SpendingTotals::default();
            for row in counted(rows, days, query) {
                match row.category {
                    Category::Expense(_) => sums.expenses.push((Some(group_by.start_of(row.date)), sum(row))),
                    Category::Income(IncomeCategory::Refund) => sums.refunds.push(sum(row)),
                    Category::Income(_) => continue,
                }
                extend(&mut sums.counted_days, row);
            }
            if let Some(before) = previous_days(days) {
                let before = counted(rows, before, query);
                sums.previous = before.filter(|row| expense_category(row).is_some()).map(sum).collect();
            }
            Ok(sums)
        })
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.open(access, query.days, |rows, days| {
            // No row names the purchase that it refunds.
            let mut totals = CategoryTotals::default();
            for row in counted(rows, days, query) {
                let Some(category) = expense_category(row) else { continue };
                totals.expenses.push((category, month(group_by, row), sum(row)));
                extend(&mut totals.counted_days, row);
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
        self.open(access, query.days, |rows, days| {
            let mut expenses: Vec<&Transaction> =
                counted(rows, days, query).filter(|row| expense_category(row).is_some()).collect();
            // The most recent spelling is the merchant's name.
            expenses.sort_by_key(|row| Reverse((row.date, row.id)));
            let mut merchants: HashMap<String, (String, Vec<CurrencyTotal>)> = HashMap::new();
            for row in &expenses {
                let Some(name) = row.merchant_name.as_deref().map(str::trim) else { continue };
                let entry = merchants.entry(name.to_lowercase()).or_insert((name.to_owned(), Vec::new()));
                entry.1.push(sum(row));
            }
            let mut merchants: Vec<(String, Vec<CurrencyTotal>)> = merchants.into_values().collect();
            let spent = |sums: &[CurrencyTotal]| -> i128 {
                sums.iter().filter_map(|sum| sum.converted_cents).map(i128::from).sum()
            };
            merchants.sort_by(|(one, ones), (other, others)| {
                spent(others).cmp(&spent(ones)).then_with(|| one.cmp(other))
            });
            merchants.truncate(usize::try_from(limit).expect("a limit is small"));
            Ok(MerchantTotals { total: expenses.into_iter().map(sum).collect(), merchants })
        })
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.open(access, DateRange::EVERYTHING.into(), |rows, _| {
            Ok(payments(rows, as_of.unwrap_or_else(today)))
        })
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.open(access, Days::Month { year, month }, |rows, days| {
            let rows = counted(rows, days, &CountedQuery::EVERYTHING);
            let expenses = rows.filter_map(|row| Some((expense_category(row)?, sum(row)))).collect();
            Ok(BudgetTotals { expenses, targets: Vec::new() })
        })
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.open(access, DateRange::EVERYTHING.into(), |_, _| Ok(Vec::new()))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.open(access, DateRange::EVERYTHING.into(), |_, _| Ok(Vec::new()))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.open(access, DateRange::EVERYTHING.into(), |_, _| Ok(PortfolioRows::default()))
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        _: IntervalChoice,
        _: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.open(access, *days, |_, days| {
            let last = days.last.unwrap_or_else(today);
            let days = DaySpan { first: days.first.unwrap_or(last), last };
            // Without accounts no day has a value.
            Ok(HistoryTotals {
                days,
                interval: Interval::Day,
                points_count: 0,
                complete_from: None,
                days_with_totals: Vec::new(),
                series: Vec::new(),
            })
        })
    }
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}
