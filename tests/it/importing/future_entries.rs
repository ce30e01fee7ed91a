//! Future entries: they are imported, but do not change current balances and holdings.

use jiff::civil::{Date, date};
use passbook_formats::beancount::{AccountMap, Import, import};
use passbook_formats::record::Record;

use super::{account, balances, import_files_on, rows};

const LEDGER: &str = r#"
2024-01-01 open Assets:Giro
2024-01-01 open Assets:Later
2024-01-01 open Assets:Broker
2024-01-01 open Expenses:Rent
2024-01-01 open Equity:Opening-Balances
2024-01-02 * "Opening balance"
  Assets:Giro  1000.00 EUR
  Equity:Opening-Balances
2024-02-01 * "Buy"
  Assets:Broker  2 ITOT {100.00 EUR}
  Assets:Giro
2024-03-01 * "Rent"
  Expenses:Rent  300.00 EUR
  Assets:Giro
2024-03-02 price ITOT  150.00 EUR
2024-03-03 * "Buy more"
  Assets:Broker  1 ITOT {110.00 EUR}
  Assets:Giro
2024-03-04 * "Put aside"
  Assets:Later  50.00 EUR
  Assets:Giro
"#;

fn import_on(today: Date) -> Import {
    let files = [("main.beancount", LEDGER)];
    import_files_on(today, &files, &AccountMap::built_in()).expect("the ledger has no faults")
}

fn holding(import: &Import) -> (String, Option<i64>) {
    let holding = import.records.iter().find_map(|located| match &located.record {
        Record::Holding(holding) => Some((holding.quantity.to_string(), holding.cost_basis_cents)),
        _ => None,
    });
    holding.expect("a holding")
}

#[test]
fn current_balance_and_holdings_exclude_future_entries() {
    let import = import_on(date(2024, 2, 20));
    let cents = |name| account(&import, name).balance_cents;
    assert_eq!([cents("Giro"), cents("Broker"), cents("Later")], [80_000, 20_000, 0]);
    assert_eq!(account(&import, "Giro").balance_updated_at.to_string(), "2024-02-01T00:00:00Z");
    assert_eq!(holding(&import), ("2".to_owned(), Some(20_000)));
}

#[test]
fn future_transactions_and_snapshots_are_imported() {
    let (before, after) = (import_on(date(2024, 2, 20)), import_on(date(2024, 3, 4)));
    assert_eq!(rows(&before), rows(&after));
    assert_eq!(balances(&before, "Later"), ["2023-12-31 0", "2024-03-04 5000"]);
    assert_eq!(balances(&before, "Broker"), balances(&after, "Broker"));
    assert_eq!(account(&after, "Later").balance_cents, 5000);
    assert_eq!(holding(&after), ("3".to_owned(), Some(31_000)));
}

#[test]
fn two_ledgers_of_one_person_have_distinct_identifiers() {
    let folder = tests::temporary::folder();
    let file = folder.path().join("main.beancount");
    std::fs::write(&file, LEDGER).expect("a file");
    let read = |ledger| {
        let map = AccountMap::built_in();
        import(&file, &super::user(), ledger, super::TODAY, &map, &|_| {}).expect("the ledger has no faults")
    };
    let identifiers = |import: &Import| {
        let identifiers = import.records.iter().filter_map(|located| match &located.record {
            Record::Bank(bank) => Some(bank.bank_id),
            Record::Account(account) => Some(account.account_id),
            Record::Transaction(transaction) => Some(transaction.transaction_id),
            Record::Security(security) => Some(security.security_id),
            _ => None,
        });
        identifiers.collect::<Vec<_>>()
    };
    let (main, shared) = (read("main"), read("shared"));
    let of_main = identifiers(&main);
    assert!(identifiers(&shared).iter().all(|identifier| !of_main.contains(identifier)));
    assert_eq!(account(&shared, "Giro").source.as_deref(), Some("beancount:shared"));
}
