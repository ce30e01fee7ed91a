//! Parameters as an operation declares them: name, meaning, schema and default.

use domain::bounded::Bounded;
use serde_json::Value;

use crate::parameter::Parameter;

/// A parameter as an operation declares it.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name.
    pub name: &'static str,
    /// Meaning, for people and models.
    pub description: &'static str,
    /// JSON Schema of one value.
    pub schema: Value,
    /// True for a list: comma-separated in a query string, an array in JSON.
    pub list: bool,
    /// True if the value is JSON text in a query string.
    pub json_text: bool,
    /// The value that applies when the parameter is missing.
    pub default: Option<Value>,
    /// A valid value.
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

/// Page sizes of REST and of tools. REST allows up to `MAX` rows. Tools allow fewer, because a model has to read every
/// row.
#[derive(Clone, Copy, Debug)]
pub struct PageSizes<const MAX: i64> {
    /// Default of REST.
    pub default: Bounded<1, MAX>,
    /// Default of tools.
    pub tool_default: Bounded<1, MAX>,
    /// Maximum of tools.
    pub tool_max: Bounded<1, MAX>,
}
