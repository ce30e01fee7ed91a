//! The surfaces of a credential, as lists show them.

/// The surfaces that accept a credential, as lists show them.
pub(super) fn surfaces(rest: bool, mcp: bool) -> &'static str {
    match (rest, mcp) {
        (true, true) => "rest,mcp",
        (true, false) => "rest",
        (false, true) => "mcp",
        (false, false) => "none",
    }
}
