//! An element of an array: the fields it has, declared once for its reader and its schema.

use std::collections::HashSet;

use json::Object;
use schemars::Schema;
use serde_json::json;

use super::node::Node;
use super::value::Value;
use crate::record::Record;
use crate::{Fault, Faults};

/// An object with declared fields.
pub(super) trait Fielded: Sized {
    /// Reads every field, adding every fault.
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self>;
}

/// An object that means a record.
pub(super) trait Element: Fielded + schemars::JsonSchema {
    /// Whether what stands in it may be a secret, so that no fault repeats any of it.
    const IS_SECRET: bool = false;

    /// What it means. Adds a fault for every rule broken that concerns several fields.
    fn record(self, place: &str, faults: &mut Faults) -> Record;
}

/// Reads an element whole: its record, or everything wrong with it.
pub(super) fn read<T: Element>(node: &Node, place: &str) -> Result<Record, Faults> {
    let mut faults = Faults::default();
    let record = T::read(node, place, &mut faults).map(|element| element.record(place, &mut faults));
    match record {
        Some(record) if faults.is_empty() => Ok(record),
        _ if T::IS_SECRET => Err(faults.without_received()),
        _ => Err(faults),
    }
}

/// The fields of one object while they are taken out one by one.
pub(super) struct Fields<'a> {
    place: &'a str,
    object: &'a Object<Node>,
}

impl<'a> Fields<'a> {
    /// The fields of an object. Adds a fault for every key that is repeated or not among `keys`.
    pub(super) fn open(
        node: &'a Node,
        place: &'a str,
        keys: &[&str],
        faults: &mut Faults,
    ) -> Option<Fields<'a>> {
        let Node::Object(object) = node else {
            faults.add(Fault::new(place, "must be an object").received(node.to_string()));
            return None;
        };
        let mut seen = HashSet::new();
        for (key, value) in object.iter() {
            let here = at_key(place, key);
            if !keys.contains(&key) {
                let rule = format!("is not a known key: the keys are {}", keys.join(", "));
                faults.add(Fault::new(here, rule).received(value.to_string()));
            } else if !seen.insert(key) {
                faults.add(Fault::new(here, "must be given only once").received(value.to_string()));
            }
        }
        Some(Fields { place, object })
    }

    /// The value at a key, where it is given and good, or its default.
    pub(super) fn take<T: Value>(&self, key: &str, faults: &mut Faults) -> Option<T> {
        match self.object.get(key) {
            Some(node) => T::read(node, &at_key(self.place, key), faults),
            None => T::absent().or_else(|| {
                faults.add(Fault::new(at_key(self.place, key), "must be given"));
                None
            }),
        }
    }
}

/// A JSON path one key further on.
pub(super) fn at_key(place: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match plain {
        true => format!("{place}.{key}"),
        false => format!("{place}[{}]", serde_json::to_string(key).expect("text is JSON")),
    }
}

/// The schema of an object: each field's name, description, schema, and whether it must be given.
pub(super) fn object_schema(description: &str, fields: Vec<(&str, &str, Schema, bool)>) -> Schema {
    let mut properties = serde_json::Map::new();
    let mut required = Vec::new();
    for (name, description, mut schema, must_be_given) in fields {
        schema.insert("description".to_owned(), json!(description.trim()));
        properties.insert(name.to_owned(), schema.to_value());
        if must_be_given {
            required.push(name);
        }
    }
    schemars::json_schema!({
        "type": "object",
        "description": description.trim(),
        "properties": properties,
        "required": required,
        "additionalProperties": false
    })
}

/// The same schema with one more keyword.
pub(super) fn with_rule(mut schema: Schema, (keyword, rule): (&str, serde_json::Value)) -> Schema {
    schema.insert(keyword.to_owned(), rule);
    schema
}

/// The key of a field: its name, without the mark that lets Rust use a keyword as a name.
pub(super) fn key(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// Declares an element: a struct with documented fields, the reader that takes exactly those fields, and the
/// schema that describes exactly those fields. `further` adds rules that concern several fields to the
/// schema.
macro_rules! element {
    ($(#[doc = $doc:literal])+ $name:ident $(, further $further:expr)? ; {
        $($(#[doc = $field_doc:literal])+ $field:ident: $kind:ty,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub(super) struct $name { $($(#[doc = $field_doc])+ pub(super) $field: $kind),+ }

        impl $crate::bundle::element::Fielded for $name {
            fn read(
                node: &$crate::bundle::node::Node,
                place: &str,
                faults: &mut $crate::Faults,
            ) -> Option<$name> {
                let keys = [$($crate::bundle::element::key(stringify!($field))),+];
                let fields = $crate::bundle::element::Fields::open(node, place, &keys, faults)?;
                // Every field is taken before the first is missed, so that all faults are found.
                $(let $field: Option<$kind> = fields.take(
                    $crate::bundle::element::key(stringify!($field)), faults);)+
                Some($name { $($field: $field?),+ })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let fields = vec![$((
                    $crate::bundle::element::key(stringify!($field)),
                    concat!($($field_doc),+),
                    <$kind as $crate::bundle::value::Value>::schema(generator),
                    <$kind as $crate::bundle::value::Value>::absent().is_none(),
                )),+];
                let schema = $crate::bundle::element::object_schema(concat!($($doc),+), fields);
                $(let schema = $crate::bundle::element::with_rule(schema, $further);)?
                schema
            }
        }
    };
}

pub(super) use element;
