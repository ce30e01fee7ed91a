//! Compares a payload with the expected answer, and collects what the payload admits to have left out.

use serde_json::{Map, Value, json};

/// Expected value of a field that the payload must not have.
const ABSENT: &str = "absent";

/// Returns the differences between the expected parts of a payload and the payload, each with its path.
///
/// An expected table may leave out keys. An expected list is complete, unless it is a table with `count`, `first` and
/// `last`. Money is expected as text, such as `120.10 EUR`.
pub(super) fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, &mut found);
    found
}

fn compare(path: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(fields)) => {
            for (key, expected) in expected {
                let path = format!("{path}.{key}");
                match (fields.get(key), expected.as_str() == Some(ABSENT)) {
                    (None, true) => {}
                    (None, false) => found.push(format!("{path}: expected {expected}; the answer lacks it")),
                    (Some(actual), true) => {
                        found.push(format!("{path}: expected nothing; received {actual}"))
                    }
                    (Some(actual), false) => compare(&path, expected, actual, found),
                }
            }
        }
        (Value::Array(expected), Value::Array(entries)) if expected.len() == entries.len() => {
            for (number, (expected, actual)) in expected.iter().zip(entries).enumerate() {
                compare(&format!("{path}[{number}]"), expected, actual, found);
            }
        }
        (Value::Object(parts), Value::Array(entries)) => {
            let summary = json!({ "count": entries.len(), "first": entries.first(), "last": entries.last() });
            compare(path, &Value::Object(parts.clone()), &summary, found);
        }
        (Value::String(text), Value::Object(fields)) if money(fields).as_ref() == Some(text) => {}
        _ if expected == actual => {}
        _ => found.push(format!("{path}: expected {expected}; received {actual}")),
    }
}

/// Returns a money object as text: `-12.05 EUR`.
fn money(fields: &Map<String, Value>) -> Option<String> {
    let cents = fields.get("amount_cents")?.as_i64()?;
    let sign = if cents < 0 { "-" } else { "" };
    let (whole, hundredths) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
    Some(format!("{sign}{whole}.{hundredths:02} {}", fields.get("currency")?.as_str()?))
}

/// Returns what a payload states to have left out; an empty object if it states nothing:
///
/// | key | meaning |
/// |---|---|
/// | `excludedCategories` | excluded categories that do not count |
/// | `unconverted` | amounts without an exchange rate |
/// | `partial` | a value without a price |
/// | `partialPoints` | number of points of a history that leave something out |
/// | `completeFrom` | day from which a history is complete |
/// | `unlisted` | number of recurring payments beyond `limit` |
/// | `hasMore` | there is another page |
pub(super) fn admissions(payload: &Value) -> Value {
    let mut admitted = Map::new();
    for key in ["excludedCategories", "unconverted", "partial", "completeFrom"] {
        if let Some(stated) = payload.get(key).filter(|stated| **stated != json!([])) {
            admitted.insert(key.to_owned(), stated.clone());
        }
    }
    let partial = |point: &&Value| point["partial"] == true || point.get("unconverted").is_some();
    let points = payload["points"].as_array().map_or(0, |points| points.iter().filter(partial).count());
    let listed = payload["recurringPayments"].as_array().map_or(0, Vec::len) as u64;
    let unlisted = payload["totalCount"].as_u64().map_or(0, |count| count - listed);
    for (key, count) in [("partialPoints", points as u64), ("unlisted", unlisted)] {
        if count > 0 {
            admitted.insert(key.to_owned(), json!(count));
        }
    }
    if payload["pagination"]["hasMore"] == true {
        admitted.insert("hasMore".to_owned(), json!(true));
    }
    Value::Object(admitted)
}
