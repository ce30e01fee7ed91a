//! The definitions (`$defs`) of a JSON Schema. A definition with several references stays; every other one is inserted
//! where it is used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::keywords::{for_each_schema, for_each_subschema};

/// The definitions that were removed from a root schema.
pub(super) struct Definitions {
    all: Map<String, Value>,
    /// Names of the definitions that several places refer to, such as money.
    shared: BTreeSet<String>,
}

impl Definitions {
    /// Removes `$defs` from a root schema and returns its definitions.
    pub(super) fn take_from(schema: &mut Value) -> Definitions {
        let all = match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = |schema: &mut Value| {
            if let Some(name) = referred_name(schema) {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
        };
        for schema in all.values().chain([&*schema]) {
            for_each_schema(&mut schema.clone(), &mut count);
        }
        let is_object = |name: &String| all.get(name).is_some_and(|schema| schema["type"] == "object");
        let shared = counts.into_iter().filter(|(name, count)| *count > 1 && is_object(name));
        let shared = shared.map(|(name, _)| name).collect();
        Definitions { all, shared }
    }

    /// Replaces each reference to a definition that is not shared by the definition itself. Keywords beside a reference
    /// take precedence over those of the definition.
    pub(super) fn inline(&self, schema: &mut Value) {
        while let Some(name) = referred_name(schema).filter(|name| !self.shared.contains(*name)) {
            let Some(Value::Object(mut definition)) = self.all.get(name).cloned() else { break };
            if let Value::Object(keywords) = schema {
                keywords.remove("$ref");
                definition.append(keywords);
                *keywords = definition;
            }
        }
        if let Value::Object(keywords) = schema {
            for_each_subschema(keywords, &mut |schema| self.inline(schema));
        }
    }

    /// Returns the shared definitions.
    pub(super) fn into_shared(self) -> Map<String, Value> {
        let mut shared = self.all.clone();
        shared.retain(|name, _| self.shared.contains(name));
        shared.values_mut().for_each(|definition| self.inline(definition));
        shared
    }
}

/// Returns the name of the definition that a schema refers to; `None` if the schema is not a reference.
fn referred_name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}
