//! The folders that may contain PostgreSQL binaries, in order of preference.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::download;
use crate::folders::Folders;
use crate::search_path::absolute_folders;

/// Folders whose names contain a version: parent folder, prefix of the name, and the folder of the binaries inside.
/// For Debian, the RPMs of the PostgreSQL project, Alpine, Homebrew on macOS (both processors), and Homebrew on
/// Linux.
const VERSIONED: [(&str, &str, &str); 6] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
    ("/home/linuxbrew/.linuxbrew/opt", "postgresql@", "bin"),
];
/// Folders without a version: Homebrew, and the default of a build from source.
const PLAIN: [&str; 4] =
    ["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/pgsql/bin"];

/// Returns all candidate folders. Most of them do not exist.
pub(crate) fn all(search_path: Option<&OsStr>, folders: &Folders) -> Vec<PathBuf> {
    let mut folders_found: Vec<PathBuf> = absolute_folders(search_path).collect();
    for (parent, prefix, subfolder) in VERSIONED {
        folders_found
            .extend(versions(Path::new(parent), prefix).into_iter().map(|folder| folder.join(subfolder)));
    }
    folders_found.extend(PLAIN.map(PathBuf::from));
    folders_found.extend(download::cached(folders));
    folders_found
}

/// Returns the folders whose names are the prefix and a number, the highest number first.
fn versions(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = parent.read_dir() else { return Vec::new() };
    let mut found: Vec<(Reverse<u32>, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name();
            let version = name.to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((Reverse(version), entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, folder)| folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_descending() {
        let parent = tempfile::tempdir().expect("a folder");
        for name in ["pgsql-9", "pgsql-15", "pgsql-100", "pgsql-", "pgsql-x", "other", "16"] {
            std::fs::create_dir(parent.path().join(name)).expect("a folder");
        }
        let expected = ["pgsql-100", "pgsql-15", "pgsql-9"].map(|name| parent.path().join(name));
        assert_eq!(versions(parent.path(), "pgsql-"), expected);
        assert_eq!(versions(&parent.path().join("absent"), ""), Vec::<PathBuf>::new());
    }

    #[test]
    fn search_path_comes_first_and_downloads_last() {
        let folders = Folders::new(Path::new("/data")).expect("an absolute path");
        let places = all(Some(OsStr::new("/one:two:/three")), &folders);
        assert_eq!(places[..2], [PathBuf::from("/one"), PathBuf::from("/three")]);
        assert!(places.last().expect("the cache").starts_with("/data/postgres-binaries"));
    }
}
