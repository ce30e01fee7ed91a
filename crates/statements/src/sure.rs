//! Reads `all.ndjson` of an export of Sure or Maybe: one JSON object per line, with `type` and `data`.
//!
//! Amounts are positive for money out. Categories, merchants and transfers stand on lines of their own, after the
//! accounts and partly after the transactions, so the file is read twice.

use std::collections::{HashMap, HashSet};

use passbook_domain::Currency;
use passbook_input::Fault;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::collector::Collector;
use super::text::{joined, raw};
use super::{
    AccountKind, AccountReference, Entry, EntryId, Format, IdTrust, Statement, StatementKind, TEXT_BYTES_MAX,
    Unreadable, day, json_text,
};

#[derive(Deserialize)]
struct SureLine<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
struct SureAccount {
    id: String,
    name: Option<String>,
    currency: Option<String>,
    accountable_type: Option<String>,
    subtype: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    name: Option<String>,
    parent_id: Option<String>,
}

#[derive(Deserialize)]
struct Transfer {
    inflow_transaction_id: String,
    outflow_transaction_id: String,
}

#[derive(Deserialize)]
struct SureTransaction<'a> {
    id: String,
    #[serde(default)]
    account_id: String,
    #[serde(default)]
    date: String,
    #[serde(borrow)]
    amount: &'a RawValue,
    currency: Option<String>,
    name: Option<String>,
    notes: Option<String>,
    category_id: Option<String>,
    merchant_id: Option<String>,
    #[serde(default)]
    tag_ids: Vec<String>,
    /// The parts of a split transaction, without account and day. They add up to its amount.
    #[serde(default, borrow)]
    split_lines: Vec<SureTransaction<'a>>,
}

/// The lines that transactions refer to.
#[derive(Default)]
struct References {
    names: HashMap<String, String>,
    /// The parent of each category that has one.
    parents: HashMap<String, String>,
    /// The account of each transaction.
    accounts: HashMap<String, String>,
    /// The other transaction of each transfer.
    transfers: HashMap<String, String>,
    statements: HashMap<String, usize>,
}

/// Reads the lines of an export.
pub(super) fn read(text: &str, mut collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let references = References::collect(text, &mut collector)?;
    let mut ids = HashSet::new();
    for (number, line) in lines(text) {
        let parsed = parse_line(number, line)?;
        if parsed.kind != "Transaction" {
            continue;
        }
        let place = format!("line {number}");
        let entries = match json_text::record(parsed.data, &place) {
            Ok(transaction) => references.entries(transaction, number, line),
            Err(fault) => Err(vec![fault]),
        };
        match entries {
            Ok(entries) => {
                let id = |entry: &Entry| entry.id.as_ref().map(|id| id.text.clone());
                if entries.iter().any(|(_, entry)| id(entry).is_some_and(|id| !ids.insert(id))) {
                    let rule = "must have an identifier that no other transaction has";
                    collector.faulty_record([Fault::new(place, rule)]);
                    continue;
                }
                let mut entries = entries.into_iter();
                entries.next().into_iter().for_each(|(statement, entry)| collector.entry(statement, entry));
                entries.for_each(|(statement, entry)| collector.further_entry(statement, entry));
            }
            Err(faults) => collector.faulty_record(faults),
        }
    }
    let is_transaction = |line: &str| {
        let compact: String = line.chars().take(60).filter(|c| !c.is_whitespace()).collect();
        compact.starts_with("{\"type\":\"Transaction\"")
    };
    let visible = lines(text).filter(|(_, line)| is_transaction(line)).count();
    collector.finish(visible as u64, "lines of type Transaction")
}

fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let numbered =
        text.lines().enumerate().map(|(index, line)| (index as u64 + 1, line.trim_start_matches('\u{feff}')));
    numbered.filter(|(_, line)| !line.trim().is_empty())
}

fn parse_line(number: u64, line: &str) -> Result<SureLine<'_>, Fault> {
    let place = format!("line {number}");
    if line.len() > TEXT_BYTES_MAX {
        return Err(Fault::new(place, format!("must be at most {TEXT_BYTES_MAX} bytes")));
    }
    serde_json::from_str(line)
        .map_err(|error| Fault::new(place, format!("must be an object with type and data: {error}")))
}

