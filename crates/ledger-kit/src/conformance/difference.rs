//! Compares an answer with the expected members of it.

use serde_json::Value;

/// Compares `found` with `expected`, which lists only the members that a rule is about. A list must have the same length.
/// An expected null is a member that must be absent.
///
/// # Errors
/// The first difference, with its place, the expected and the found value.
pub(crate) fn compare(expected: &Value, found: &Value) -> Result<(), String> {
    at("answer", expected, Some(found))
}

fn at(place: &str, expected: &Value, found: Option<&Value>) -> Result<(), String> {
    let differs = || {
        let found = found.map_or("nothing".to_owned(), Value::to_string);
        Err(format!("{place}: expected {expected}, found {found}"))
    };
    match (expected, found) {
        (Value::Null, None) => Ok(()),
        (Value::Object(members), Some(Value::Object(object))) => members
            .iter()
            .try_for_each(|(name, value)| at(&format!("{place}.{name}"), value, object.get(name))),
        (Value::Array(items), Some(Value::Array(list))) if items.len() == list.len() => {
            let mut pairs = items.iter().zip(list).enumerate();
            pairs.try_for_each(|(number, (item, found))| at(&format!("{place}[{number}]"), item, Some(found)))
        }
        (expected, Some(found)) if expected == found => Ok(()),
        _ => differs(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::compare;

    #[test]
    fn only_the_expected_members_are_compared() {
        let found =
            json!({ "total": { "amount_cents": 5, "currency": "EUR" }, "rows": [{ "id": 1 }, { "id": 2 }] });
        for (expected, difference) in [
            (json!({}), Ok(())),
            (json!({ "total": { "amount_cents": 5 }, "missing": null }), Ok(())),
            (
                json!({ "total": { "amount_cents": 6 } }),
                Err("answer.total.amount_cents: expected 6, found 5"),
            ),
            (
                json!({ "total": null }),
                Err("answer.total: expected null, found {\"amount_cents\":5,\"currency\":\"EUR\"}"),
            ),
            (
                json!({ "rows": [{ "id": 1 }] }),
                Err("answer.rows: expected [{\"id\":1}], found [{\"id\":1},{\"id\":2}]"),
            ),
            (json!({ "rows": [{ "id": 1 }, { "id": 3 }] }), Err("answer.rows[1].id: expected 3, found 2")),
            (json!({ "other": 1 }), Err("answer.other: expected 1, found nothing")),
        ] {
            assert_eq!(compare(&expected, &found), difference.map_err(str::to_owned));
        }
    }
}
