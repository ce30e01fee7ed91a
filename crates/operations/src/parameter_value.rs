//! Request parameters as an adapter received them, before any rule is checked.

use passbook_domain::Invalid;
use serde_json::value::RawValue;

/// The received value of one request parameter.
#[derive(Clone, Debug)]
pub enum ParameterValue {
    /// The decoded value of a query parameter. In a list, items are separated by commas.
    Text(String),
    /// A JSON value, as written. `null` has the same meaning as a missing parameter.
    Json(Box<RawValue>),
    /// A value that the adapter could not decode, such as a broken percent-encoding. Contains the text of the broken
    /// rule.
    Unreadable(String),
}

/// Converts a JSON object to request parameters, in the order received: the parameters of every protocol that sends JSON.
/// A value stays as written, so that no number loses a digit.
///
/// # Errors
/// The text is not one JSON object, or has more than `members_max` members.
pub fn json_parameters(
    object: &RawValue,
    members_max: usize,
) -> Result<Vec<(String, ParameterValue)>, Invalid> {
    let members: Members =
        serde_json::from_str(object.get()).map_err(|_| Invalid::new("must be a JSON object"))?;
    if members.0.len() > members_max {
        let received = members.0.len();
        return Err(Invalid::new(format!("must have at most {members_max} members; received {received}")));
    }
    Ok(members.0.into_iter().map(|(name, value)| (name, ParameterValue::Json(value))).collect())
}

/// The members of a JSON object with repetitions, which the operation reports as faults.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl ParameterValue {
    /// Returns true for the JSON value `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, ParameterValue::Json(value) if value.get() == "null")
    }
}

/// JSON values are equal if their texts are equal.
impl PartialEq for ParameterValue {
    fn eq(&self, other: &ParameterValue) -> bool {
        match (self, other) {
            (ParameterValue::Text(one), ParameterValue::Text(other))
            | (ParameterValue::Unreadable(one), ParameterValue::Unreadable(other)) => one == other,
            (ParameterValue::Json(one), ParameterValue::Json(other)) => one.get() == other.get(),
            _ => false,
        }
    }
}

impl Eq for ParameterValue {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(json: &str) -> Result<Vec<(String, String)>, Invalid> {
        let raw = RawValue::from_string(json.to_owned()).expect("JSON");
        let parameters = json_parameters(&raw, 2)?.into_iter().map(|(name, value)| match value {
            ParameterValue::Json(value) => (name, value.get().to_owned()),
            other => panic!("{other:?}"),
        });
        Ok(parameters.collect())
    }

    #[test]
    fn json_members_stay_as_written_with_repetitions() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(parameters("{\"a\": 1.50, \"a\": [1]}"), Ok(vec![pair("a", "1.50"), pair("a", "[1]")]));
        assert_eq!(parameters("{}"), Ok(Vec::new()));
        let rule = |json: &str| parameters(json).expect_err("a rule").rule().to_owned();
        assert_eq!(rule("[1]"), "must be a JSON object");
        assert_eq!(rule("{\"a\":1,\"b\":2,\"c\":3}"), "must have at most 2 members; received 3");
    }
}
