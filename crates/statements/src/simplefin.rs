//! Reads the account set of a `SimpleFIN` server (protocol versions 1 and 2).
//!
//! Times are seconds of the Unix epoch; the booking day is the day in UTC. A time of 0 means pending. Identifiers
//! rotate at some servers, so they are hints.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::Currency;
use passbook_input::Fault;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::collector::Collector;
use super::text::{LineIndex, joined, raw, some};
use super::{
    AccountReference, BalanceKind, Entry, EntryId, Format, IdTrust, LineState, Statement, StatementKind,
    Unreadable, day, json_text,
};

#[derive(Deserialize)]
struct AccountSet<'a> {
    #[serde(borrow)]
    accounts: Vec<SimpleFinAccount<'a>>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    errlist: Vec<ServerError>,
}

#[derive(Deserialize)]
struct ServerError {
    msg: Option<String>,
    code: Option<String>,
}

#[derive(Deserialize)]
struct SimpleFinAccount<'a> {
    id: String,
    name: Option<String>,
    currency: Option<String>,
    #[serde(borrow)]
    balance: Option<&'a RawValue>,
    #[serde(borrow, rename = "available-balance")]
    available: Option<&'a RawValue>,
    #[serde(rename = "balance-date")]
    balance_date: Option<i64>,
    org: Option<Organization>,
    #[serde(borrow, default)]
    transactions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Organization {
    name: Option<String>,
    domain: Option<String>,
}

#[derive(Deserialize)]
struct SimpleFinTransaction<'a> {
    id: String,
    posted: i64,
    #[serde(borrow)]
    amount: &'a RawValue,
    #[serde(default)]
    description: String,
    payee: Option<String>,
    memo: Option<String>,
    transacted_at: Option<i64>,
    #[serde(default)]
    pending: bool,
}

/// Reads the JSON of a `SimpleFIN` server.
pub(super) fn read(text: &str, mut collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let set: AccountSet<'_> = json_text::parse(text)?;
    let problems = set.errlist.into_iter().filter_map(|problem| problem.msg.or(problem.code));
    let notices: Vec<String> = set.errors.into_iter().chain(problems).collect();
    let lines = LineIndex::of(text);
    for account in &set.accounts {
        let mut statement = Statement::new(Format::SimpleFin, StatementKind::Window, reference(account));
        statement.lists_pending = true;
        statement.notices.clone_from(&notices);
        balances(account, &mut statement)?;
        let currency = statement.account.currency;
        let index = collector.open(statement);
        for (position, transaction) in account.transactions.iter().enumerate() {
            let place = format!("account {}, transactions[{position}]", account.id);
            match entry(&lines, transaction, &place) {
                Ok(entry) => collector.entry(index, Entry { currency, ..entry }),
                Err(faults) => collector.faulty_record(faults),
            }
        }
    }
    let visible = json_text::count_member(text, "posted");
    collector.finish(visible, "posted")
}

/// A currency may be the address of a definition instead of a code; then the account of Passbook decides.
fn reference(account: &SimpleFinAccount<'_>) -> AccountReference {
    AccountReference {
        number: Some(account.id.clone()),
        name: account.name.clone(),
        currency: account.currency.as_deref().and_then(|code| Currency::parse(code).ok()),
        bank_name: account.org.as_ref().and_then(|org| org.name.clone().or_else(|| org.domain.clone())),
        ..AccountReference::default()
    }
}

fn balances(account: &SimpleFinAccount<'_>, statement: &mut Statement) -> Result<(), Fault> {
    let Some(day) = account.balance_date.and_then(utc_day) else { return Ok(()) };
    statement.as_of = Some(day);
    let stated = [(BalanceKind::Interim, 1, account.balance), (BalanceKind::Available, 1, account.available)];
    json_text::add_balances(statement, day, stated, &format!("account {}, balance", account.id))
}

fn entry(lines: &LineIndex<'_>, value: &RawValue, place: &str) -> Result<Entry, Vec<Fault>> {
    let transaction: SimpleFinTransaction<'_> =
        json_text::record(value, place).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();
    let cents = json_text::cents(transaction.amount);
    let cents = cents.map_err(|rule| {
        faults.push(Fault::new(format!("{place}.amount"), rule).received(transaction.amount.get()));
    });
    let transacted = transaction.transacted_at.filter(|seconds| *seconds != 0).and_then(utc_day);
    let posted = Some(transaction.posted).filter(|seconds| *seconds != 0).map_or(transacted, utc_day);
    if posted.is_none() {
        let rule = "must be seconds since 1970, or 0 with transacted_at";
        faults.push(Fault::new(format!("{place}.posted"), rule).received(transaction.posted.to_string()));
    }
    let (Ok(cents), Some(posted)) = (cents, posted) else { return Err(faults) };
    let mut entry = Entry::new(lines.line(value.get()), posted, cents);
    let pending = transaction.pending || transaction.posted == 0;
    entry.status = if pending { LineState::Pending } else { LineState::Booked };
    entry.transaction_day = transacted.filter(|day| *day != posted);
    entry.id = Some(EntryId { text: transaction.id, trust: IdTrust::Hint });
    entry.party = transaction.payee.as_deref().and_then(some);
    entry.text = joined([transaction.description.as_str(), transaction.memo.as_deref().unwrap_or_default()]);
    entry.raw = raw(value.get());
    Ok(entry)
}

fn utc_day(seconds: i64) -> Option<Date> {
    let time = Timestamp::from_second(seconds).ok()?;
    day::in_range(time.to_zoned(TimeZone::UTC).date())
}
