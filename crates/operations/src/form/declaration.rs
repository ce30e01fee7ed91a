//! Declarations of request parameters: name, meaning, schema and default.

use passbook_domain::bounded::Bounded;
use serde_json::Value;

use crate::parameter::Parameter;

/// A request parameter as an operation declares it.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name of the parameter.
    pub name: &'static str,
    /// Meaning of the parameter, as a text for people and models.
    pub description: &'static str,
    /// JSON Schema of the parameter's value; for a list, of one item.
    pub schema: Value,
    /// True if the parameter is a list: comma-separated or repeated in a query string, an array in JSON.
    pub list: bool,
    /// True if the parameter is written as JSON text in a query string.
    pub json_text: bool,
    /// Value that applies if the parameter is missing, as JSON; `None` without a default.
    pub default: Option<Value>,
    /// An example of a valid value, as JSON.
    pub example: Value,
}

impl Declaration {
    pub(super) fn new<P: Parameter>(name: &'static str, description: &'static str) -> Declaration {
        Declaration {
            name,
            description,
            schema: P::schema(),
            list: false,
            json_text: P::JSON_TEXT,
            default: None,
            example: P::example(),
        }
    }

    pub(super) fn with_default(self, default: Value) -> Declaration {
        Declaration { default: Some(default), ..self }
    }

    pub(super) fn into_list(self) -> Declaration {
        Declaration { list: true, ..self }
    }
}

/// Default and maximum number of rows on a page, for REST and for tools. REST allows up to `MAX` rows. Tools allow
/// fewer, because a model has to read every row.
#[derive(Clone, Copy, Debug)]
pub struct PageSizes<const MAX: i64> {
    /// Default number of rows over REST.
    pub default: Bounded<1, MAX>,
    /// Default number of rows in a tool result.
    pub tool_default: Bounded<1, MAX>,
    /// Maximum number of rows in a tool result.
    pub tool_max: Bounded<1, MAX>,
}
