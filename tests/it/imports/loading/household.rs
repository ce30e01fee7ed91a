//! Random households: the result does not depend on the order of elements, on repetition, or on concurrent loads.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Barrier;

use passbook_ingest::load::{Options, credential_rules, load};
use proptest::prelude::*;
use serde_json::{Value, json};
use tests::database::Database;

use super::{content, counts, loaded, removed_and_absent};

/// Number of random cases, in an ordinary and in a thorough test run. Each case needs two databases.
const CASES: (u32, u32) = (4, 16);

/// Number of rows that two loads store at the same time.
const ROWS_AT_ONCE: u64 = 5_000;

/// A bundle of a few users with links between rows, and the same elements in another order.
fn households() -> impl Strategy<Value = (Value, Value)> {
    let user =
        (1_u8..4, prop::collection::vec(movement(), 0..30), prop::sample::subsequence(EXCLUDED, 0..=3));
    prop::collection::vec(user, 1..4).prop_flat_map(|users| {
        let mut arrays: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (number, (accounts, movements, excluded)) in users.iter().enumerate() {
            household(&mut arrays, number, *accounts, movements, excluded);
        }
        let shuffled =
            arrays.iter().map(|(key, elements)| (Just(*key), Just(elements.clone()).prop_shuffle()));
        let shuffled = shuffled.collect::<Vec<_>>().prop_shuffle();
        (Just(bundle(arrays)), shuffled.prop_map(bundle))
    })
}

const EXCLUDED: &[&str] = &["BOOKS", "MUSIC", "VACATION"];

/// Account, day, amount, linked to another movement (two consecutive movements may form a transfer), unusual text.
type Movement = (u8, u16, i64, bool, String);

fn movement() -> impl Strategy<Value = Movement> {
    let text = "[a-zA-Zéß漢'\"\\\\%_,{} ]{0,12}";
    (0_u8..4, 0_u16..700, 0_i64..=9_000_000_000_000_000, any::<bool>(), text)
}

fn household(
    arrays: &mut BTreeMap<&str, Vec<Value>>,
    number: usize,
    accounts: u8,
    movements: &[Movement],
    excluded: &[&str],
) {
    let user = passbook_records::id::user(&format!("{number}@example.org")).to_string();
    let mut push = |array, element: Value| arrays.entry(array).or_default().push(element);
    push(
        "users",
        json!({ "id": user, "email": format!("{number}@example.org"), "preferred_currency": "EUR",
        "time_zone": "UTC", "excluded_categories": excluded }),
    );
    push("banks", json!({ "user": user, "id": "b", "name": "Bank" }));
    push("securities", json!({ "user": user, "id": "s", "name": "Fund", "type": "ETF", "currency": "USD" }));
    for account in 0..accounts {
        push(
            "accounts",
            json!({ "user": user, "id": format!("a{account}"), "bank": "b", "name": "Account",
            "type": "depository", "subtype": "checking", "currency": "EUR",
            "balance_cents": -i64::from(account),
            "balance_updated_at": "2026-11-20T22:00:00.123456Z" }),
        );
        push(
            "holdings",
            json!({ "user": user, "account": format!("a{account}"), "security": "s",
            "quantity": format!("-{account}.00100") }),
        );
    }
    for (row, (account, day, amount, linked, text)) in movements.iter().enumerate() {
        // Rows 0 and 1 may form a transfer, as may 2 and 3. The legs are on neighbouring accounts.
        let (first, other) = (row & !1, row ^ 1);
        let is_transfer = accounts > 1 && other < movements.len() && movements[first].3;
        let account = if is_transfer { movements[first].0 + u8::from(row > other) } else { *account };
        let account = format!("a{}", account % accounts);
        let date = jiff::civil::date(2025, 1, 1).saturating_add(jiff::Span::new().days(i64::from(*day)));
        let mut transaction = json!({ "user": user, "id": format!("t{row}"), "account": account,
            "date": date.to_string(), "type": "EXPENSE", "category": "RENT", "amount_cents": amount,
            "currency": "JPY", "title": format!(".{text}") });
        // Links point backwards and forwards, so in any order some row precedes the row that it references.
        if is_transfer {
            transaction["type"] = json!("INTERNAL_TRANSFER");
            transaction["category"] = json!(if row > other { "TRANSFER_IN" } else { "TRANSFER_OUT" });
            transaction["linked_transaction"] = json!(format!("t{other}"));
        } else if *linked && movements.len() > 1 {
            transaction["linked_transaction"] = json!(format!("t{}", (row + 1) % movements.len()));
        }
        push("transactions", transaction);
    }
}

fn bundle<'a>(arrays: impl IntoIterator<Item = (&'a str, Vec<Value>)>) -> Value {
    let arrays = arrays.into_iter().map(|(key, elements)| (key.to_owned(), Value::Array(elements)));
    let head = [("format".to_owned(), json!("passbook-bundle")), ("version".to_owned(), json!(1))];
    Value::Object(arrays.chain(head).collect())
}

