//! Tests of the rules for bundles, the faults of invalid bundles, and the JSON Schema.

mod deletions;

use serde_json::{Value, json};

use super::*;
use crate::record::Record;

const EXAMPLE: &str = include_str!("../../data/example_bundle.json");
const USER: &str = "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11";

/// Rules for credentials: times of creation up to the end of 2026, and redirect URIs with https only.
fn rules() -> CredentialRules {
    CredentialRules {
        created_at_max: "2026-12-31T23:59:59Z".parse().unwrap(),
        redirect_uri: |uri| if uri.starts_with("https://") { Ok(()) } else { Err("must start with https") },
    }
}

fn read_text(text: impl Into<String>) -> Vec<Result<Located, Faults>> {
    read(std::io::Cursor::new(text.into()), rules()).collect()
}

fn faults(text: impl Into<String>) -> Vec<String> {
    read_text(text).into_iter().filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect()
}

/// Returns the example bundle with one value replaced or added (`Some`) or removed (`None`).
fn changed(array: &str, key: &str, value: Option<Value>) -> String {
    let mut bundle: Value = serde_json::from_str(EXAMPLE).unwrap();
    let element = bundle[array][0].as_object_mut().unwrap();
    match value {
        Some(value) => element.insert(key.to_owned(), value),
        None => element.remove(key),
    };
    bundle.to_string()
}

#[track_caller]
fn assert_rejected(array: &str, key: &str, value: Value, rule: &str) {
    let faults = read_text(changed(array, key, Some(value.clone())));
    let faults: Vec<Fault> = faults.into_iter().filter_map(Result::err).flatten().collect();
    let [fault] = faults.as_slice() else { panic!("one fault for {array}.{key} = {value}: {faults:?}") };
    assert_eq!(fault.place, format!("{array}[0].{key}"));
    assert!(fault.rule.contains(rule), "{fault}");
}

fn bundle_of(transaction: Value) -> String {
    json!({ "format": "passbook-bundle", "version": 1, "transactions": [transaction] }).to_string()
}

/// Returns a transaction with the keys that every transaction has, and those of `more`.
fn transaction(more: Value) -> Value {
    let mut transaction = json!({ "user": USER, "id": "t", "account": "a", "date": "2026-11-20",
        "amount_cents": 1, "currency": "EUR", "title": "x" });
    let more = more.as_object().unwrap().clone();
    transaction.as_object_mut().unwrap().extend(more);
    transaction
}

fn stored_as(more: Value) -> (String, String) {
    let results = read_text(bundle_of(transaction(more.clone())));
    match results.as_slice() {
        [Ok(Located { record: Record::Transaction(row), .. })] => {
            (row.transaction_type.to_string(), row.category.as_str().to_owned())
        }
        other => panic!("{more}: {other:?}"),
    }
}

#[test]
fn example_contains_every_array_and_key() {
    let example: Value = serde_json::from_str(EXAMPLE).unwrap();
    let schema = json_schema();
    for (array, property) in schema["properties"].as_object().unwrap() {
        let Some(reference) = property["items"]["$ref"].as_str() else { continue };
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        for key in definition["properties"].as_object().unwrap().keys() {
            let given = example[array].as_array().unwrap().iter().any(|element| element.get(key).is_some());
            assert!(given, "the example of {array} shows {key}");
        }
    }
    for (array, property) in schema["properties"]["deleted"]["properties"].as_object().unwrap() {
        let reference = property["items"]["$ref"].as_str().unwrap();
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        let keys = definition["properties"].as_object().unwrap().keys();
        let shown = example["deleted"][array][0].as_object().unwrap().keys();
        assert!(keys.eq(shown), "the example shows every key of deleted.{array}");
    }
    let records: Vec<Located> = read_text(EXAMPLE).into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(records.len(), 34, "every element is read");
    assert_eq!(records[2].place, "users[0]");
}

#[test]
fn committed_schema_equals_the_generated_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bundle.schema.json");
    let schema = json_schema();
    #[expect(
        clippy::disallowed_methods,
        reason = "a test is asked to rewrite its expectation in no other way"
    )]
    let bless = std::env::var("PASSBOOK_TEST_BLESS").is_ok();
    if bless {
        std::fs::write(path, format!("{schema:#}\n")).unwrap();
    }
    // Compared as JSON values, because the order of keys may change with a dependency.
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let committed: Value = serde_json::from_str(&committed).unwrap_or_default();
    assert!(
        committed == schema,
        "docs/bundle.schema.json is out of date: run this test with PASSBOOK_TEST_BLESS=1"
    );
}

