//! Faults between records and against stored rows: each has its exact place, and nothing is stored.

use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::transaction::TransactionType;
use passbook_fault::Fault;
use passbook_formats::record::{Record, Transaction};
use passbook_formats::{FAULTS_LISTED_MAX, Located};
use passbook_ingest::load::{LoadError, Options, load};
use serde_json::{Value, json};
use tests::database::Database;
use uuid::Uuid;

use super::{content, example, loaded, refused};

const OTHER_USER: &str = "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01";

/// Name of the case, a change to the example, and all faults that result.
type Case = (&'static str, fn(&mut Value), &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "unknown user",
        |b| b["budgets"][0]["user"] = json!(OTHER_USER),
        &["budgets[0].user: must be a user of this input or one who is stored"],
    ),
    (
        "unknown user of a row with references",
        |b| b["holdings"][0]["user"] = json!(OTHER_USER),
        &["holdings[0].user: must be a user of this input or one who is stored"],
    ),
    (
        "unknown bank",
        |b| b["accounts"][0]["bank"] = json!("x"),
        &["accounts[0].bank: must be a bank of this user, in this input or stored"],
    ),
    (
        "unknown account",
        |b| b["balance_snapshots"][0]["account"] = json!("x"),
        &["balance_snapshots[0].account: must be an account of this user, in this input or stored"],
    ),
    (
        "unknown link",
        |b| b["transactions"][0]["linked_transaction"] = json!("x"),
        &["transactions[0].linked_transaction: must be a transaction of this user, in this input or stored"],
    ),
    (
        "unknown security, twice",
        |b| {
            b["holdings"][0]["security"] = json!("x");
            b["security_prices"][0]["security"] = json!("x");
        },
        &[
            "security_prices[0].security: must be a security of this user, in this input or stored",
            "holdings[0].security: must be a security of this user, in this input or stored",
        ],
    ),
    (
        "value beyond the range of totals",
        |b| {
            b["holdings"][0]["quantity"] = json!("-10000000000");
            b["security_prices"][0]["price"] = json!("9000.01");
            b["security_prices"][0]["security"] = b["holdings"][0]["security"].clone();
        },
        &["holdings[0]: must not have a quantity and a price of the same security whose product is above \
           90000000000000"],
    ),
    (
        "rate, quantity and price out of bounds",
        |b| {
            b["exchange_rates"][0]["units_per_base"] = json!("0.0000000001");
            b["holdings"][0]["quantity"] = json!("90000000000001");
            b["paper_positions"][0]["average_entry_price"] = json!("90000000000001");
        },
        &[
            "exchange_rates[0].units_per_base: must be a rate from 0.000000001 to 1000000000; received 0.0000000001",
            "holdings[0].quantity: must be a number from -90000000000000 to 90000000000000; received 90000000000001",
            "paper_positions[0].average_entry_price: must be a number from -90000000000000 to 90000000000000; \
             received 90000000000001",
        ],
    ),
    (
        "unknown wallet",
        |b| b["wallet_holdings"][0]["wallet"] = json!("x"),
        &["wallet_holdings[0].wallet: must be a wallet of this user, in this input or stored"],
    ),
    (
        "unknown paper account",
        |b| b["paper_positions"][0]["paper_account"] = json!("x"),
        &["paper_positions[0].paper_account: must be a paper account of this user, in this input or stored"],
    ),
    (
        "unknown owner",
        |b| b["oauth_clients"][0]["owner"] = json!(OTHER_USER),
        &["oauth_clients[0].owner: must be a user of this input or one who is stored"],
    ),
    (
        "unknown client",
        |b| b["oauth_consents"][0]["client_id"] = json!("x"),
        &["oauth_consents[0].client_id: must be a client of this input or one that is stored"],
    ),
    (
        "unknown client of a session",
        |b| b["oauth_sessions"][0]["client_id"] = json!("x"),
        &["oauth_sessions[0].client_id: must be a client of this input or one that is stored"],
    ),
    (
        "unknown zone",
        |b| b["users"][0]["time_zone"] = json!("Europe/Pari"),
        &[
            "users[0].time_zone: must be the name of an IANA time zone, such as Europe/Paris; received \"Europe/Pari\"",
        ],
    ),
    (
        "offset instead of a zone",
        |b| b["users"][0]["time_zone"] = json!("UTC+3"),
        &[
            "users[0].time_zone: must be the name of an IANA time zone, such as Europe/Paris; received \"UTC+3\"",
        ],
    ),
    (
        "one address, two people",
        |b| {
            let mut other = b["users"][0].clone();
            other["id"] = json!(OTHER_USER);
            other["email"] = json!("ADA@example.org");
            push(b, "users", other);
        },
        &["users[1].email: must not be the address of another user; received \"ADA@example.org\""],
    ),
    (
        "one id, two contents",
        |b| {
            let mut other = b["transactions"][1].clone();
            other["title"] = json!("another");
            push(b, "transactions", other);
        },
        &["transactions[3]: must equal transactions[1], which has the same user and id"],
    ),
    (
        "one day, two balances",
        |b| {
            let mut other = b["balance_snapshots"][0].clone();
            other["balance_cents"] = json!(1);
            push(b, "balance_snapshots", other);
        },
        &["balance_snapshots[1]: must equal balance_snapshots[0], which has the same account and day"],
    ),
    (
        "one person, two settings",
        |b| {
            let mut other = b["users"][0].clone();
            other["excluded_categories"] = json!([]);
            push(b, "users", other);
        },
        &["users[1]: must equal users[0], which has the same id"],
    ),
    (
        "one category, two budgets",
        |b| {
            let mut other = b["budgets"][0].clone();
            other["id"] = json!("another");
            push(b, "budgets", other);
        },
        &[
            "budgets[1].category: must not be the category of another budget of this user; received \"GROCERIES\"",
        ],
    ),
    (
        "one token, two owners",
        |b| {
            let mut other = b["personal_access_tokens"][0].clone();
            other["id"] = json!("another");
            push(b, "personal_access_tokens", other);
        },
        &["personal_access_tokens[1].token_hash: must not be the hash of another token"],
    ),
    (
        "a rate of the base currency",
        |b| b["exchange_rates"][0]["currency"] = json!("EUR"),
        &[
            "exchange_rates[0].currency: must not be the base currency, whose rate is always 1; received \"EUR\"",
        ],
    ),
    (
        "faults of reading and faults among rows",
        |b| {
            b["users"][0]["time_zone"] = json!("Mars/Base");
            b["accounts"][0]["currency"] = json!("euro");
        },
        &[
            "accounts[0].currency: must be a currency code of three upper-case letters, such as EUR; received \"euro\"",
            "users[0].time_zone: must be the name of an IANA time zone, such as Europe/Paris; received \"Mars/Base\"",
        ],
    ),
];

