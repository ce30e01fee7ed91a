//! Importing a Beancount ledger: each rule on a ledger small enough to check by hand, what is refused, and that
//! importing twice changes nothing.

mod accounts;
mod faults;
mod mapping;
mod planned;
mod rows;
mod securities;
mod storing;
mod transfers;

use std::path::Path;

use domain::Currency;
use formats::Fault;
use formats::beancount::{AccountMap, Import, import};
use formats::record::{Account, Record, Transaction, User};
use jiff::civil::Date;
use uuid::Uuid;

/// Accounts that most of the ledgers use.
const OPEN: &str = r#"
2024-01-01 open Assets:US:BofA:Checking USD
2024-01-01 open Assets:US:BofA:Savings USD
2024-01-01 open Liabilities:US:Chase:Slate USD
2024-01-01 open Equity:Opening-Balances
2024-01-01 open Expenses:Food:Groceries
2024-01-01 open Expenses:Home:Rent
2024-01-01 open Income:Job:Salary
"#;

fn user() -> User {
    User {
        user_id: formats::id::user("ledger@example.org"),
        email: "ledger@example.org".to_owned(),
        preferred_currency: Currency::parse("USD").expect("a currency"),
        time_zone: "UTC".to_owned(),
        excluded_categories: Vec::new(),
    }
}

/// A day after everything that most of the ledgers say.
const TODAY: Date = Date::constant(2025, 1, 1);

/// Files of one ledger; the first is imported.
fn import_files(files: &[(&str, &str)], map: &AccountMap) -> Result<Import, Vec<Fault>> {
    import_files_on(TODAY, files, map)
}

fn import_files_on(today: Date, files: &[(&str, &str)], map: &AccountMap) -> Result<Import, Vec<Fault>> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let shorten = |place: &str| place.replace(&format!("{}/", folder.path().display()), "");
    let main = folder.path().join(files[0].0);
    import(Path::new(&main), &user(), "main", today, map, &|_| {}).map_err(|faults| {
        let shortened = faults.into_iter().map(|fault| Fault { place: shorten(&fault.place), ..fault });
        shortened.collect()
    })
}

/// A ledger after the usual accounts.
fn ledger(text: &str) -> Import {
    let text = format!("{OPEN}{text}");
    let import = import_files(&[("main.beancount", &text)], &AccountMap::built_in());
    import.unwrap_or_else(|faults| panic!("the ledger is sound: {faults:#?}"))
}

/// What is refused about a ledger after the usual accounts, as `line: rule (received)`. The first line after the
/// accounts is line 1.
fn faults(text: &str) -> Vec<String> {
    let before = OPEN.matches('\n').count();
    let text = format!("{OPEN}{text}");
    let faults = import_files(&[("main.beancount", &text)], &AccountMap::built_in()).expect_err("a fault");
    let line = |place: &str| {
        let number: usize = place.strip_prefix("main.beancount:").expect("a line").parse().expect("a number");
        number - before
    };
    let received = |fault: &Fault| fault.received.clone().unwrap_or_default();
    faults
        .iter()
        .map(|fault| format!("{}: {} ({})", line(&fault.place), fault.rule, received(fault)))
        .collect()
}

fn transactions(import: &Import) -> Vec<&Transaction> {
    let transactions = import.records.iter().filter_map(|located| match &located.record {
        Record::Transaction(transaction) => Some(transaction),
        _ => None,
    });
    transactions.collect()
}

fn accounts(import: &Import) -> Vec<&Account> {
    let accounts = import.records.iter().filter_map(|located| match &located.record {
        Record::Account(account) => Some(account),
        _ => None,
    });
    accounts.collect()
}

fn account<'a>(import: &'a Import, name: &str) -> &'a Account {
    accounts(import).into_iter().find(|account| account.name == name).expect("the account is there")
}

/// Every row as `date account TYPE CATEGORY cents currency`.
fn rows(import: &Import) -> Vec<String> {
    let name = |id: Uuid| {
        let account = accounts(import).into_iter().find(|account| account.account_id == id);
        account.expect("a row is on an account").name.clone()
    };
    let row = |row: &Transaction| {
        let (kind, category) = (row.transaction_type.as_str(), row.category.as_str());
        format!(
            "{} {} {kind} {category} {} {}",
            row.date,
            name(row.account_id),
            row.amount_cents,
            row.currency
        )
    };
    transactions(import).into_iter().map(row).collect()
}

/// The balances of an account as `date cents`.
fn balances(import: &Import, name: &str) -> Vec<String> {
    let account_id = account(import, name).account_id;
    let balances = import.records.iter().filter_map(|located| match &located.record {
        Record::BalanceSnapshot(snapshot) if snapshot.account_id == account_id => {
            Some(format!("{} {}", snapshot.as_of, snapshot.balance_cents))
        }
        _ => None,
    });
    balances.collect()
}
