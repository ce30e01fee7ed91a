//! What the catalogue lists, with the parameters of each surface.

use domain::scope::Surface;
use operations::form::Declaration;
use operations::{Entry, Spec};

/// An operation as the catalogue lists it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its facts.
    pub spec: Spec,
    /// Its parameters over REST.
    pub parameters: Vec<Declaration>,
    /// Its parameters as a tool.
    pub tool_parameters: Vec<Declaration>,
}

/// Every operation.
pub fn listed() -> Vec<Listed> {
    let listed = |entry: Entry| Listed {
        spec: entry.spec,
        parameters: entry.declarations(Surface::Rest),
        tool_parameters: entry.declarations(Surface::Mcp),
    };
    Entry::all().into_iter().map(listed).collect()
}

/// Every operation that is offered as a tool, with its name.
pub fn tools() -> Vec<(&'static str, Listed)> {
    listed().into_iter().filter_map(|listed| Some((listed.spec.tool?.name, listed))).collect()
}
