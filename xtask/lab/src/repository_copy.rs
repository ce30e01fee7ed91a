//! Copies of the repository below `target`, for commands that change files and compile the result.

use std::path::{Path, PathBuf};

use crate::command::run_shown;

/// Copies the files that git knows or would add into `target/{name}`, which is emptied before. Returns the copy.
///
/// The copy is a git repository of its own, so that programs which list the files find those of the copy.
///
/// # Errors
/// git is missing, or a file cannot be copied.
pub(crate) fn create(root: &Path, name: &str) -> Result<PathBuf, String> {
    let copy = format!("target/{name}");
    let script = format!(
        "set -e; rm -rf {copy}; mkdir -p {copy}; git ls-files -z --cached --others --exclude-standard \
         | xargs -0 cp --no-dereference --parents -t {copy}; cd {copy}; git init -q; git add -A"
    );
    run_shown("sh", &["-c", &script], root)?;
    Ok(root.join(copy))
}
