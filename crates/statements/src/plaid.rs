//! Reads responses of Plaid's `/transactions/sync` and `/transactions/get`: one response, or an array of responses.
//!
//! `/transactions/sync` lists changes. The newest list decides, so that each needs a time: the newest time at which a
//! balance was updated, or the time that the person states.
//!
//! Plaid's amounts are positive for money out. Balances of credit and loan accounts are the debt.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use passbook_domain::Currency;
use passbook_input::Fault;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::collector::Collector;
use super::text::{LineIndex, joined, raw, some};
use super::{
    AccountKind, AccountReference, BalanceKind, Choice, Entry, EntryId, Format, IdTrust, LineState,
    ReadOptions, Statement, StatementKind, Unreadable, day, json_text,
};

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, default)]
    accounts: Vec<PlaidAccount<'a>>,
    #[serde(borrow, default)]
    added: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    modified: Vec<&'a RawValue>,
    #[serde(default)]
    removed: Vec<Removed>,
    /// Only of `/transactions/get`.
    #[serde(borrow, default)]
    transactions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct PlaidAccount<'a> {
    account_id: String,
    name: Option<String>,
    mask: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    subtype: Option<String>,
    #[serde(borrow)]
    balances: Option<Balances<'a>>,
}

#[derive(Deserialize)]
struct Balances<'a> {
    #[serde(borrow)]
    current: Option<&'a RawValue>,
    #[serde(borrow)]
    available: Option<&'a RawValue>,
    iso_currency_code: Option<String>,
    last_updated_datetime: Option<String>,
}

#[derive(Deserialize)]
struct Removed {
    transaction_id: String,
    account_id: Option<String>,
}

#[derive(Deserialize)]
struct PlaidTransaction<'a> {
    transaction_id: String,
    account_id: String,
    #[serde(borrow)]
    amount: &'a RawValue,
    iso_currency_code: Option<String>,
    date: String,
    authorized_date: Option<String>,
    name: Option<String>,
    original_description: Option<String>,
    merchant_name: Option<String>,
    #[serde(default)]
    pending: bool,
    pending_transaction_id: Option<String>,
    personal_finance_category: Option<PlaidCategory>,
}

#[derive(Deserialize)]
struct PlaidCategory {
    primary: Option<String>,
    detailed: Option<String>,
}

/// Reads Plaid's JSON.
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut collector: Collector<'_>,
) -> Result<Vec<Statement>, Unreadable> {
    let responses: Vec<Response<'_>> = if text.trim_start().starts_with('[') {
        json_text::parse(text)?
    } else {
        vec![json_text::parse(text)?]
    };
    let is_delta = !responses.iter().any(|response| !response.transactions.is_empty());
    let kind = if is_delta { StatementKind::Delta } else { StatementKind::Window };
    let lines = LineIndex::of(text);
    let mut statements: HashMap<String, usize> = HashMap::new();
    let mut open = |id: &str, collector: &mut Collector<'_>| {
        *statements.entry(id.to_owned()).or_insert_with(|| {
            let account = AccountReference { number: Some(id.to_owned()), ..AccountReference::default() };
            collector.open(Statement::new(Format::Plaid, kind, account))
        })
    };
    for response in &responses {
        for account in &response.accounts {
            let index = open(&account.account_id, &mut collector);
            describe(account, collector.statement(index))?;
        }
        let lists = [
            ("added", &response.added),
            ("modified", &response.modified),
            ("transactions", &response.transactions),
        ];
        for (list, transactions) in lists {
            for (position, transaction) in transactions.iter().enumerate() {
                let place = format!("{list}[{position}]");
                match entry(&lines, transaction, &place) {
                    Ok((account, entry)) => {
                        let index = open(&account, &mut collector);
                        collector.entry(index, entry);
                    }
                    Err(faults) => collector.faulty_record(faults),
                }
            }
        }
        for removed in &response.removed {
            if let Some(account) = &removed.account_id {
                let index = open(account, &mut collector);
                collector.statement(index).removed.push(removed.transaction_id.clone());
            } else {
                // Only one account has the identifier. A removal from the others has no effect.
                if collector.statements().is_empty() {
                    open("", &mut collector);
                }
                for index in 0..collector.statements().len() {
                    collector.statement(index).removed.push(removed.transaction_id.clone());
                }
            }
            collector.other_record();
        }
    }
    let visible = json_text::count_member(text, "transaction_id");
    let mut statements = collector.finish(visible, "transaction_id")?;
    if is_delta {
        let time =
            options.as_of.or_else(|| newest_time(&responses)).ok_or(Unreadable::Choice(Choice::AsOf))?;
        for statement in &mut statements {
            (statement.as_of, statement.number) = (Some(time.date()), Some(time.time().to_string()));
        }
    }
    Ok(statements)
}