#[test]
fn invalid_values_name_their_rule() {
    let long = |length: usize| json!("x".repeat(length));
    for (array, key, value, rule) in [
        ("users", "id", json!("6f9f3c1e6d6a4c0e9d2c0a4f8f1f2b11"), "must be a UUID"),
        ("users", "email", json!("@example.org"), "must be an e-mail address"),
        ("users", "email", json!("a@b\0"), "must be an e-mail address"),
        ("users", "preferred_currency", json!("eur"), "three upper-case letters"),
        ("users", "time_zone", json!(""), "not blank"),
        ("users", "excluded_categories", json!("VACATION"), "must be an array"),
        ("exchange_rates", "units_per_base", json!("0"), "above 0"),
        ("exchange_rates", "units_per_base", json!(1.08), "in quotation marks"),
        ("exchange_rates", "as_of", json!("2026-02-30"), "calendar date YYYY-MM-DD"),
        ("exchange_rates", "as_of", json!("1899-12-31"), "from 1900 to 2200"),
        ("banks", "id", long(201), "1 to 200 characters"),
        ("banks", "name", json!(" \t"), "not blank"),
        ("banks", "name", json!("a\0b"), "without control characters"),
        ("banks", "name", json!(null), "must be text"),
        ("banks", "status", json!("connected"), "must be one of CONNECTED, NEEDS_UPDATE"),
        ("banks", "new_accounts_available", json!("yes"), "must be true or false"),
        ("banks", "error_code", json!("login"), "upper-case letters"),
        ("banks", "last_failed_update", json!("2026-11-20"), "must be a time with a zone"),
        ("banks", "last_failed_update", json!("2026-11-20T06:12:01"), "must be a time with a zone"),
        ("accounts", "type", json!("checking"), "must be one of depository"),
        ("accounts", "subtype", json!("Checking"), "must be lower-case text"),
        ("accounts", "balance_cents", json!(12.5), "must be a whole number of cents"),
        ("accounts", "closed_on", json!("2026-11-31"), "calendar date"),
        ("transactions", "amount_cents", json!(-1), "from 0 to 9000000000000000"),
        ("transactions", "amount_cents", json!(9_000_000_000_000_001_u64), "from 0 to 9000000000000000"),
        ("transactions", "amount_cents", json!("450"), "must be a whole number of cents"),
        ("transactions", "title", long(1001), "1 to 1000 characters"),
        ("transactions", "linked_transaction", json!("t-1"), "must not be the transaction itself"),
        ("transactions", "category", json!("COFFEE"), "must be an income category, because type is INCOME"),
        ("transactions", "category", json!("Coffee"), "must be one of GROCERIES"),
        ("transactions", "counterpart_outside", json!(true), "unless the row is a transfer"),
        ("budgets", "target_cents", json!(-1), "from 0 to"),
        ("securities", "isin", json!("US92194385"), "must be an ISIN"),
        ("security_prices", "price", json!("-1"), "from 0"),
        ("holdings", "quantity", json!("1e3"), "must be a decimal number"),
        ("holdings", "quantity", json!("0.00000000000000000000000000001"), "at most 28 digits"),
        ("wallets", "network", json!("bitcoin"), "upper-case letters"),
        ("wallets", "address", json!("short"), "8 to 128 characters"),
        ("paper_positions", "quantity", json!("-1"), "from 0"),
        ("paper_positions", "side", json!("long"), "must be one of LONG, SHORT"),
        ("oauth_clients", "name", long(101), "1 to 100 characters"),
        ("oauth_sessions", "session_id", long(201), "1 to 200 characters"),
        ("personal_access_tokens", "token_hash", json!("9F86"), "64 lower-case hexadecimal digits"),
        ("personal_access_tokens", "last_four", json!("x7Q"), "last four characters"),
        ("personal_access_tokens", "expires_at", json!("2026-01-01T08:00:00Z"), "must be after created_at"),
        ("personal_access_tokens", "expires_at", json!("2027-11-03T08:00:00Z"), "by at most 366 days"),
        ("personal_access_tokens", "nickname", json!("x"), "is not a known key: the keys are user, id"),
    ] {
        assert_rejected(array, key, value, rule);
    }
}

#[test]
fn fault_in_a_list_names_the_item_number() {
    let text = changed("users", "excluded_categories", Some(json!(["VACATION", "SALARY", "VACATION"])));
    let faults = faults(text);
    assert_eq!(faults.len(), 2);
    assert!(
        faults[0].starts_with("users[0].excluded_categories[1]: must be one of GROCERIES"),
        "{}",
        faults[0]
    );
    assert_eq!(
        faults[1],
        "users[0].excluded_categories[2]: must not repeat an earlier item; received \"VACATION\""
    );
}

