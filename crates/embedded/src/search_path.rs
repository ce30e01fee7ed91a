//! Finds programs on a search path such as the value of `PATH`.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Returns the first file with this name on the search path.
pub(crate) fn find_program(search_path: Option<&OsStr>, name: &str) -> Option<PathBuf> {
    absolute_folders(search_path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Iterates over the folders of the search path. Skips relative folders: their meaning depends on the current folder.
pub(crate) fn absolute_folders(search_path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::split_paths(search_path.unwrap_or_default());
    folders.filter(|folder| folder.is_absolute()).collect::<Vec<_>>().into_iter()
}