/// Returns the newest time (UTC) of the responses. Not every bank states one.
fn newest_time(responses: &[Response<'_>]) -> Option<DateTime> {
    let accounts = responses.iter().flat_map(|response| &response.accounts);
    let times = accounts.filter_map(|account| account.balances.as_ref()?.last_updated_datetime.as_deref());
    let newest: Option<Timestamp> = times.filter_map(|time| time.parse().ok()).max();
    newest.map(|time| time.to_zoned(TimeZone::UTC).datetime())
}

fn describe(account: &PlaidAccount<'_>, statement: &mut Statement) -> Result<(), Fault> {
    let owed = matches!(account.kind.as_deref(), Some("credit" | "loan"));
    let reference = &mut statement.account;
    reference.name = match (&account.name, &account.mask) {
        (Some(name), Some(mask)) => Some(format!("{name} {mask}")),
        (name, mask) => name.clone().or_else(|| mask.clone()),
    };
    reference.kind = match (account.kind.as_deref(), account.subtype.as_deref()) {
        (Some("credit"), _) => Some(AccountKind::Card),
        (Some("loan"), _) => Some(AccountKind::Loan),
        (Some("investment" | "brokerage"), _) => Some(AccountKind::Investment),
        (Some("depository"), Some("savings" | "money market" | "cd")) => Some(AccountKind::Savings),
        (Some("depository"), _) => Some(AccountKind::Checking),
        _ => None,
    };
    let Some(balances) = &account.balances else { return Ok(()) };
    reference.currency = balances.iso_currency_code.as_deref().and_then(|code| Currency::parse(code).ok());
    let Some(day) = balances.last_updated_datetime.as_deref().and_then(day::iso) else { return Ok(()) };
    let sign = if owed { -1 } else { 1 };
    let stated =
        [(BalanceKind::Interim, sign, balances.current), (BalanceKind::Available, 1, balances.available)];
    json_text::add_balances(statement, day, stated, &format!("account {}", account.account_id))
}

fn entry(lines: &LineIndex<'_>, value: &RawValue, place: &str) -> Result<(String, Entry), Vec<Fault>> {
    let transaction: PlaidTransaction<'_> = json_text::record(value, place).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();
    let mut fault = |member: &str, rule: &str, received: &str| {
        faults.push(Fault::new(format!("{place}.{member}"), rule).received(received));
    };
    let cents = json_text::cents(transaction.amount);
    let cents = cents.map_err(|rule| fault("amount", rule, transaction.amount.get())).ok();
    let booked = day::iso(&transaction.date);
    if booked.is_none() {
        fault("date", "must be a calendar date YYYY-MM-DD", &transaction.date);
    }
    let (Some(cents), Some(booked)) = (cents, booked) else { return Err(faults) };
    let mut entry = Entry::new(lines.line(value.get()), booked, -cents);
    entry.currency = transaction.iso_currency_code.as_deref().and_then(|code| Currency::parse(code).ok());
    entry.status = if transaction.pending { LineState::Pending } else { LineState::Booked };
    entry.transaction_day = authorized(&transaction).filter(|day| *day != booked);
    entry.id = Some(EntryId { text: transaction.transaction_id, trust: IdTrust::Authoritative });
    entry.replaces = transaction.pending_transaction_id;
    entry.party = transaction.merchant_name.as_deref().and_then(some);
    let text = transaction.original_description.or(transaction.name).unwrap_or_default();
    entry.text = joined([text.as_str()]);
    entry.code =
        transaction.personal_finance_category.and_then(|category| category.detailed.or(category.primary));
    entry.raw = raw(value.get());
    Ok((transaction.account_id, entry))
}

fn authorized(transaction: &PlaidTransaction<'_>) -> Option<Date> {
    transaction.authorized_date.as_deref().and_then(day::iso)
}
