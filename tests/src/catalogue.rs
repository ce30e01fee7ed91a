//! The operations of the catalogue with their parameters on each surface.

use passbook_domain::scope::Surface;
use passbook_operations::form::Declaration;
use passbook_operations::{Entry, Spec};

/// An operation of the catalogue with its declared parameters.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Identifier, path, scope and tool of the operation.
    pub spec: Spec,
    /// Parameters of the REST route.
    pub parameters: Vec<Declaration>,
    /// Parameters of the tool.
    pub tool_parameters: Vec<Declaration>,
}

/// Returns all operations of the catalogue.
pub fn listed() -> Vec<Listed> {
    let listed = |entry: Entry| Listed {
        spec: entry.spec,
        parameters: entry.declarations(Surface::Rest),
        tool_parameters: entry.declarations(Surface::Mcp),
    };
    Entry::all().into_iter().map(listed).collect()
}

/// Returns all operations that are offered as tools, each with the tool's name.
pub fn tools() -> Vec<(&'static str, Listed)> {
    listed().into_iter().filter_map(|listed| Some((listed.spec.tool?.name, listed))).collect()
}
