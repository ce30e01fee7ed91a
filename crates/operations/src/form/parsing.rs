//! The received items of a list parameter, which are counted before they are parsed, and the faults of received values.

use passbook_domain::Invalid;
use passbook_input::{Fault, excerpt};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::parameter::{JsonFault, Parameter, is_number};

const EMPTY_ITEM: &str = "must not have an empty item";

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

/// Parses one item of a list that was received as text.
pub(super) fn text_item<P: Parameter>(name: &str, item: &str) -> Result<P, Fault> {
    if item.is_empty() {
        return Err(Fault::verbatim(name, EMPTY_ITEM));
    }
    P::parse(item).map_err(|invalid| text_fault::<P>(name, &invalid, item))
}

/// Parses one item of a list that was received as JSON.
pub(super) fn json_item<P: Parameter>(name: &str, item: &RawValue) -> Result<P, Fault> {
    if item.get() == "\"\"" {
        return Err(Fault::verbatim(name, EMPTY_ITEM));
    }
    P::from_json(item).map_err(|fault| match fault {
        JsonFault::WrongType(rule) => {
            json_fault(name, JsonFault::WrongType(format!("each item {rule}")), item)
        }
        broken => json_fault(name, broken, item),
    })
}

/// The fault of a JSON value. A number, and a value of the wrong type, is repeated as written, so that a missing or
/// surplus quotation mark is visible.
pub(super) fn json_fault(name: &str, fault: JsonFault, value: &RawValue) -> Fault {
    match fault {
        JsonFault::WrongType(rule) => Fault::verbatim(name, rule).received_verbatim(excerpt(value.get())),
        JsonFault::BrokenRule(invalid) if is_number(value.get()) => number_fault(name, &invalid, value.get()),
        JsonFault::BrokenRule(invalid) => {
            let text = serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned());
            quoted_fault(name, &invalid, &text)
        }
    }
}

/// The fault of a text. The message repeats an [`excerpt`] of the received text: in quotation marks, unless it is a
/// number and the parameter is a number too.
pub(super) fn text_fault<P: Parameter>(name: &str, invalid: &Invalid, received: &str) -> Fault {
    if P::NUMBER && serde_json::from_str::<Number>(received).is_ok() {
        return number_fault(name, invalid, received);
    }
    quoted_fault(name, invalid, received)
}

fn number_fault(name: &str, invalid: &Invalid, received: &str) -> Fault {
    rule_fault(name, invalid).received_verbatim(excerpt(received))
}

fn quoted_fault(name: &str, invalid: &Invalid, received: &str) -> Fault {
    rule_fault(name, invalid).received_verbatim(format!("{:?}", excerpt(received)))
}

/// A broken rule. The message does not repeat the received value.
pub(super) fn rule_fault(name: &str, invalid: &Invalid) -> Fault {
    Fault::verbatim(name, invalid.rule()).with_allowed(invalid.allowed())
}
