//! Elements of arrays: objects whose fields are declared once for the reader and the schema.

use jiff::Timestamp;
use passbook_input::{Fault, Faults, Object};
use schemars::Schema;
use serde_json::json;

use super::node::Node;
use super::value::Value;
use crate::FAULTS_LISTED_MAX;
use crate::record::Record;

/// An object whose fields are declared once for the reader and the schema.
pub(super) trait Fielded: Sized {
    /// Reads every field of an object. Returns `None` and adds at least one fault if a field is missing or invalid.
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self>;
}

/// An object that becomes a record.
pub(super) trait Element: Fielded + schemars::JsonSchema {
    /// True if the element may contain a secret, so that its faults must not repeat any value.
    const IS_SECRET: bool = false;

    /// Adds a fault for every broken rule that [`Fielded::read`] does not know. Called also if other fields are
    /// missing or invalid, so that all faults of an element are reported together.
    fn check(_fields: &Fields<'_>, _rules: &CredentialRules, _faults: &mut Faults) {}

    /// Converts the fields into a record. Adds a fault for every broken rule that concerns several fields.
    fn record(self, place: &str, faults: &mut Faults) -> Record;
}

/// Reads one element of an array as a record.
///
/// # Errors
///
/// All faults of the element.
pub(super) fn read<T: Element>(node: &Node, place: &str, rules: &CredentialRules) -> Result<Record, Faults> {
    let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
    let element = T::read(node, place, &mut faults);
    if let Node::Object(object) = node {
        T::check(&Fields { place, object }, rules, &mut faults);
    }
    let record = element.map(|element| element.record(place, &mut faults));
    match record {
        Some(record) if faults.is_empty() => Ok(record),
        _ if T::IS_SECRET => Err(faults.without_received()),
        _ => Err(faults),
    }
}

/// The fields of one object while it is read.
pub(super) struct Fields<'a> {
    place: &'a str,
    object: &'a Object<Node>,
}

impl<'a> Fields<'a> {
    /// Starts reading an object. Adds a fault for every key that is repeated or not among `keys`.
    pub(super) fn open(
        node: &'a Node,
        place: &'a str,
        keys: &[&str],
        faults: &mut Faults,
    ) -> Option<Fields<'a>> {
        let Node::Object(object) = node else {
            faults.push(Fault::new(place, "must be an object").received(node.to_string()));
            return None;
        };
        // Only known keys, of which there are few.
        let mut seen = Vec::with_capacity(keys.len());
        for (key, value) in object.iter() {
            let rule = if !keys.contains(&key) {
                format!("is not a known key: the keys are {}", keys.join(", "))
            } else if seen.contains(&key) {
                "must be given only once".to_owned()
            } else {
                seen.push(key);
                continue;
            };
            faults.push(Fault::new(at_key(place, key), rule).received(value.to_string()));
        }
        Some(Fields { place, object })
    }

    /// Reads the value of a key, or returns the default if the key is absent. Adds a fault and returns `None` if the
    /// value is invalid or a required key is absent.
    pub(super) fn take<T: Value>(&self, key: &str, faults: &mut Faults) -> Option<T> {
        match self.object.get(key) {
            Some(node) => {
                // An invalid value is read twice, so that the path of a valid one need not be written.
                let mut found = Faults::with_limit(0);
                let value = T::read(node, "", &mut found);
                if found.is_empty() { value } else { T::read(node, &at_key(self.place, key), faults) }
            }
            None => T::absent().or_else(|| {
                faults.push(Fault::new(at_key(self.place, key), "must be given"));
                None
            }),
        }
    }
}

impl Fields<'_> {
    /// Returns the JSON path of a key.
    pub(super) fn place_of(&self, key: &str) -> String {
        at_key(self.place, key)
    }

    /// Returns the value of a key, or `None` if the key is absent or its value invalid. [`Fields::take`] reports such
    /// a fault.
    pub(super) fn valid<T: Value>(&self, key: &str) -> Option<T> {
        T::read(self.object.get(key)?, "", &mut Faults::unlimited())
    }

    /// Returns the valid items of a list, each with its number.
    pub(super) fn valid_items<T: Value>(&self, key: &str) -> Vec<(usize, T)> {
        let Some(Node::List(items)) = self.object.get(key) else { return Vec::new() };
        let item = |node| T::read(node, "", &mut Faults::unlimited());
        items.iter().enumerate().filter_map(|(number, node)| Some((number, item(node)?))).collect()
    }
}

/// Appends a key to a JSON path.
pub(super) fn at_key(place: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match plain {
        true => [place, ".", key].concat(),
        false => format!("{place}[{}]", serde_json::to_string(key).expect("text is JSON")),
    }
}

/// Returns the JSON Schema of an object. `fields` contains the name, description, schema and required flag of each
/// field.
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

/// Adds a keyword with its value to a schema.
pub(super) fn with_rule(mut schema: Schema, (keyword, rule): (&str, serde_json::Value)) -> Schema {
    schema.insert(keyword.to_owned(), rule);
    schema
}

/// Returns the JSON key of a field: its Rust name without the prefix `r#`.
pub(super) fn key(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// Declares an element: a struct with documented fields, its reader and its schema. The documentation of the fields
/// becomes the descriptions in the schema. `further` adds a keyword with rules that concern several fields to the
/// schema. `=> |element| { … }` lists the fields of the record of the same name.
macro_rules! element {
    ($(#[doc = $doc:literal])+ $name:ident $(, further $further:expr)? ; {
        $($(#[doc = $field_doc:literal])+ $field:ident: $kind:ty,)+
    } $(=> |$element:ident| { $($column:ident: $value:expr,)+ })?) => {
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub(super) struct $name { $($(#[doc = $field_doc])+ pub(super) $field: $kind),+ }

        impl $crate::bundle::element::Fielded for $name {
            fn read(
                node: &$crate::bundle::node::Node,
                place: &str,
                faults: &mut passbook_input::Faults,
            ) -> Option<$name> {
                let keys = [$($crate::bundle::element::key(stringify!($field))),+];
                let fields = $crate::bundle::element::Fields::open(node, place, &keys, faults)?;
                // All fields are read before the function returns because of a missing one, so that every fault is
                // found.
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

        $(impl $crate::bundle::element::Element for $name {
            fn record(self, _: &str, _: &mut passbook_input::Faults) -> $crate::record::Record {
                let $element = self;
                $crate::record::Record::$name($crate::record::$name { $($column: $value),+ })
            }
        })?
    };
}

pub(super) use element;

/// The rule for a token that was created after [`CredentialRules::created_at_max`].
pub const CREATED_IN_FUTURE: &str = "must not be in the future";

/// Rules for credentials that need the clock or a parser of another crate. The caller passes them to the reader, so
/// that their faults are reported together with all other faults of an element.
#[derive(Clone, Copy, Debug)]
pub struct CredentialRules {
    /// The latest accepted time of creation of a token. A token from the future would be valid for longer than the
    /// maximum lifetime.
    pub created_at_max: Timestamp,
    /// The rule for redirect URIs: returns the broken rule, as a clause.
    pub redirect_uri: fn(&str) -> Result<(), &'static str>,
}
