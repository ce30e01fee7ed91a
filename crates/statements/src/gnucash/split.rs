//! One transaction of a book as entries of its own accounts, and the accounts of the book.

use std::collections::HashMap;

use jiff::civil::Date;
use passbook_input::Fault;

use super::super::collector::Collector;
use super::super::text::{joined, raw};
use super::super::xml::Node;
use super::super::{AccountKind, Balance, BalanceKind, Entry, EntryId, IdTrust, day};

/// Reads a transaction.
pub(super) fn read(node: &Node, line: u64, text: &str, accounts: &Accounts, collector: &mut Collector<'_>) {
    match entries(node, line, text, accounts) {
        Err(faults) => collector.faulty_record(faults),
        Ok(entries) if entries.is_empty() => collector.other_record(),
        Ok(entries) => {
            let opening = is_opening(node, accounts);
            let mut is_first = true;
            for (statement, entry) in entries {
                if opening {
                    add_opening(&entry, &mut collector.statement(statement).balances);
                    if std::mem::take(&mut is_first) {
                        collector.skip(statement, "the opening balance is no booking");
                    }
                } else if std::mem::take(&mut is_first) {
                    collector.entry(statement, entry);
                } else {
                    collector.further_entry(statement, entry);
                }
            }
        }
    }
}

fn splits(node: &Node) -> impl Iterator<Item = &Node> {
    node.all("splits").flat_map(|splits| splits.all("split"))
}

fn account_id(split: &Node) -> &str {
    split.text_at(&["account"]).unwrap_or_default()
}

/// Adds an opening balance. The opening balance of an account may be several transactions.
fn add_opening(entry: &Entry, balances: &mut Vec<Balance>) {
    match balances.iter_mut().find(|balance| balance.kind == BalanceKind::Opening) {
        Some(balance) => {
            balance.cents = balance.cents.saturating_add(entry.cents);
            balance.day = balance.day.min(entry.booked);
        }
        None => {
            let (kind, day, cents) = (BalanceKind::Opening, entry.booked, entry.cents);
            balances.push(Balance { kind, day, cents, currency: None });
        }
    }
}

/// Returns true if every other side of the transaction is an account of opening balances.
fn is_opening(node: &Node, accounts: &Accounts) -> bool {
    let mut others = splits(node)
        .filter_map(|split| accounts.get(account_id(split)))
        .filter(|account| account.statement.is_none())
        .peekable();
    others.peek().is_some() && others.all(|account| account.is_opening)
}

fn entries(
    node: &Node,
    line: u64,
    text: &str,
    accounts: &Accounts,
) -> Result<Vec<(usize, Entry)>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut fault = |name: &str, rule: &str, received: &str| {
        faults.push(Fault::new(format!("line {line}, {name}"), rule).received(format!("{received:?}")));
    };
    let written = node.text_at(&["date-posted", "date"]).unwrap_or_default();
    let booked: Option<Date> = day::iso(written);
    if booked.is_none() {
        fault("trn:date-posted", "must be a calendar day", written);
    }
    let mut entries = Vec::new();
    for split in splits(node) {
        let Some(account) = accounts.get(account_id(split)) else {
            fault("split:account", "must be an account of the book", account_id(split));
            continue;
        };
        let Some(statement) = account.statement else { continue };
        let quantity = split.text_at(&["quantity"]).unwrap_or_default();
        let cents = fraction_cents(quantity).map_err(|rule| fault("split:quantity", rule, quantity)).ok();
        let (Some(cents), Some(booked)) = (cents, booked) else { continue };
        let mut entry = Entry::new(line, booked, cents);
        entry.id =
            split.text_at(&["id"]).map(|id| EntryId { text: id.to_owned(), trust: IdTrust::Authoritative });
        entry.reference = node.text_at(&["num"]).map(str::to_owned);
        let texts = [node.text_at(&["description"]), split.text_at(&["memo"])];
        entry.text = joined(texts.into_iter().flatten());
        other_side(node, split, accounts, &mut entry);
        entry.note = note(node).map(str::to_owned);
        entry.raw = raw(text.get(node.start..node.end).unwrap_or_default());
        entries.push((statement, entry));
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}

