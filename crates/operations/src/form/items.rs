//! The received items of a list parameter, which are counted before they are parsed.

use passbook_input::Fault;
use serde_json::value::RawValue;

use super::parsing::{json_fault, json_item, text_item};
use crate::parameter::{JsonFault, Parameter};

/// The received items of a list parameter.
pub(super) enum Items<'a> {
    /// The texts of a query string, one for each repetition. Commas separate the items of a text.
    Texts(Vec<&'a str>),
    /// The items of a JSON list.
    Json(Vec<&'a RawValue>),
}

impl<'a> Items<'a> {
    /// Splits a JSON list into its items. The items are not read.
    ///
    /// # Errors
    /// The JSON value is not a list.
    pub(super) fn from_json(name: &str, json: &'a RawValue) -> Result<Items<'a>, Fault> {
        serde_json::from_str(json.get()).map(Items::Json).map_err(|_| {
            let rule = "must be a list, in brackets".to_owned();
            json_fault(name, JsonFault::WrongType(rule), json)
        })
    }

    /// Returns the number of items.
    pub(super) fn count(&self) -> usize {
        match self {
            Items::Texts(texts) => texts.iter().map(|text| text.split(',').count()).sum(),
            Items::Json(items) => items.len(),
        }
    }

    /// Parses each item.
    pub(super) fn parsed<P: Parameter>(self, name: &str) -> Vec<Result<P, Fault>> {
        match self {
            Items::Texts(texts) => {
                texts.into_iter().flat_map(|text| text.split(',')).map(|item| text_item(name, item)).collect()
            }
            Items::Json(items) => items.into_iter().map(|item| json_item(name, item)).collect(),
        }
    }
}