impl References {
    fn collect(text: &str, collector: &mut Collector<'_>) -> Result<References, Unreadable> {
        let mut references = References::default();
        for (number, line) in lines(text) {
            let parsed = parse_line(number, line)?;
            let place = format!("line {number}");
            match parsed.kind.as_str() {
                "Account" => {
                    let account: SureAccount = json_text::record(parsed.data, &place)?;
                    let id = account.id.clone();
                    let statement = Statement::new(Format::Sure, StatementKind::Window, reference(account));
                    references.statements.insert(id, collector.open(statement));
                }
                "Category" | "Merchant" | "Tag" => {
                    let named: Named = json_text::record(parsed.data, &place)?;
                    let parent = named.parent_id.map(|parent| (named.id.clone(), parent));
                    references.parents.extend(parent);
                    references.names.insert(named.id, named.name.unwrap_or_default());
                }
                "Transfer" => {
                    let transfer: Transfer = json_text::record(parsed.data, &place)?;
                    let (inflow, outflow) = (transfer.inflow_transaction_id, transfer.outflow_transaction_id);
                    references.transfers.insert(inflow.clone(), outflow.clone());
                    references.transfers.insert(outflow, inflow);
                }
                "Transaction" => {
                    // A faulty transaction is reported when it is read.
                    if let Ok(transaction) = json_text::record::<SureTransaction<'_>>(parsed.data, &place) {
                        references.accounts.insert(transaction.id, transaction.account_id);
                    }
                }
                _ => {}
            }
        }
        Ok(references)
    }

    /// Returns the entry of a transaction, or the entries of its parts.
    fn entries(
        &self,
        mut transaction: SureTransaction<'_>,
        number: u64,
        line: &str,
    ) -> Result<Vec<(usize, Entry)>, Vec<Fault>> {
        let parts = std::mem::take(&mut transaction.split_lines);
        if parts.is_empty() {
            return self.entry(transaction, number, line).map(|entry| vec![entry]);
        }
        let whole = |part| SureTransaction {
            account_id: transaction.account_id.clone(),
            date: transaction.date.clone(),
            ..part
        };
        parts.into_iter().map(|part| self.entry(whole(part), number, line)).collect()
    }

    fn entry(
        &self,
        transaction: SureTransaction<'_>,
        number: u64,
        line: &str,
    ) -> Result<(usize, Entry), Vec<Fault>> {
        let place = format!("line {number}");
        let mut faults = Vec::new();
        let mut fault = |member: &str, rule: &str, received: &str| {
            faults.push(Fault::new(format!("{place}, {member}"), rule).received(received));
        };
        let cents = json_text::cents(transaction.amount);
        let cents = cents.map_err(|rule| fault("amount", rule, transaction.amount.get())).ok();
        let booked = day::iso(&transaction.date);
        if booked.is_none() {
            fault("date", "must be a calendar date YYYY-MM-DD", &transaction.date);
        }
        let statement = self.statements.get(&transaction.account_id).copied();
        if statement.is_none() {
            fault("account_id", "must be an account of the file", &transaction.account_id);
        }
        let (Some(cents), Some(booked), Some(statement)) = (cents, booked, statement) else {
            return Err(faults);
        };
        let mut entry = Entry::new(number, booked, -cents);
        entry.currency = transaction.currency.as_deref().and_then(|code| Currency::parse(code).ok());
        let name = |id: &Option<String>| id.as_ref().and_then(|id| self.names.get(id)).cloned();
        entry.category = name(&transaction.category_id);
        entry.own_category = entry.category.clone();
        let parent = transaction.category_id.as_ref().and_then(|id| self.parents.get(id)).cloned();
        entry.own_parent = name(&parent);
        entry.tags = transaction.tag_ids.iter().filter_map(|id| self.names.get(id)).cloned().collect();
        entry.note = transaction.notes;
        entry.party = name(&transaction.merchant_id);
        entry.text = joined(transaction.name.as_deref());
        let other = self.transfers.get(&transaction.id);
        entry.transfer_with = other.map(|other| self.accounts.get(other).cloned().unwrap_or_default());
        entry.id = Some(EntryId { text: transaction.id, trust: IdTrust::Authoritative });
        entry.raw = raw(line);
        Ok((statement, entry))
    }
}

fn reference(account: SureAccount) -> AccountReference {
    let kind = match (account.accountable_type.as_deref(), account.subtype.as_deref()) {
        (Some("Depository"), Some("savings" | "money_market" | "cd")) => Some(AccountKind::Savings),
        (Some("Depository"), _) => Some(AccountKind::Checking),
        (Some("CreditCard"), _) => Some(AccountKind::Card),
        (Some("Loan"), _) => Some(AccountKind::Loan),
        (Some("Investment" | "Crypto"), _) => Some(AccountKind::Investment),
        (Some("OtherLiability"), _) => Some(AccountKind::Liability),
        (Some(_), _) => Some(AccountKind::Asset),
        (None, _) => None,
    };
    AccountReference {
        number: Some(account.id),
        name: account.name,
        currency: account.currency.as_deref().and_then(|code| Currency::parse(code).ok()),
        kind,
        ..AccountReference::default()
    }
}
