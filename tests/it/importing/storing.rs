//! Storing an imported ledger in PostgreSQL: every record is accepted, and a second import changes nothing.

use passbook_formats::Located;
use passbook_formats::beancount::{AccountMap, Import, import};
use passbook_formats::record::Record;
use passbook_ingest::load::{Options, Summary, load};
use tests::database::Database;

const LEDGER: &str = r#"
option "operating_currency" "USD"
2024-01-01 open Assets:US:BofA:Checking USD
2024-01-01 open Assets:US:ETrade:Cash USD
2024-01-01 open Assets:US:ETrade:ITOT ITOT
2024-01-01 open Liabilities:US:Chase:Slate USD
2024-01-01 open Income:Job:Salary
2024-01-01 open Expenses:Food:Groceries
2024-01-25 * "Hooli" "Payroll"
  Assets:US:BofA:Checking  2000.00 USD
  Income:Job:Salary
2024-01-26 * "Market" "Food"
  Liabilities:US:Chase:Slate  -40.00 USD
  Expenses:Food:Groceries
2024-01-27 * "Chase" "Paying off the card"
  Liabilities:US:Chase:Slate  40.00 USD
  Assets:US:BofA:Checking
2024-01-28 * "Invest"
  Assets:US:ETrade:Cash  500.00 USD
  Assets:US:BofA:Checking
2024-01-29 * "Buy"
  Assets:US:ETrade:ITOT  4 ITOT {100.00 USD}
  Assets:US:ETrade:Cash
2024-02-01 price ITOT  101.25 USD
2024-02-02 * "Market" "Brought back"
  Expenses:Food:Groceries  -5.00 USD
  Liabilities:US:Chase:Slate
"#;

fn read() -> Import {
    let folder = tests::temporary::folder();
    let file = folder.path().join("main.beancount");
    std::fs::write(&file, LEDGER).expect("a file");
    import(&file, &super::user(), "main", super::TODAY, &AccountMap::built_in(), &|_| {})
        .expect("the ledger has no faults")
}

async fn store(database: &Database, import: Import) -> Summary {
    let person = Located { place: "the person".to_owned(), record: Record::User(super::user()) };
    let ledger = Located { place: "the ledger".to_owned(), record: super::ledger_record() };
    let records = [person, ledger].into_iter().chain(import.records).map(Ok);
    let mut client = database.connect("passbook_writer").await;
    load(&mut client, records, Options::default()).await.expect("every record is stored")
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_a_ledger_twice_changes_nothing() {
    let database = Database::fresh().await;
    let first = store(&database, read()).await;
    let count = |summary: &Summary| -> Vec<(&'static str, u64)> {
        summary.tables.iter().map(|table| (table.table, table.inserted)).collect()
    };
    let stored = count(&first);
    assert!(stored.contains(&("transactions", 7)), "{stored:?}");
    assert!(stored.contains(&("holdings", 1)), "{stored:?}");
    let second = store(&database, read()).await;
    for table in &second.tables {
        assert_eq!((table.inserted, table.updated), (0, 0), "{}", table.table);
    }
}
