//! Suites that only run on demand: agent frameworks whose packages take minutes to install, a proxy that serves tools as
//! an OpenAPI document, a call of every tool with the MCP Inspector, and the pictures in third-party hosts.

use std::path::{Path, PathBuf};

use super::suite::{self, SuiteContext};
use super::{frameworks, node, pictures, sdk};

pub(super) fn smolagents(context: &SuiteContext<'_>) -> Result<(), String> {
    frameworks::run(context, &sdk::environment(context, "on-demand-1")?, "smolagents_tools")
}

pub(super) fn llama_index(context: &SuiteContext<'_>) -> Result<(), String> {
    frameworks::run(context, &sdk::environment(context, "on-demand-2")?, "llama_index_tools")
}

pub(super) fn mcpo(context: &SuiteContext<'_>) -> Result<(), String> {
    let python = sdk::environment(context, "on-demand-1")?;
    let script = context.committed("frameworks/mcpo_proxy.py");
    suite::run(context.client(&python.program("python")).arg(script).arg(python.program("mcpo")))
}

/// Calls every tool with the Inspector, in the same way as the agent frameworks.
pub(super) fn inspector(context: &SuiteContext<'_>) -> Result<(), String> {
    let inspector = installed_inspector(context)?;
    let script = context.committed("frameworks/inspector_calls.py");
    let mut command = context.client(Path::new("python3"));
    suite::run(command.arg(script).arg(node::node(&context.work)?).arg(inspector))
}

/// Shows every picture in the web page of the Inspector, in both protocol eras.
pub(super) fn pictures_in_inspector(context: &SuiteContext<'_>) -> Result<(), String> {
    let inspector = installed_inspector(context)?;
    let mut command = pictures::program(context, "inspector.mjs")?;
    suite::run(command.env("INSPECTOR", inspector).env("HOST_HOME", context.work.join("host-home")))
}

/// Installs the Inspector. Returns the folder of its package.
fn installed_inspector(context: &SuiteContext<'_>) -> Result<PathBuf, String> {
    node::find(&node::install_locked(context)?, "@modelcontextprotocol/inspector")
}

/// Shows every picture in the hosts that the program sunpeak imitates: ChatGPT and Claude.
pub(super) fn pictures_in_sunpeak(context: &SuiteContext<'_>) -> Result<(), String> {
    let packages = node::install_member(context.root, "clients/sunpeak", &context.work.join("sunpeak"))?;
    let mut command = pictures::program(context, "sunpeak.mjs")?;
    command.env("SUNPEAK", node::find(&packages, "sunpeak")?);
    suite::run(command.env("HOST_HOME", context.work.join("host-home")))
}
