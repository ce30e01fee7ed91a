//! Lists and calls every tool with agent frameworks. Fake models request the calls, and must receive the results that the
//! same calls have as plain JSON.
//!
//! The programs are in `xtask/lab/clients/frameworks`; `calls.json` has the arguments.

use super::sdk;
use super::suite::{self, SuiteContext};
use crate::python::Python;

pub(super) fn fastmcp(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &sdk::two(context)?, "fastmcp_client")
}

pub(super) fn langchain(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &sdk::one(context)?, "langchain_agent")
}

pub(super) fn pydantic_ai(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &sdk::two(context)?, "pydantic_ai_agent")
}

pub(super) fn openai_agents(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &sdk::one(context)?, "openai_agent")
}

pub(super) fn run(context: &SuiteContext<'_>, python: &Python, script: &str) -> Result<(), String> {
    let script = context.committed("frameworks").join(format!("{script}.py"));
    suite::run(context.client(&python.program("python")).arg(script))
}
