//! The official SDKs in both languages and both generations, in each era they speak: every tool is called, and every
//! answer validated. What they do is in `xtask/clients/sdk.mjs` and `sdk.py`, what they ask in `calls.json`.

use super::{Site, judged, node};
use crate::python::Python;

pub(super) fn typescript(site: &Site<'_>) -> Result<(), String> {
    let packages = node::install_locked(site)?;
    let node = node::node(&site.work)?;
    judged(site.asking(&node).arg(site.committed("sdk.mjs")).env("PACKAGES", packages))
}

pub(super) fn python_one(site: &Site<'_>) -> Result<(), String> {
    run(site, &one(site)?)
}

pub(super) fn python_two(site: &Site<'_>) -> Result<(), String> {
    run(site, &two(site)?)
}

fn run(site: &Site<'_>, python: &Python) -> Result<(), String> {
    judged(site.asking(&python.program("python")).arg(site.committed("sdk.py")))
}

fn one(site: &Site<'_>) -> Result<Python, String> {
    environment(site, "python-sdk-1")
}

/// The environment of the newer SDK, which has a judge of tool definitions too.
pub(super) fn two(site: &Site<'_>) -> Result<Python, String> {
    environment(site, "python-sdk-2")
}

fn environment(site: &Site<'_>, name: &str) -> Result<Python, String> {
    let python = Python::at(site.work.join(name));
    python.install(&site.committed(&format!("{name}.txt")))?;
    Ok(python)
}
