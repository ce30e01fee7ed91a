//! Arguments of a tool as parameters of an operation. A value of another JSON type than the schema states is a fault
//! and never converted; `null` is as good as absent, because models send it.

use operations::form::{Declaration, Given, shortened};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::members::{self, Members};

/// The parameters that the arguments give, in the order received.
pub(crate) fn given(arguments: &Members<'_>, declared: &[Declaration]) -> Vec<(String, Given)> {
    let read = arguments.iter().filter_map(|(name, value)| {
        let given = match declared.iter().find(|declared| declared.name == name) {
            Some(_) if members::is_null(value) => return None,
            Some(declared) => one(declared, value),
            // The form says that nobody knows it.
            None => Given::Text(String::new()),
        };
        Some((name.to_owned(), given))
    });
    read.collect()
}

fn one(declared: &Declaration, value: &RawValue) -> Given {
    if declared.json_text {
        return Given::Text(value.get().to_owned());
    }
    let read = if declared.list {
        items(&declared.schema, value)
    } else {
        scalar(&declared.schema, value).map(Given::Text)
    };
    read.unwrap_or_else(|rule| Given::Unreadable(format!("{rule}; received {}", shortened(value.get()))))
}

fn items(schema: &Value, value: &RawValue) -> Result<Given, String> {
    let items: Vec<&RawValue> =
        serde_json::from_str(value.get()).map_err(|_| "must be a list, in brackets".to_owned())?;
    let items: Result<Vec<String>, String> = items.into_iter().map(|item| scalar(schema, item)).collect();
    items.map(Given::Items).map_err(|rule| format!("each item {rule}"))
}

/// A value as text, if it has the type that the schema states.
fn scalar(schema: &Value, value: &RawValue) -> Result<String, String> {
    let written = value.get();
    match schema["type"].as_str() {
        Some("string") => match members::text(value) {
            Some(text) => Ok(text),
            // No number and no word of JSON is among the allowed values: that rule says more.
            None if schema.get("enum").is_some() => Ok(written.to_owned()),
            None => Err("must be text, in quotation marks".to_owned()),
        },
        Some("boolean") if matches!(written, "true" | "false") => Ok(written.to_owned()),
        Some("boolean") => Err("must be true or false, without quotation marks".to_owned()),
        Some("integer") => whole(written).ok_or_else(|| {
            let bound = |name: &str| schema[name].to_string();
            let (low, high) = (bound("minimum"), bound("maximum"));
            format!("must be a whole number from {low} to {high}, without quotation marks")
        }),
        Some("number") if is_number(written) => Ok(written.to_owned()),
        Some("number") => Err("must be a number, without quotation marks".to_owned()),
        _ => Ok(written.to_owned()),
    }
}

fn is_number(written: &str) -> bool {
    written.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The digits of a number that is whole, however it is written: JSON Schema counts 10.0 among the integers. One too
/// large to be anything's size keeps its spelling and fails its range.
fn whole(written: &str) -> Option<String> {
    if !is_number(written) {
        return None;
    }
    if !written.contains(['.', 'e', 'E']) {
        return Some(written.to_owned());
    }
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let exponent: i32 =
        exponent.parse().ok().filter(|exponent| (-EXPONENT_MAX..=EXPONENT_MAX).contains(exponent))?;
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{before}{after}");
    let point = i32::try_from(before.len()).ok()? + exponent;
    let (kept, cut) = match usize::try_from(point) {
        Ok(point) if point >= all.len() => (format!("{all}{}", "0".repeat(point - all.len())), String::new()),
        Ok(point) => (all[..point].to_owned(), all[point..].to_owned()),
        Err(_) => (String::new(), all),
    };
    let kept = kept.trim_start_matches('0');
    let kept = if kept.is_empty() { "0" } else { kept };
    cut.bytes().all(|digit| digit == b'0').then(|| format!("{sign}{kept}"))
}

/// Larger exponents are of no number that any parameter takes.
const EXPONENT_MAX: i32 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_in_any_way() {
        for (written, digits) in [
            ("10", Some("10")),
            ("-3", Some("-3")),
            ("10.0", Some("10")),
            ("1e1", Some("10")),
            ("1.20e2", Some("120")),
            ("2500e-2", Some("25")),
            ("0.0", Some("0")),
            ("-0.0", Some("-0")),
            ("9007199254740993.0", Some("9007199254740993")),
            ("10.5", None),
            ("1e-1", None),
            ("1e400", None),
            ("\"10\"", None),
            ("true", None),
            ("[10]", None),
        ] {
            assert_eq!(whole(written).as_deref(), digits, "{written}");
        }
    }
}
