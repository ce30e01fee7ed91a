//! The surfaces of a credential, as lists show them.

use passbook_domain::scope::Surface;

/// Returns the names of the surfaces that accept a credential.
pub(super) fn surfaces(rest: bool, mcp: bool) -> Vec<&'static str> {
    [(rest, Surface::Rest), (mcp, Surface::Mcp)]
        .into_iter()
        .filter_map(|(accepts, surface)| accepts.then_some(surface.as_str()))
        .collect()
}

/// Returns the names in one text.
pub(super) fn joined(surfaces: &[&str]) -> String {
    if surfaces.is_empty() { "none".to_owned() } else { surfaces.join(",") }
}
