//! The crates of this repository that programs outside of it name in their manifests.

/// The folders in `crates`. Their packages have the same names with the prefix `passbook-`.
pub(crate) const PUBLIC_CRATES: [&str; 11] = [
    "auth",
    "dashboard",
    "domain",
    "ledger-check",
    "mcp",
    "oauth",
    "operations",
    "people",
    "rest",
    "store",
    "web",
];