#[test]
fn missing_required_keys_are_reported() {
    let schema = json_schema();
    for (array, property) in schema["properties"].as_object().unwrap() {
        let Some(reference) = property["items"]["$ref"].as_str() else { continue };
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        for key in definition["required"].as_array().unwrap() {
            let key = key.as_str().unwrap();
            assert_eq!(faults(changed(array, key, None)), [format!("{array}[0].{key}: must be given")]);
        }
    }
}

#[test]
fn all_faults_of_all_elements_are_reported() {
    let text = r#"{"format":"passbook-bundle","version":1,"budgets":[
        {"user":1,"id":"","category":"FOOD","currency":"EUR","currency":"EUR","we ird":0},
        7,
        {"user":"x","id":"b","category":"RENT"}]}"#;
    let places: Vec<String> =
        read_text(text).into_iter().filter_map(Result::err).flatten().map(|fault| fault.place).collect();
    assert_eq!(
        places,
        [
            "budgets[0].currency",
            "budgets[0][\"we ird\"]",
            "budgets[0].user",
            "budgets[0].id",
            "budgets[0].category",
            "budgets[1]",
            "budgets[2].user",
            "budgets[2].currency",
        ]
    );
}

#[test]
fn fault_text_states_place_rule_and_received_value() {
    let text = bundle_of(transaction(json!({ "type": "EXPENSE", "category": "RENT", "date": "2026-02-30" })));
    assert_eq!(
        faults(text),
        [
            "transactions[0].date: must be a calendar date YYYY-MM-DD from 1900 to 2200; received \"2026-02-30\""
        ]
    );
    let long = faults(changed("banks", "name", Some(json!("é".repeat(300)))));
    assert!(long[0].ends_with("é…"), "{}", long[0]);
    // A fault does not repeat a value that may be a secret.
    let token = faults(changed("personal_access_tokens", "token_hash", Some(json!("pbk_secret"))));
    assert!(!token[0].contains("pbk_"), "{}", token[0]);
}

