//! What an operation is: facts, parameters, result, and how it is computed.

use domain::scope::Scope;

use crate::error::Error;
use crate::form::Form;
use crate::service::Context;

/// The facts of an operation, which every adapter reads.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name in snake case.
    pub id: &'static str,
    /// Its REST path below the base address.
    pub path: &'static str,
    /// How it is offered as a tool; none when it is not.
    pub tool: Option<Tool>,
    /// The scope a grant must carry; none when any live credential may call it.
    pub scope: Option<Scope>,
    /// One line for lists.
    pub summary: &'static str,
    /// What it answers and how it counts, for whoever has to choose it and read it.
    pub description: &'static str,
}

/// The facts of an operation as a tool, for a model that has to choose it among its siblings.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name: a verb and a noun in snake case.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// At most 400 characters: what it answers, when another tool is the better choice, and what defaults hold. It
    /// describes and never instructs.
    pub description: &'static str,
    /// The name under which the result is wrapped where it is an array: a tool's result is always an object.
    pub wrapper: Option<&'static str>,
}

/// One read.
pub trait Operation: Send + Sync + 'static {
    /// Its facts.
    const SPEC: Spec;
    /// Its parameters. Their types cannot hold a value outside the contract.
    type Params: Send;
    /// Its result, which is the payload on every surface.
    type Output: serde::Serialize + schemars::JsonSchema + Send;

    /// Reads the parameters from a form. Every field is named here and nowhere else: run on an empty form this
    /// declares them, run on a filled one it reads them and notes every fault.
    fn read(form: &mut Form<'_>) -> Self::Params;

    /// Computes the result.
    fn run(
        context: &Context<'_>,
        params: Self::Params,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}