fn push(bundle: &mut Value, array: &str, element: Value) {
    bundle[array].as_array_mut().expect("an array").push(element);
}

#[tokio::test]
async fn every_fault_has_its_place_and_nothing_is_stored() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let before = content(&database).await;
    for (name, change, expected) in CASES {
        let mut bundle = example();
        change(&mut bundle);
        let messages: Vec<String> =
            refused(&mut client, &bundle).await.iter().map(Fault::to_string).collect();
        assert_eq!(messages, *expected, "{name}");
        assert_eq!(content(&database).await, before, "{name}: nothing may be stored");
    }
    loaded(&mut client, &example()).await;
}

#[tokio::test]
async fn identical_repeated_row_is_stored_once() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    let again = bundle["transactions"][1].clone();
    push(&mut bundle, "transactions", again);
    assert_eq!(super::counts_of(&loaded(&mut client, &bundle).await, "transactions"), (3, 0, 0));
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
async fn unique_value_of_a_stored_row_cannot_be_used_again() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let mut bundle = example();
    bundle["users"][0]["id"] = json!(OTHER_USER);
    assert_eq!(places(&refused(&mut client, &bundle).await)[0], "users[0].email");
    let mut bundle = example();
    bundle["budgets"][0]["id"] = json!("another");
    assert_eq!(places(&refused(&mut client, &bundle).await), ["budgets[0].category"]);
    let mut bundle = example();
    bundle["personal_access_tokens"][0]["id"] = json!("another");
    assert_eq!(places(&refused(&mut client, &bundle).await), ["personal_access_tokens[0].token_hash"]);
}

fn places(faults: &[Fault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.place.as_str()).collect()
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
        account_id: passbook_formats::id::derive(user_id, "account", "checking"),
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
