//! The JSON Schema of a bundle, made from the declarations that also read bundles.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::arrays::{ARRAYS, Array};
use super::deleted;

/// Required value of the key `format`.
pub(super) const FORMAT: &str = "passbook-bundle";

/// The only supported value of the key `version`.
pub(super) const VERSION: u64 = 1;

/// A bundle with an example of every array, for the schema.
const EXAMPLE: &str = include_str!("../../data/example_bundle.json");

const DELETED_DESCRIPTION: &str = "The keys of stored rows to delete. A row that is not stored is no fault. \
    docs/loading-data.md explains the rules.";

const DESCRIPTION: &str = "Everything that can be loaded for a household, in one document. Each array may be \
    absent, and the arrays may come in any order. docs/loading-data.md explains them.";

/// Returns the JSON Schema (2020-12) of a bundle, with descriptions and an example of every array.
pub fn json_schema() -> Value {
    let example: Value = serde_json::from_str(EXAMPLE).expect("the example is JSON");
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut properties = Map::new();
    properties.insert(
        "format".to_owned(),
        json!({ "const": FORMAT, "description": "Identifies the document as a bundle." }),
    );
    properties.insert(
        "version".to_owned(),
        json!({ "const": VERSION, "description": "The version of the format." }),
    );
    let rate_base = json!({
        "type": "string",
        "pattern": "^[A-Z]{3}$",
        "description": "The currency that the exchange rates are quoted against; required with them.",
        "examples": [example["rate_base"]]
    });
    properties.insert("rate_base".to_owned(), rate_base);
    for Array { key, schema, .. } in ARRAYS {
        let items = schema(&mut generator);
        properties.insert(
            (*key).to_owned(),
            json!({ "type": "array", "items": items, "examples": [example[key]] }),
        );
    }
    properties.insert(deleted::KEY.to_owned(), deleted_schema(&mut generator, &example[deleted::KEY]));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Passbook bundle",
        "description": DESCRIPTION,
        "type": "object",
        "required": ["format", "version"],
        "dependentRequired": { "exchange_rates": ["rate_base"] },
        "additionalProperties": false,
        "properties": properties,
        "$defs": generator.take_definitions(true),
    })
}

/// Returns the JSON Schema of the object `deleted`.
fn deleted_schema(generator: &mut SchemaGenerator, example: &Value) -> Value {
    let arrays = deleted::ARRAYS.iter().map(|Array { key, schema, .. }| {
        let items = schema(generator);
        ((*key).to_owned(), json!({ "type": "array", "items": items, "examples": [example[key]] }))
    });
    let properties: Map<String, Value> = arrays.collect();
    json!({
        "type": "object",
        "description": DELETED_DESCRIPTION,
        "properties": properties,
        "additionalProperties": false,
    })
}
