//! Descriptions of result fields for tools.
//!
//! A model reads the list of tools in every conversation, so a tool needs shorter descriptions than OpenAPI. A field of
//! a result declares its own with `#[schemars(extend("x-tool-description" = "…"))]` if its name does not explain it.

use schemars::Schema;

/// Keyword of a JSON Schema that contains the short description of a field for tools.
pub const TOOL_DESCRIPTION: &str = "x-tool-description";

/// Removes the short description for tools from a schema. For documents that contain the long description (the doc
/// comment) instead.
pub fn remove_tool_description(schema: &mut Schema) {
    schema.remove(TOOL_DESCRIPTION);
}