#[test]
fn outermost_object_is_validated() {
    let check = |text: &str, expected: &[&str]| {
        let faults = faults(text);
        assert_eq!(faults.len(), expected.len(), "{text}: {faults:?}");
        for (fault, expected) in faults.iter().zip(expected) {
            assert!(fault.starts_with(expected), "{fault} starts with {expected}");
        }
    };
    check("{}", &["format: must be given", "version: must be given"]);
    check(r#"{"format":"x","version":2}"#, &["format: must be \"passbook-bundle\"", "version: must be 1"]);
    let head = r#"{"format":"passbook-bundle","version":1,"#;
    check(&format!(r#"{head}"rate_base":"euro"}}"#), &["rate_base: must be a currency code"]);
    check(
        &format!(r#"{head}"users":{{}},"banks":3}}"#),
        &["users: must be an array", "banks: must be an array"],
    );
    check(&format!(r#"{head}"user":[]}}"#), &["user: is not a known key"]);
    check(&format!(r#"{head}"users":[],"users":[1]}}"#), &["users: must be given only once"]);
    let rate = r#"{"currency":"USD","as_of":"2026-01-01","units_per_base":"1"}"#;
    check(
        &format!(r#"{head}"exchange_rates":[{rate}]}}"#),
        &["rate_base: must be given with exchange_rates"],
    );
    check("[]", &["line 1, column 1: must be a bundle: invalid type: sequence"]);
}

#[test]
fn json_syntax_errors_name_line_and_column() {
    assert_eq!(faults("{\n  \"format\" 1"), ["line 2, column 12: must be JSON: expected `:`"]);
    assert_eq!(faults(""), ["line 1, column 1: must be JSON: EOF while parsing a value"]);
    assert!(faults("{} x")[2].starts_with("line 1, column 4: must be JSON: trailing characters"));
    let cut = &EXAMPLE[..EXAMPLE.len() / 2];
    assert!(faults(cut).pop().unwrap().contains("must be JSON: EOF"));
}

#[test]
fn transaction_needs_type_and_category_or_direction_and_code() {
    let faults = |more: Value| faults(bundle_of(transaction(more)));
    let either = "must be given, or else direction and provider_category";
    assert_eq!(
        faults(json!({})),
        [format!("transactions[0].type: {either}"), format!("transactions[0].category: {either}")]
    );
    assert_eq!(faults(json!({ "type": "INCOME" })), [format!("transactions[0].category: {either}")]);
    assert_eq!(
        faults(json!({ "direction": "in" })),
        ["transactions[0].provider_category: must be given with direction"]
    );
    let both = "must not be given with direction: provider_category decides it";
    assert_eq!(
        faults(json!({ "direction": "in", "provider_category": "X", "type": "INCOME", "category": "GIFT" })),
        [format!("transactions[0].type: {both}"), format!("transactions[0].category: {both}")]
    );
}

#[test]
fn transfer_counts_unless_its_counterpart_is_known() {
    let check = |more: Value, kind: &str, category: &str| {
        assert_eq!(stored_as(more.clone()), (kind.to_owned(), category.to_owned()), "{more}");
    };
    let transfer = |category: &str| json!({ "type": "INTERNAL_TRANSFER", "category": category });
    let with = |mut object: Value, key: &str, value: Value| {
        object[key] = value;
        object
    };
    check(transfer("TRANSFER_IN"), "INCOME", "TRANSFER_IN");
    check(transfer("TRANSFER_OUT"), "EXPENSE", "TRANSFER_OUT");
    check(transfer("CREDIT_CARD_PAYMENT"), "EXPENSE", "CREDIT_CARD_PAYMENT");
    for category in ["TRANSFER_IN", "TRANSFER_OUT", "CREDIT_CARD_PAYMENT"] {
        check(with(transfer(category), "linked_transaction", json!("other")), "INTERNAL_TRANSFER", category);
        check(with(transfer(category), "counterpart_outside", json!(true)), "INTERNAL_TRANSFER", category);
    }
    let coded = |direction: &str, code: &str| json!({ "direction": direction, "provider_category": code });
    check(coded("in", "INCOME_WAGES"), "INCOME", "SALARY");
    check(coded("out", "TRANSFER_OUT_SAVINGS"), "EXPENSE", "TRANSFER_OUT");
    let savings = coded("out", "TRANSFER_OUT_SAVINGS");
    check(with(savings.clone(), "linked_transaction", json!("other")), "INTERNAL_TRANSFER", "TRANSFER_OUT");
    check(with(savings, "counterpart_outside", json!(true)), "INTERNAL_TRANSFER", "TRANSFER_OUT");
    check(coded("in", "LOAN_DISBURSEMENTS_MORTGAGE"), "INTERNAL_TRANSFER", "TRANSFER_IN");
    // A link makes a transaction internal only if its type or code is that of a transfer.
    check(with(coded("in", "TRAVEL_FLIGHTS"), "linked_transaction", json!("other")), "INCOME", "REFUND");
}

#[test]
fn dropping_the_iterator_stops_the_reading_thread() {
    /// An input that never ends. It signals when it is dropped.
    struct Endless(Option<std::sync::mpsc::Sender<()>>, bool);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let text: &[u8] = if self.1 { b"0," } else { b"{\"users\":[" };
            self.1 = true;
            buffer[..text.len()].copy_from_slice(text);
            Ok(text.len())
        }
    }
    impl Drop for Endless {
        fn drop(&mut self) {
            let _ = self.0.take().map(|sender| sender.send(()));
        }
    }
    let (sender, dropped) = std::sync::mpsc::channel();
    let mut elements = read(Endless(Some(sender), false), rules());
    assert!(elements.next().unwrap().is_err());
    drop(elements);
    dropped.recv_timeout(std::time::Duration::from_secs(30)).expect("the reader is let go");
}

#[test]
fn interrupted_reading_is_reported_as_a_fault() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    struct Panicking;
    impl Read for Panicking {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            panic!("a defect in the source")
        }
    }
    let texts: Vec<String> =
        read(Broken, rules()).filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect();
    assert_eq!(texts, ["the bundle: must be readable: the disk is gone"]);
    let texts: Vec<String> =
        read(Panicking, rules()).filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect();
    assert_eq!(texts, ["the bundle: must be read to its end, but reading was interrupted"]);
}

#[test]
fn object_with_many_members_ends_reading() {
    let members = |count: usize| {
        let members: Vec<String> = (0..count).map(|number| format!("\"k{number}\":0")).collect();
        members.join(",")
    };
    let expected = "must be a bundle: an object has more than 64 members";
    for text in [
        format!("{{{}}}", members(200_000)),
        format!(r#"{{"format":"passbook-bundle","version":1,"deleted":{{{}}}}}"#, members(200_000)),
        format!(r#"{{"format":"passbook-bundle","version":1,"users":[{{{}}}]}}"#, members(200_000)),
    ] {
        let faults = faults(text);
        assert!(faults.last().is_some_and(|fault| fault.contains(expected)), "{faults:?}");
    }
}

#[test]
fn lists_and_texts_are_limited() {
    let many: Vec<String> = (0..101).map(|number| format!("https://a.example/{number}")).collect();
    assert_rejected("oauth_clients", "redirect_uris", json!(many), "must have at most 100 items");
    for control in ["a\u{1b}[2Jb", "a\u{9b}b", "a\rb", "a\0b"] {
        assert_rejected("accounts", "name", json!(control), "without control characters");
    }
}
