//! The operations of the catalogue with their parameters on each surface.

use domain::scope::Surface;
use operations::form::Declaration;
use operations::{Entry, Spec};

/// An operation of the catalogue.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Identifier, path, scope and tool of the operation.
    pub spec: Spec,
    /// Parameters over REST.
    pub parameters: Vec<Declaration>,
    /// Parameters as a tool.
    pub tool_parameters: Vec<Declaration>,
}

/// All operations of the catalogue.
pub fn listed() -> Vec<Listed> {
    let listed = |entry: Entry| Listed {
        spec: entry.spec,
        parameters: entry.declarations(Surface::Rest),
        tool_parameters: entry.declarations(Surface::Mcp),
    };
    Entry::all().into_iter().map(listed).collect()
}

/// All operations that are offered as tools, with the tool's name.
pub fn tools() -> Vec<(&'static str, Listed)> {
    listed().into_iter().filter_map(|listed| Some((listed.spec.tool?.name, listed))).collect()
}
