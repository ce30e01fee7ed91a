//! The trait that every operation implements, and the facts that adapters read.

use domain::scope::Scope;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;

/// The facts of an operation, which every adapter reads.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Identifier in snake case.
    pub id: &'static str,
    /// REST path below the base address.
    pub path: &'static str,
    /// Facts of the tool; `None` if the operation is not offered as a tool.
    pub tool: Option<Tool>,
    /// The scope that a grant must carry; `None` if any live credential may call the operation.
    pub scope: Option<Scope>,
    /// Title for lists, without a full stop.
    pub summary: &'static str,
    /// Description for OpenAPI: the result, and which rows are counted.
    pub description: &'static str,
}

/// The facts of an operation as a tool, from which a model chooses among the tools.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Name: a verb and a noun in snake case.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Description in at most 400 characters: the result, when another tool is the better choice, and the defaults. It
    /// describes and never instructs.
    pub description: &'static str,
    /// Name of the member that holds the result if the result is an array. A tool's result is always an object.
    pub wrapper: Option<&'static str>,
}

/// A read of the ledger, with its parameters and its result.
pub trait Operation: Send + Sync + 'static {
    /// Name, path, scope and descriptions.
    const SPEC: Spec;
    /// Parameters. Their types cannot hold a value outside the contract.
    type Params: Send;
    /// Result, which is the payload on every surface.
    type Output: serde::Serialize + schemars::JsonSchema + Send;

    /// Reads the parameters from a form. This is the only place that names the fields: with an empty form it declares
    /// them, with a filled form it reads them and records every fault.
    fn read(form: &mut Form<'_>) -> Self::Params;

    /// Queries the ledger and computes the result.
    fn run(
        context: &Context<'_>,
        params: Self::Params,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}