/// Sets category or transfer account, if the transaction has one other side.
fn other_side(node: &Node, split: &Node, accounts: &Accounts, entry: &mut Entry) {
    let mut others = splits(node).filter(|other| !std::ptr::eq(*other, split)).map(account_id);
    let (Some(other), None) = (others.next(), others.next()) else { return };
    match accounts.get(other) {
        Some(account) if account.statement.is_some() => entry.transfer_with = Some(other.to_owned()),
        Some(account) => {
            let name = full_name(other, accounts);
            if matches!(account.kind.as_str(), "INCOME" | "EXPENSE") {
                // Without the account of all expenses, if there is one; accounts of income keep theirs.
                let path =
                    accounts.expenses.as_ref().and_then(|root| name.strip_prefix(root)?.strip_prefix(':'));
                let path = path.filter(|_| account.kind == "EXPENSE").unwrap_or(&name);
                let (parent, category) = path.split_once(':').map_or((None, path), |(a, b)| (Some(a), b));
                entry.own_parent = parent.map(str::to_owned);
                entry.own_category = Some(category.to_owned());
            }
            entry.category = Some(name);
        }
        None => {}
    }
}

/// Returns the notes of a transaction, which `GnuCash` shows in its double-line view.
fn note(node: &Node) -> Option<&str> {
    let mut slots = node.all("slots").flat_map(|slots| slots.all("slot"));
    slots.find(|slot| slot.text_at(&["key"]) == Some("notes"))?.text_at(&["value"])
}

/// Converts a fraction such as `-1234/100` to hundredths.
fn fraction_cents(text: &str) -> Result<i64, &'static str> {
    const FORM: &str = "must be a fraction, such as 1234/100";
    let (numerator, denominator) = text.split_once('/').ok_or(FORM)?;
    let numerator: i64 = numerator.trim().parse().map_err(|_| FORM)?;
    let denominator: i64 = denominator.trim().parse().ok().filter(|d| *d > 0).ok_or(FORM)?;
    let hundredths = i128::from(numerator) * 100;
    if hundredths % i128::from(denominator) != 0 {
        return Err("must be an amount with at most two decimals");
    }
    let cents = i64::try_from(hundredths / i128::from(denominator)).ok();
    cents
        .filter(|cents| cents.abs() <= passbook_domain::money::AMOUNT_CENTS_MAX)
        .ok_or("must be an amount of at most 90000000000000")
}

/// Maximum depth of the tree of accounts.
const ACCOUNT_DEPTH_MAX: usize = 64;

/// An account of the book.
#[derive(Debug)]
pub(super) struct GnuCashAccount {
    pub(super) name: String,
    /// Type as written: `BANK`, `EXPENSE` …
    pub(super) kind: String,
    pub(super) parent: Option<String>,
    /// Index of its statement, if it is an own account.
    pub(super) statement: Option<usize>,
    /// True for the equity account of opening balances.
    pub(super) is_opening: bool,
}

/// The accounts of the book.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    by_id: HashMap<String, GnuCashAccount>,
    /// Name of the only account of expenses at the top of the tree.
    expenses: Option<String>,
    /// Number of accounts of expenses at the top of the tree.
    expense_roots: usize,
}

impl Accounts {
    fn get(&self, id: &str) -> Option<&GnuCashAccount> {
        self.by_id.get(id)
    }

    /// Adds an account. A parent comes before its children.
    pub(super) fn insert(&mut self, id: String, account: GnuCashAccount) {
        let parent = account.parent.as_deref().and_then(|parent| self.get(parent));
        if account.kind == "EXPENSE" && parent.is_none_or(|parent| parent.kind == "ROOT") {
            self.expense_roots += 1;
            self.expenses = Some(account.name.clone()).filter(|_| self.expense_roots == 1);
        }
        self.by_id.insert(id, account);
    }
}

/// Returns the kind of an own account. Accounts of shares and of trading are left out.
pub(super) fn own_kind(kind: &str) -> Option<AccountKind> {
    match kind {
        "BANK" => Some(AccountKind::Checking),
        "CASH" => Some(AccountKind::Cash),
        "CREDIT" => Some(AccountKind::Card),
        "ASSET" | "RECEIVABLE" => Some(AccountKind::Asset),
        "LIABILITY" | "PAYABLE" => Some(AccountKind::Liability),
        _ => None,
    }
}

/// Returns the name of an account with those of its parents: `Expenses:Food`.
pub(super) fn full_name(id: &str, accounts: &Accounts) -> String {
    let mut names = Vec::new();
    let mut next = Some(id);
    while let Some(account) = next.and_then(|id| accounts.get(id)).filter(|account| account.kind != "ROOT") {
        names.push(account.name.as_str());
        next = account.parent.as_deref();
        if names.len() == ACCOUNT_DEPTH_MAX {
            break;
        }
    }
    names.reverse();
    names.join(":")
}
