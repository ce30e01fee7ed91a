//! Where binaries of PostgreSQL may lie, the likeliest first.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::download;
use crate::folders::Folders;

/// Folders that carry a version in the name: what they lie in, how their names begin, and where the binaries
/// lie within. Debian, the project's own RPMs, Alpine, Homebrew on either processor, Homebrew on Linux.
const VERSIONED: [(&str, &str, &str); 6] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
    ("/home/linuxbrew/.linuxbrew/opt", "postgresql@", "bin"),
];
/// Homebrew's own, and where a build from source goes by default.
const PLAIN: [&str; 4] =
    ["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/pgsql/bin"];

/// Every folder worth a look; most of them do not exist.
pub(crate) fn all(search_path: Option<&OsStr>, folders: &Folders) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = on_path(search_path).collect();
    for (parent, prefix, within) in VERSIONED {
        places.extend(versions(Path::new(parent), prefix).into_iter().map(|folder| folder.join(within)));
    }
    places.extend(PLAIN.map(PathBuf::from));
    places.extend(download::cached(folders));
    places
}

/// The first of a program's name on the search path.
pub(crate) fn program(search_path: Option<&OsStr>, name: &str) -> Option<PathBuf> {
    on_path(search_path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Relative entries are left out: what they mean depends on where we were started.
fn on_path(search_path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::split_paths(search_path.unwrap_or_default());
    folders.filter(|folder| folder.is_absolute()).collect::<Vec<_>>().into_iter()
}

/// The folders whose names are the prefix and a number, the highest number first.
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
    fn the_highest_version_comes_first_by_number() {
        let parent = tempfile::tempdir().expect("a folder");
        for name in ["pgsql-9", "pgsql-15", "pgsql-100", "pgsql-", "pgsql-x", "other", "16"] {
            std::fs::create_dir(parent.path().join(name)).expect("a folder");
        }
        let expected = ["pgsql-100", "pgsql-15", "pgsql-9"].map(|name| parent.path().join(name));
        assert_eq!(versions(parent.path(), "pgsql-"), expected);
        assert_eq!(versions(&parent.path().join("absent"), ""), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_search_path_comes_before_everything_and_the_cache_last() {
        let folders = Folders::of(Path::new("/data")).expect("an absolute path");
        let places = all(Some(OsStr::new("/one:two:/three")), &folders);
        assert_eq!(places[..2], [PathBuf::from("/one"), PathBuf::from("/three")]);
        assert!(places.last().expect("the cache").starts_with("/data/postgres-binaries"));
    }
}
