//! Tests of the import of Beancount ledgers: each rule on a small ledger, the error cases, and that importing an
//! unchanged ledger again changes nothing.

mod accounts;
mod faults;
mod future_entries;
mod mapping;
mod opened_accounts;
mod refunds;
mod rows;
mod securities;
mod storing;
mod transfers;

use std::path::Path;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_fault::Fault;
use passbook_formats::beancount::{AccountMap, Import, import};
use passbook_formats::record::{Account, Ledger, Record, Transaction, User};
use uuid::Uuid;

/// Accounts that most of the test ledgers use.
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
        user_id: passbook_formats::id::user("ledger@example.org"),
        email: "ledger@example.org".to_owned(),
        preferred_currency: Currency::parse("USD").expect("a currency"),
        time_zone: "UTC".to_owned(),
        excluded_categories: Vec::new(),
    }
}

/// The record of an imported ledger, to which its accounts refer.
fn ledger_record() -> Record {
    Record::Ledger(Ledger {
        user_id: user().user_id,
        ledger: "main".to_owned(),
        account_map: None,
        map_name: None,
        imported_at: "2025-01-01T00:00:00Z".parse().expect("a timestamp"),
    })
}

/// A day after the last entry of most test ledgers.
const TODAY: Date = Date::constant(2025, 1, 1);

/// Imports a ledger of several files. The first file is the main file.
fn import_files(files: &[(&str, &str)], map: &AccountMap) -> Result<Import, Vec<Fault>> {
    import_files_on(TODAY, files, map)
}

fn import_files_on(today: Date, files: &[(&str, &str)], map: &AccountMap) -> Result<Import, Vec<Fault>> {
    let folder = tests::temporary::folder();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let shorten = |place: &str| place.replace(&format!("{}/", folder.path().display()), "");
    let main = folder.path().join(files[0].0);
    import(Path::new(&main), &user(), "main", today, map, &|_| {}).map_err(|faults| {
        let mut faults = faults.into_list();
        faults.iter_mut().for_each(|fault| fault.place = shorten(&fault.place));
        faults
    })
}

/// Imports a ledger that consists of `OPEN` and `text`.
fn ledger(text: &str) -> Import {
    let text = format!("{OPEN}{text}");
    let import = import_files(&[("main.beancount", &text)], &AccountMap::built_in());
    import.unwrap_or_else(|faults| panic!("the ledger must have no faults: {faults:#?}"))
}

/// The faults of a ledger that consists of `OPEN` and `text`, as `line: rule (received)`. Line 1 is the first line of
/// `text`.
fn faults(text: &str) -> Vec<String> {
    let before = OPEN.matches('\n').count();
    let text = format!("{OPEN}{text}");
    let faults = import_files(&[("main.beancount", &text)], &AccountMap::built_in())
        .expect_err("the ledger has a fault");
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

/// All transactions as `date account TYPE CATEGORY cents currency`.
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

/// The balance snapshots of an account as `date cents`.
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
