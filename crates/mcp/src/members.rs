//! JSON objects read one level deep: members in the order received, repetitions included, values as they were
//! written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members, if the value is an object.
    pub(crate) fn of(value: &'a RawValue) -> Option<Members<'a>> {
        serde_json::from_str(value.get()).ok()
    }

    /// The first member of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// A member that is text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(text)
    }

    /// The first name that is given twice.
    pub(crate) fn repeated(&self) -> Option<&str> {
        let mut names = self.0.iter().map(|(name, _)| name.as_str()).enumerate();
        names.find(|(at, name)| self.0[..*at].iter().any(|(before, _)| before == name)).map(|(_, name)| name)
    }

    /// Every member.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

/// The text of a JSON string.
pub(crate) fn text(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Whether a value is `null`.
pub(crate) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn order_repetitions_and_spelling_are_kept() {
        let members = Members::of(raw(r#"{"a":1.50,"b":"\u0041","a":null}"#)).expect("an object");
        let seen: Vec<(&str, &str)> = members.iter().map(|(name, value)| (name, value.get())).collect();
        assert_eq!(seen, [("a", "1.50"), ("b", "\"\\u0041\""), ("a", "null")]);
        assert_eq!((members.repeated(), members.text("b").as_deref()), (Some("a"), Some("A")));
        for other in ["[]", "1", "null", "\"{}\""] {
            assert!(Members::of(raw(other)).is_none(), "{other}");
        }
    }
}
