//! JSON objects whose repeated member names are found instead of overwritten.
//!
//! RFC 8259 section 4 leaves the meaning of a repeated name open: of two readers, one takes the first member and the
//! other the last. A message that passes one check and is executed by another reader is an attack, so tokens, tool
//! calls and bundles are all read with [`Object`].

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Maximum number of members of an object. No document that this project reads has more, and the limit bounds the work
/// for a message before its sender is known.
pub const MEMBERS_MAX: usize = 64;

/// Number of members for which the reader of an object reserves memory.
const MEMBERS_EXPECTED: usize = 16;

/// The members of one JSON object in the order received, repeated names included.
///
/// `V` is the type of the values: `serde_json::Value`, or `&serde_json::value::RawValue` to keep them as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object<V> {
    members: Vec<(String, V)>,
}

impl<V> Default for Object<V> {
    fn default() -> Object<V> {
        Object { members: Vec::new() }
    }
}

impl<V> Object<V> {
    /// Returns the first member with this name. Names are compared after their escapes are decoded.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns true if a member has this name, also when its value is `null`.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Iterates over the members in the order received.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.members.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the first name that occurs a second time. Takes linear time.
    pub fn repeated_name(&self) -> Option<&str> {
        let mut seen = HashSet::with_capacity(self.members.len());
        self.members.iter().map(|(name, _)| name.as_str()).find(|name| !seen.insert(*name))
    }

    /// Collects the members that a [`MapAccess`] yields.
    ///
    /// # Errors
    /// Those of the deserializer, and more than [`MEMBERS_MAX`] members.
    pub fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Object<V>, A::Error>
    where
        V: Deserialize<'de>,
    {
        let mut members = Vec::with_capacity(MEMBERS_EXPECTED);
        while let Some(member) = map.next_entry()? {
            if members.len() == MEMBERS_MAX {
                let fault = format_args!("an object has more than {MEMBERS_MAX} members");
                return Err(serde::de::Error::custom(fault));
            }
            members.push(member);
        }
        Ok(Object { members })
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Object<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<V>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for ObjectVisitor<V> {
    type Value = Object<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<V>, A::Error> {
        Object::from_map(map)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn object_preserves_order_repeated_names_and_number_spelling() {
        let object: Object<&RawValue> =
            serde_json::from_str(r#"{"a":1.50,"b":"\u0041","\u0061":null}"#).expect("an object");
        let seen: Vec<(&str, &str)> = object.iter().map(|(name, value)| (name, value.get())).collect();
        assert_eq!(seen, [("a", "1.50"), ("b", "\"\\u0041\""), ("a", "null")]);
        assert_eq!(object.repeated_name(), Some("a"));
        assert_eq!(object.get("a").map(|value| value.get()), Some("1.50"));
        assert!(object.contains("b") && !object.contains("c"));
    }

    #[test]
    fn object_has_at_most_sixty_four_members() {
        let object = |members: usize| {
            let members: Vec<String> = (0..members).map(|number| format!("\"{number}\":0")).collect();
            serde_json::from_str::<Object<serde_json::Value>>(&format!("{{{}}}", members.join(",")))
        };
        assert!(object(MEMBERS_MAX).is_ok());
        let fault = object(MEMBERS_MAX + 1).expect_err("one member too many").to_string();
        assert!(fault.starts_with("an object has more than 64 members"), "{fault}");
    }

    #[test]
    fn values_that_are_not_objects_are_rejected() {
        for other in ["[]", "1", "null", "\"{}\"", "{\"a\":1"] {
            assert!(serde_json::from_str::<Object<serde_json::Value>>(other).is_err(), "{other}");
        }
    }
}
