//! The folder of the repository.

use std::path::{Path, PathBuf};

/// Returns the root folder of the repository, which is above this package.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}