/// Returns the rows of `other` that belong to users of `base`, with identifiers that `base` does not contain.
fn further_rows(base: &Value, other: &Value) -> Value {
    let users: Vec<&Value> =
        base["users"].as_array().expect("an array").iter().map(|user| &user["id"]).collect();
    let arrays = other.as_object().expect("an object").iter().filter(|(key, _)| *key != "users");
    let arrays = arrays.filter_map(|(key, rows)| {
        let rows = rows.as_array()?.iter().filter(|row| users.contains(&&row["user"])).map(|row| {
            let mut row = row.clone();
            for name in ["id", "bank", "account", "security", "linked_transaction"] {
                if let Some(id) = row.get(name).and_then(Value::as_str) {
                    row[name] = json!(format!("further {id}"));
                }
            }
            row
        });
        Some((key.as_str(), rows.collect()))
    });
    bundle(arrays.collect::<Vec<(&str, Vec<Value>)>>())
}

/// Returns a bundle that deletes all rows of a bundle.
fn without(rows: &Value) -> Value {
    let mut deleting = bundle([]);
    for (key, rows) in rows.as_object().expect("an object") {
        let Some(rows) = rows.as_array() else { continue };
        let names: &[&str] =
            if key == "holdings" { &["user", "account", "security"] } else { &["user", "id"] };
        let keys = rows.iter().map(|row| {
            Value::Object(names.iter().map(|name| ((*name).to_owned(), row[name].clone())).collect())
        });
        deleting["deleted"][key] = Value::Array(keys.collect());
    }
    deleting
}

fn check<T: std::fmt::Debug>(
    values: &impl Strategy<Value = T>,
    property: impl AsyncFn(T) -> Result<(), TestCaseError>,
) {
    tests::check_property(tests::cases(CASES.0, CASES.1), values, property);
}

#[test]
fn rows_that_were_loaded_and_deleted_leave_no_trace() {
    check(&(households(), households()), async |((base, _), (other, shuffled))| {
        let database = Database::fresh().await;
        let mut client = database.connect("passbook_writer").await;
        loaded(&mut client, &base).await;
        let stored = content(&database).await;
        let rows = counts(&loaded(&mut client, &further_rows(&base, &other)).await).0;
        let deleting = without(&further_rows(&base, &shuffled));
        prop_assert_eq!(removed_and_absent(&loaded(&mut client, &deleting).await), (rows, 0));
        prop_assert_eq!(&stored, &content(&database).await);
        prop_assert_eq!(removed_and_absent(&loaded(&mut client, &deleting).await), (0, rows));
        Ok(())
    });
}

#[test]
fn loaded_household_does_not_depend_on_order_or_repetition() {
    check(&households(), async |(in_order, shuffled)| {
        let (one, other) = (Database::fresh().await, Database::fresh().await);
        let mut client = one.connect("passbook_writer").await;
        let first = loaded(&mut client, &in_order).await;
        loaded(&mut other.connect("passbook_writer").await, &shuffled).await;
        let stored = content(&one).await;
        prop_assert_eq!(&stored, &content(&other).await);
        let again = loaded(&mut client, &shuffled).await;
        prop_assert_eq!(counts(&again), (0, 0, counts(&first).0));
        prop_assert_eq!(stored, content(&one).await);
        Ok(())
    });
}

#[tokio::test]
async fn concurrent_loads_store_the_same_as_one_load() {
    let (together, alone) = (Database::fresh().await, Database::fresh().await);
    for database in [&together, &alone] {
        loaded(&mut database.connect("passbook_writer").await, &super::example()).await;
    }
    // The bundles contain transactions only: a shared user or bank would make one load wait before it reaches the rows.
    let rows = (0..ROWS_AT_ONCE).map(|row| {
        let mut transaction = super::example()["transactions"][1].clone();
        transaction["id"] = json!(format!("row {row}"));
        transaction
    });
    let forwards: Vec<Value> = rows.collect();
    let backwards = forwards.iter().rev().cloned().collect();
    let bundles = [forwards, backwards].map(|rows| bundle([("transactions", rows)]));
    loaded(&mut alone.connect("passbook_writer").await, &bundles[0]).await;
    let all_sent = Barrier::new(2);
    let wait_for_both = |sent: u64| {
        if sent == ROWS_AT_ONCE {
            all_sent.wait();
        }
    };
    // Each load runs on its own thread, and neither merges before both have sent all rows.
    let inserted = std::thread::scope(|scope| {
        let loads = bundles
            .each_ref()
            .map(|bundle| scope.spawn(|| load_meanwhile(&together, bundle, &wait_for_both)));
        loads
            .into_iter()
            .map(|load| load.join().expect("the load ends without fault or deadlock"))
            .sum::<u64>()
    });
    assert_eq!(inserted, ROWS_AT_ONCE, "each row must be new to exactly one load");
    assert_eq!(content(&together).await, content(&alone).await);
}

/// Loads a bundle on its own runtime. Returns the number of inserted rows.
fn load_meanwhile(database: &Database, bundle: &Value, progress: &(dyn Fn(u64) + Send + Sync)) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut client = database.connect("passbook_writer").await;
        let records = passbook_records::bundle::read(Cursor::new(bundle.to_string()), credential_rules());
        let options = Options { progress: Some(progress), ..Options::default() };
        counts(&load(&mut client, records, options).await.expect("the load is stored")).0
    })
}
