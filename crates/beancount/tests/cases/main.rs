//! Imports the ledgers of `ledgers` and prints the result: accounts with balances, securities, holdings, rows and the
//! report, or the faults.
//!
//! Sections: `file` is another file of the ledger, `map` the account map, `other-map` a map whose effect is compared,
//! `today` the day of the import, `zone` the time zone of the person. With `own`, only own categories and tags are
//! printed.

mod identifiers;

use std::fmt::Write as _;
use std::path::Path;

use jiff::civil::Date;
use passbook_beancount::{AccountMap, Import, import};
use passbook_domain::Currency;
use passbook_domain::transaction::TransactionType;
use passbook_input::Faults;
use passbook_records::record::{Account, Record, Transaction, User};
use passbook_test_cases::Case;
use uuid::Uuid;

/// A day after the last entry of most ledgers.
const TODAY: Date = Date::constant(2025, 1, 1);

#[test]
fn cases_of_beancount_ledgers() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/ledgers"));
    passbook_test_cases::check(folder, &["today", "zone", "file", "map", "other-map", "own"], outcome);
}

fn outcome(case: &Case) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let main = folder.path().join("main.beancount");
    write(&main, &case.text());
    for (name, text) in case.sections("file") {
        write(&folder.path().join(name), text);
    }
    let today = case.value("today").map_or(TODAY, |day| day.parse().expect("a day"));
    let printed = read(case, &main, today).unwrap_or_else(passbook_test_cases::lines);
    printed.replace(&format!("{}/", folder.path().display()), "").replace("main.beancount:", "line ")
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn read(case: &Case, main: &Path, today: Date) -> Result<String, Faults> {
    let map = AccountMap::from_toml(case.section("map").unwrap_or_default(), "own.toml")?;
    let user = User { time_zone: case.value("zone").unwrap_or("UTC").to_owned(), ..user() };
    let import = import(main, &user, "main", today, &map, &|_| {})?;
    if case.value("own").is_some() {
        return Ok(own_words(&import));
    }
    let mut text = printed(&import);
    if let Some(other) = case.section("other-map") {
        let other = AccountMap::from_toml(other, "other.toml")?;
        assert_eq!(import.mapped.changes(&map, &map), [], "a map does not differ from itself");
        for change in import.mapped.changes(&map, &other) {
            let _ = writeln!(text, "other map: {change}");
        }
        for change in import.mapped.changes(&other, &map) {
            let _ = writeln!(text, "back: {change}");
        }
    }
    Ok(text)
}

fn user() -> User {
    User {
        user_id: passbook_records::id::user("ledger@example.org"),
        email: "ledger@example.org".to_owned(),
        preferred_currency: Currency::parse("USD").expect("a currency"),
        time_zone: "UTC".to_owned(),
        excluded_categories: Vec::new(),
    }
}

fn transactions(import: &Import) -> Vec<&Transaction> {
    let transactions = import.records.iter().filter_map(|located| match &located.record {
        Record::Transaction(transaction) => Some(transaction),
        _ => None,
    });
    transactions.collect()
}

/// Prints the own categories with their sums, and the tags of the rows.
fn own_words(import: &Import) -> String {
    let mut text = String::new();
    for located in &import.records {
        let Record::OwnCategory(own) = &located.record else { continue };
        let id = own.own_category_id;
        let rows = transactions(import).into_iter().filter(|row| row.own_category_id == Some(id));
        let sign = |row: &Transaction| if row.transaction_type == TransactionType::Income { 1 } else { -1 };
        let sum: i64 = rows.map(|row| sign(row) * row.amount_cents).sum();
        let child = if own.parent_id.is_some() { "  " } else { "" };
        let _ = writeln!(text, "{child}{:?}: {}, {sum} cents", own.name, own.category.as_str());
    }
    for row in transactions(import).into_iter().filter(|row| !row.tags.is_empty()) {
        let _ = writeln!(text, "{:?}: {}", row.title, row.tags.join(", "));
    }
    text + &import.report.to_string()
}

