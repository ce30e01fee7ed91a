//! The repository: its files, which are those that git tracks or would add, and the cargo that works in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root folder of the repository, which is above this package.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// Runs cargo in a folder, and returns its output.
///
/// # Errors
/// The text of the error, if cargo fails.
pub(crate) fn read_cargo(folder: &Path, arguments: &str) -> Result<String, String> {
    let mut command = Command::new(cargo());
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output();
    let output = output.map_err(|error| format!("cargo did not start: {error}"))?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns the path of the cargo that runs this program, so that a step uses the same toolchain.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The files of the repository by their path from the root, with forward slashes. A file that is not UTF-8 has no text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads the files.
    ///
    /// # Errors
    /// git is missing, or the folder is no repository, as in an unpacked archive.
    pub(crate) fn read(root: &Path) -> Result<Tree, String> {
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let output = Command::new("git").args(list).current_dir(root).output();
        let output = output.ok().filter(|output| output.status.success());
        let listed = output.and_then(|output| String::from_utf8(output.stdout).ok());
        let listed = listed.ok_or("git cannot list the files: install git, or run `git init`")?;
        // Git still lists a file that was deleted but not committed; such a file is skipped.
        let files = listed.split_terminator('\0').filter_map(|path| {
            let bytes = std::fs::read(root.join(path)).ok()?;
            Some((path.to_owned(), String::from_utf8(bytes).ok()))
        });
        Ok(Tree { files: files.collect() })
    }

    /// Returns path and text of each text file, in order of path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns path and text of each text file whose path starts with `start` and ends with `end`, in order of path.
    pub(crate) fn texts_in(&self, start: &str, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| path.starts_with(start) && path.ends_with(end))
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Returns true if a file or a folder has this path.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.files.contains_key(path) || self.files.keys().any(|file| file.starts_with(&folder))
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned()))).collect();
        Tree { files }
    }
}
