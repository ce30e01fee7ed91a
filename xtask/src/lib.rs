//! The automation of this project: `cargo xtask COMMAND`. It is a library too, because the test suite runs `tidy`.

pub mod bench;
pub mod bless;
pub mod checklist;
pub mod ci;
pub mod clients;
mod command;
mod connection;
pub mod contract;
mod debian;
pub mod deploy_check;
pub mod evaluate;
pub mod faults;
pub mod fuzz;
pub mod hosts;
pub mod load;
pub mod oracle;
mod pgbouncer;
mod public_crates;
mod python;
mod random;
mod rust_text;
pub mod sample_text;
pub mod semver;
mod server;
pub mod tidy;
mod tree;

use std::path::{Path, PathBuf};

/// Returns the root folder of the repository, which is above this package.
#[must_use]
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// Returns the path of the cargo that runs this program, so that a step uses the same toolchain.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
