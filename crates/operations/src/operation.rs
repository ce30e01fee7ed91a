//! The trait `Operation`, and the descriptions of an operation that adapters use.

use passbook_domain::scope::Scope;
use schemars::Schema;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;

/// Identifier, path, scope and descriptions of an operation, for every adapter.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Identifier of the operation in snake case.
    pub id: &'static str,
    /// Path of the REST route, below the base address.
    pub path: &'static str,
    /// Name and descriptions of the tool; `None` if the operation is not offered as a tool.
    pub tool: Option<Tool>,
    /// The scope that the grant must include; `None` if every valid grant may call the operation.
    pub scope: Option<Scope>,
    /// Title of the operation for lists, without a full stop.
    pub summary: &'static str,
    /// Description for OpenAPI: the result, and the transactions that are counted.
    pub description: &'static str,
}

/// Name and descriptions of an operation as a tool. A model uses them to choose among the tools.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Name of the tool: a verb and a noun in snake case.
    pub name: &'static str,
    /// Title of the tool for people.
    pub title: &'static str,
    /// Description of the tool in at most 400 characters: the result, the cases in which another tool is the better
    /// choice, and the defaults. It describes and never gives instructions.
    pub description: &'static str,
}

/// A read of the ledger, with its parameters and its result.
pub trait Operation: Send + Sync + 'static {
    /// Identifier, path, scope and descriptions of the operation.
    const SPEC: Spec;
    /// Type of the operation's parameters. It cannot hold a value that the contract forbids.
    type Params: Send;
    /// Type of the result.
    type Output: serde::Serialize + schemars::JsonSchema + Send;
    /// Type of the result of the tool: `Output`, unless `Output` is an array or has members that a model does not need.
    /// A tool's result must be an object.
    type ToolOutput: From<Self::Output> + serde::Serialize + schemars::JsonSchema;

    /// Reads the operation's parameters from a form. Only this function names the parameters: with a form of
    /// [`Form::describing`] it declares them, and with received values it reads them and records every fault.
    fn read(form: &mut Form<'_>) -> Self::Params;

    /// Queries the ledger and computes the result.
    fn run(
        context: &Context<'_>,
        params: Self::Params,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Keyword of a JSON Schema that contains the short description of a field for tools. A model reads the list of tools in
/// every conversation, so a tool needs shorter descriptions than OpenAPI. A field of a result declares its own with
/// `#[schemars(extend("x-tool-description" = "…"))]` if its name does not explain it.
pub const TOOL_DESCRIPTION: &str = "x-tool-description";

/// Keyword of a JSON Schema of an object whose fields a tool's schema does not describe, because their names are enough.
pub const TOOL_PLAIN: &str = "x-tool-plain";

/// Removes the short description for tools from a schema. For documents that contain the long description (the doc
/// comment) instead.
pub fn remove_tool_description(schema: &mut Schema) {
    schema.remove(TOOL_DESCRIPTION);
    schema.remove(TOOL_PLAIN);
}