fn printed(import: &Import) -> String {
    let records = || import.records.iter().map(|located| &located.record);
    let name = |id: Uuid| {
        let names = records().find_map(|record| match record {
            Record::Bank(bank) if bank.bank_id == id => Some(&bank.name),
            Record::Account(account) if account.account_id == id => Some(&account.name),
            Record::Security(security) if security.security_id == id => Some(&security.name),
            _ => None,
        });
        names.expect("a record comes after the records that it refers to")
    };
    let mut text = String::new();
    for record in records() {
        match record {
            Record::Account(account) => {
                text += &account_line(name(account.bank_id), account);
                let balances = records().filter_map(|record| match record {
                    Record::BalanceSnapshot(balance) if balance.account_id == account.account_id => {
                        Some(format!("{} {}", balance.as_of, balance.balance_cents))
                    }
                    _ => None,
                });
                text += &listed("balances", balances.collect());
            }
            Record::Security(security) => {
                let (kind, currency) = (security.security_type.as_str(), security.currency);
                let symbol = security.symbol.as_deref().unwrap_or("none");
                let _ = writeln!(text, "security {:?}: {kind} {symbol} in {currency}", security.name);
                let prices = records().filter_map(|record| match record {
                    Record::SecurityPrice(price) if price.security_id == security.security_id => {
                        Some(format!("{} {}", price.as_of, price.price))
                    }
                    _ => None,
                });
                text += &listed("prices", prices.collect());
            }
            Record::Holding(holding) => {
                let (account, security) = (name(holding.account_id), name(holding.security_id));
                let cost =
                    holding.cost_basis_cents.map(|cents| format!(", cost {cents}")).unwrap_or_default();
                let _ = writeln!(text, "holding of {account}: {} {security:?}{cost}", holding.quantity);
            }
            Record::Bank(_)
            | Record::BalanceSnapshot(_)
            | Record::SecurityPrice(_)
            | Record::OwnCategory(_)
            | Record::Transaction(_) => {}
            other => panic!("a ledger has no such record: {other:?}"),
        }
    }
    let rows = transactions(import);
    for (index, row) in rows.iter().enumerate() {
        let linked = row.linked_transaction_id.map(|id| {
            let linked =
                rows.iter().position(|row| row.transaction_id == id).expect("a linked row is imported");
            format!(" -> {}", linked + 1)
        });
        let (account, linked) = (name(row.account_id), linked.unwrap_or_default());
        let _ = writeln!(text, "{}. {}{linked}", index + 1, row_text(account, row));
    }
    text + &import.report.to_string()
}

fn account_line(bank: &str, account: &Account) -> String {
    let Account { name, subtype, currency, balance_cents, balance_updated_at: updated_at, .. } = account;
    let balance_cents = balance_cents.expect("a ledger states every balance");
    let day = updated_at.expect("a balance has a time").to_string().replace("T12:00:00Z", "");
    let closed = account.closed_on.map(|day| format!(", closed on {day}")).unwrap_or_default();
    let kind = account.account_type.as_str();
    format!("{name}: {kind}/{subtype} at {bank}, {balance_cents} {currency} on {day}{closed}\n")
}

fn listed(name: &str, items: Vec<String>) -> String {
    if items.is_empty() { String::new() } else { format!("  {name} {}\n", items.join(", ")) }
}

/// Prints a row: `date account TYPE CATEGORY cents currency`, payee and title.
fn row_text(account: &str, row: &Transaction) -> String {
    let (kind, category) = (row.transaction_type.as_str(), row.category.as_str());
    let payee = row.merchant_name.as_ref().map(|payee| format!("{payee:?} ")).unwrap_or_default();
    assert!(!row.pending && row.provider_category.is_none(), "a ledger has posted rows without codes");
    let (date, cents, currency, title) = (row.date, row.amount_cents, row.currency, &row.title);
    format!("{date} {account} {kind} {category} {cents} {currency} {payee}{title:?}")
}
