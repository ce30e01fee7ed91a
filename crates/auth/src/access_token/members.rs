//! The members of a JSON object, each of them once: of two with one name, another reader may take the other.

use std::fmt;

use serde::Deserializer;
use serde::de::{Deserialize, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};

/// The members of a JSON object.
#[derive(Debug)]
pub(super) struct Members(Map<String, Value>);

impl Members {
    /// Reads an object; none when it is no object, or has two members of one name (RFC 8725 section 3.13 of its
    /// revision), however they are escaped.
    pub(super) fn read(bytes: &[u8]) -> Option<Members> {
        serde_json::from_slice(bytes).ok()
    }

    /// Whether a member is there, whatever it is: `null` too.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Members, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = access.next_entry::<String, Value>()? {
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom("two members of one name"));
            }
        }
        Ok(Members(members))
    }
}
