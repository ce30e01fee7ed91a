//! Faults between records and against stored rows: each has its exact place, and nothing is stored.

use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::transaction::TransactionType;
use passbook_ingest::load::{LoadError, Options, load};
use passbook_records::record::{Record, Transaction};
use passbook_records::{FAULTS_LISTED_MAX, Located};
use serde_json::{Value, json};
use tests::database::Database;
use uuid::Uuid;

use super::{content, example, loaded, refused};

const OTHER_USER: &str = "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01";

fn push(bundle: &mut Value, array: &str, element: Value) {
    bundle[array].as_array_mut().expect("an array").push(element);
}

#[tokio::test]
async fn stored_row_can_be_referenced_by_its_owner_only() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let only = |array: &str, element: &Value| {
        json!({ "format": "passbook-bundle", "version": 1, "users": [{
            "id": OTHER_USER, "email": "other@example.org", "preferred_currency": "EUR", "time_zone": "UTC",
            "excluded_categories": []
        }], array: [element] })
    };
    for array in [
        "accounts",
        "balance_snapshots",
        "transactions",
        "security_prices",
        "holdings",
        "wallet_holdings",
        "paper_positions",
    ] {
        let mut element = example()[array][0].clone();
        loaded(&mut client, &only(array, &element)).await;
        element["user"] = json!(OTHER_USER);
        let faults = refused(&mut client, &only(array, &element)).await;
        assert!(faults.iter().all(|fault| fault.place.starts_with(&format!("{array}[0]."))), "{faults:?}");
        assert!(
            faults.iter().all(|fault| fault.rule.contains("of this user, in this input or stored")),
            "{faults:?}"
        );
    }
}

#[tokio::test]
async fn faults_beyond_the_limit_are_counted() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    for day in 0..FAULTS_LISTED_MAX + 500 {
        let as_of = jiff::civil::date(2020, 1, 1).saturating_add(jiff::Span::new().days(day as i64));
        let snapshot =
            json!({ "user": OTHER_USER, "account": "x", "as_of": as_of.to_string(), "balance_cents": 1 });
        push(&mut bundle, "balance_snapshots", snapshot);
    }
    let faults = refused(&mut client, &bundle).await;
    assert_eq!(faults.len(), FAULTS_LISTED_MAX + 1);
    assert_eq!(faults[FAULTS_LISTED_MAX].to_string(), "and more: 500 further faults are not listed");
    // The same number of faults, found while the bundle is read.
    for snapshot in bundle["balance_snapshots"].as_array_mut().expect("an array").iter_mut().skip(1) {
        snapshot["user"] = json!("x");
    }
    let faults = refused(&mut client, &bundle).await;
    assert_eq!(faults[FAULTS_LISTED_MAX].to_string(), "and more: 500 further faults are not listed");
}

#[tokio::test]
async fn row_rejected_by_the_database_is_reported_with_its_constraint() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let before = content(&database).await;
    let user_id = Uuid::parse_str(example()["users"][0]["id"].as_str().expect("text")).expect("a UUID");
    let good = Transaction {
        user_id,
        transaction_id: Uuid::nil(),
        account_id: passbook_records::id::derive(user_id, "account", "checking"),
        date: jiff::civil::date(2026, 1, 1),
        transaction_type: TransactionType::Expense,
        category: Category::Expense(ExpenseCategory::Rent),
        amount_cents: 1,
        currency: Currency::EUR,
        title: "x".to_owned(),
        pending: false,
        provider_category: None,
        merchant_name: None,
        linked_transaction_id: None,
    };
    let cases = [
        (
            Transaction { amount_cents: -1, ..good.clone() },
            "table transactions",
            "transactions_amount_cents_check",
        ),
        (
            Transaction { transaction_type: TransactionType::Income, ..good.clone() },
            "table transactions",
            "fkey",
        ),
        (Transaction { title: "a\0b".to_owned(), ..good.clone() }, "transactions", "must be storable"),
        (Transaction { linked_transaction_id: Some(Uuid::nil()), ..good }, "table transactions", "check"),
    ];
    for (transaction, place, rule) in cases {
        let located = Located { place: "by hand".to_owned(), record: Record::Transaction(transaction) };
        // Enough rows that PostgreSQL reports the error before all rows are sent.
        let records = std::iter::repeat_n(located, 1_500).map(Ok);
        let error = load(&mut client, records, Options::default()).await;
        let Err(LoadError::Faults(faults)) = error else {
            panic!("{rule}: expected faults, found {error:?}")
        };
        assert_eq!((faults.len(), faults[0].place.as_str()), (1, place), "{faults:?}");
        assert!(faults[0].rule.contains(rule), "{faults:?}");
        assert_eq!(content(&database).await, before);
    }
}
