//! Compares each query over totals with its plain form, which adds up the rows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

use super::statements;

/// A query over totals.
struct Query {
    /// The name of the store's query for a search text.
    matching: &'static str,
    /// The name of the store's query for stored totals; the same one if it has the search text too.
    stored: &'static str,
    /// Values of `$6` of the query of counted days; `None` if the totals have no counted days.
    income: Option<&'static str>,
    /// The plain form.
    plain: &'static str,
    /// Number of columns before the columns `currency`, `count`, `amount_cents` and `converted_cents`.
    keys: usize,
    /// Values of the parameter between the filters and the search text; empty if there is none.
    last: &'static [&'static str],
}

macro_rules! query {
    ($name:literal, $stored:literal, $keys:literal, $income:expr, $last:expr) => {
        Query {
            matching: $name,
            stored: $stored,
            income: $income,
            plain: include_str!(concat!("plain/", $name, ".sql")),
            keys: $keys,
            last: $last,
        }
    };
}

const MONTHS: &[&str] = &["null::text", "'month'"];
const PERIODS: &[&str] = &["null::text", "'month'", "'week'", "'day'"];

const QUERIES: &[Query] = &[
    query!("cashflow", "cashflow_stored", 3, Some("null::text[]"), MONTHS),
    query!("spending_periods", "spending_periods_stored", 2, Some("array['REFUND']"), PERIODS),
    query!("spending_before", "spending_before_stored", 0, None, &[]),
    query!("spending_categories", "spending_categories_stored", 2, Some("'{}'::text[]"), MONTHS),
    query!("refunds_by_category", "refunds_by_category_stored", 1, None, &[]),
    query!("top_merchants", "top_merchants", 2, None, &["2::bigint", "10::bigint"]),
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

/// The first and the last counted day, each only where the range is open.
type Days = Option<(Option<String>, Option<String>)>;

/// The totals of a query by key, each a count and cents; then the counted days.
type Totals = (BTreeMap<Vec<Option<String>>, (i64, i64)>, Days);

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
                let five = format!("'{user}'::uuid, {pending}, {excluded}, {categories}, {accounts}");
                let six = format!("{five}, {text}");
                let is_stored = text == "null::text";
                for query in QUERIES {
                    let further: Vec<String> = match query.last {
                        [] => vec![String::new()],
                        values => values.iter().map(|value| format!(", {value}")).collect(),
                    };
                    let sql = super::sql(if is_stored { query.stored } else { query.matching });
                    for last_value in further {
                        let call = format!("{six}{last_value}");
                        let plain = totals(superuser, query.plain, query.keys, &call, (first, last)).await;
                        let search = if is_stored && query.stored != query.matching {
                            String::new()
                        } else {
                            format!(", {text}")
                        };
                        let call = format!("{five}{last_value}{search}");
                        let (stored, of_rows) =
                            totals(superuser, sql, query.keys, &call, (first, last)).await;
                        prop_assert_eq!(&stored, &plain.0, "{}..{} ({}): {}", first, last, call, sql);
                        // A further query has the counted days of stored totals.
                        let days = match query.income {
                            Some(income) if is_stored && !stored.is_empty() => {
                                counted_days(superuser, &format!("{five}, {income}"), (first, last)).await
                            }
                            _ => of_rows,
                        };
                        prop_assert_eq!(days, plain.1, "days {}..{} ({}): {}", first, last, call, sql);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Returns the rows of a query with values in the place of its parameters.
async fn rows(client: &Client, sql: &str, values: &str) -> Vec<SimpleQueryRow> {
    let mut sql = sql.to_owned();
    for (number, value) in split(values).iter().enumerate().rev() {
        sql = sql.replace(&format!("${}", number + 1), &format!("({value})"));
    }
    let messages = client.simple_query(&sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    let row = |message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    };
    messages.into_iter().filter_map(row).collect()
}

/// Executes a query of totals.
async fn totals(client: &Client, sql: &str, keys: usize, values: &str, range: (&str, &str)) -> Totals {
    let mut found: Totals = (BTreeMap::new(), None);
    for row in rows(client, sql, values).await {
        let text = |column: usize| row.get(column).map(str::to_owned);
        let cents = |column: usize| row.get(column).map(|cents| cents.parse::<i64>().expect("cents"));
        let converted = cents(keys + 3);
        let mut key: Vec<Option<String>> = (0..keys).map(text).collect();
        key.push(text(keys).filter(|_| converted.is_none()));
        let total = found.0.entry(key).or_default();
        total.0 += cents(keys + 1).expect("a count");
        total.1 += converted.or(cents(keys + 2)).expect("cents");
        if row.len() > keys + 4 {
            let (first, last) = open_days(&row, keys + 4, range);
            let known = found.1.take().unwrap_or((first.clone(), last.clone()));
            found.1 = Some((known.0.min(first), known.1.max(last)));
        }
    }
    found
}

/// Executes the query of counted days.
async fn counted_days(client: &Client, values: &str, range: (&str, &str)) -> Days {
    rows(client, super::sql("counted_days"), values).await.first().map(|row| open_days(row, 1, range))
}

/// Returns two columns of days, each only where the range is open.
fn open_days(row: &SimpleQueryRow, column: usize, range: (&str, &str)) -> (Option<String>, Option<String>) {
    let open = |bound: &str, column: usize| {
        row.get(column).map(str::to_owned).filter(|_| bound.ends_with("infinity"))
    };
    (open(range.0, column), open(range.1, column + 1))
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
