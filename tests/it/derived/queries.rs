//! Compares each query over totals with its plain form, which adds up the rows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tokio_postgres::{Client, SimpleQueryMessage};

use super::statements;

/// A query over totals.
struct Query {
    /// The file of the store.
    stored: &'static str,
    /// The plain form.
    plain: &'static str,
    /// Number of columns before the columns `currency`, `count`, `amount_cents` and `converted_cents`.
    keys: usize,
    /// Values of `$7`; empty if there is no `$7`.
    last: &'static [&'static str],
}

macro_rules! query {
    ($name:literal, $keys:literal, $last:expr) => {
        Query {
            stored: include_str!(concat!("../../../crates/store/sql/", $name, ".sql")),
            plain: include_str!(concat!("plain/", $name, ".sql")),
            keys: $keys,
            last: $last,
        }
    };
}

const QUERIES: &[Query] = &[
    query!("cashflow", 3, &["null::text", "'month'"]),
    query!("spending_periods", 2, &["null::text", "'month'", "'week'", "'day'"]),
    query!("spending_before", 0, &[]),
    query!("spending_categories", 2, &["null::text", "'month'"]),
    query!("refunds_by_category", 1, &[]),
    query!("top_merchants", 2, &["2::bigint", "10::bigint"]),
];

const RANGES: [(&str, &str); 6] = [
    ("-infinity", "infinity"),
    ("2025-11-22", "2026-11-21"),
    ("2026-02-10", "infinity"),
    ("-infinity", "2026-01-31"),
    ("2025-01-01", "2025-12-31"),
    ("2026-10-05", "2026-10-20"),
];

/// Filters by category, accounts and text: `$4`, `$5` and `$6`.
const FILTERS: [(&str, &str, &str); 5] = [
    ("null::text[]", "null::uuid[]", "null::text"),
    ("array['VACATION', 'REFUND']", "null::uuid[]", "null::text"),
    ("null::text[]", "array['{account}']::uuid[]", "null::text"),
    ("array['GROCERIES', 'SALARY']", "array['{account}']::uuid[]", "null::text"),
    ("null::text[]", "null::uuid[]", "'cafe'"),
];

/// The totals of a query by key, each a count and cents; then the counted days where the range is open.
type Totals = (BTreeMap<Vec<Option<String>>, (i64, i64)>, Option<(Option<String>, Option<String>)>);

/// Compares all queries for both users, with ranges, filters and switches.
pub(super) async fn check(superuser: &Client) -> Result<(), TestCaseError> {
    for of in 0..2 {
        let user = statements::user(of);
        for (first, last) in RANGES {
            let days = format!(
                "set app.user_id = '{user}'; set app.first_day = '{first}'; set app.last_day = '{last}'"
            );
            superuser.batch_execute(&days).await.expect("the settings change");
            for (number, (categories, accounts, text)) in FILTERS.into_iter().enumerate() {
                let accounts =
                    accounts.replace("{account}", &format!("0000000{of}-0000-4000-8000-00000000a001"));
                let (pending, excluded) = (number % 2 == 0, number == 1 || number == 2 && of == 0);
                let six = format!("'{user}'::uuid, {pending}, {excluded}, {categories}, {accounts}, {text}");
                for query in QUERIES {
                    let one_call = [six.clone()];
                    let calls: Vec<String> = match query.last {
                        [] => one_call.to_vec(),
                        values => values.iter().map(|value| format!("{six}, {value}")).collect(),
                    };
                    for call in calls {
                        let stored = totals(superuser, query.stored, query.keys, &call, (first, last)).await;
                        let plain = totals(superuser, query.plain, query.keys, &call, (first, last)).await;
                        prop_assert_eq!(stored, plain, "{}..{} ({}): {}", first, last, call, query.stored);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Executes a query with values in the place of its parameters.
async fn totals(client: &Client, sql: &str, keys: usize, values: &str, range: (&str, &str)) -> Totals {
    let mut sql = sql.to_owned();
    for (number, value) in split(values).iter().enumerate().rev() {
        sql = sql.replace(&format!("${}", number + 1), &format!("({value})"));
    }
    let messages = client.simple_query(&sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    let mut found: Totals = (BTreeMap::new(), None);
    for message in messages {
        let SimpleQueryMessage::Row(row) = message else { continue };
        let text = |column: usize| row.get(column).map(str::to_owned);
        let cents = |column: usize| row.get(column).map(|cents| cents.parse::<i64>().expect("cents"));
        let converted = cents(keys + 3);
        let mut key: Vec<Option<String>> = (0..keys).map(text).collect();
        key.push(text(keys).filter(|_| converted.is_none()));
        let total = found.0.entry(key).or_default();
        total.0 += cents(keys + 1).expect("a count");
        total.1 += converted.or(cents(keys + 2)).expect("cents");
        if row.len() > keys + 4 {
            let open = |bound: &str, column: usize| text(column).filter(|_| bound.ends_with("infinity"));
            let (first, last) = (open(range.0, keys + 4), open(range.1, keys + 5));
            let known = found.1.take().unwrap_or((first.clone(), last.clone()));
            found.1 = Some((known.0.min(first), known.1.max(last)));
        }
    }
    found
}

/// Splits a list of values at its commas, except those inside brackets.
fn split(values: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in values.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}
