//! The folders that may contain PostgreSQL binaries, in order of preference.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::download;
use super::folders::Folders;
use super::program::absolute_folders;

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

/// Returns the path of a client program, such as `psql`: in `postgres_bin`, otherwise in a folder of the search path,
/// otherwise in a usual folder of PostgreSQL. `None` if there is none.
#[must_use]
pub fn find_client(name: &str, postgres_bin: Option<&Path>, search_path: Option<&OsStr>) -> Option<PathBuf> {
    let folders = postgres_bin.map(Path::to_owned).into_iter().chain(of_system(search_path));
    first_with(folders, name)
}

fn first_with(folders: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns all candidate folders. Most of them do not exist.
pub(crate) fn all(search_path: Option<&OsStr>, folders: &Folders) -> Vec<PathBuf> {
    let mut folders_found = of_system(search_path);
    folders_found.extend(download::cached(folders));
    folders_found
}

/// Returns the candidate folders of the system, without downloaded binaries.
fn of_system(search_path: Option<&OsStr>) -> Vec<PathBuf> {
    let mut folders_found: Vec<PathBuf> = absolute_folders(search_path).collect();
    for (parent, prefix, subfolder) in VERSIONED {
        folders_found
            .extend(versions(Path::new(parent), prefix).into_iter().map(|folder| folder.join(subfolder)));
    }
    folders_found.extend(PLAIN.map(PathBuf::from));
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
    fn client_is_found_in_the_given_folder_before_the_search_path() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, has_program: bool| {
            let folder = parent.path().join(name);
            std::fs::create_dir(&folder).expect("a folder");
            if has_program {
                std::fs::write(folder.join("example-client"), "").expect("a file");
            }
            folder
        };
        let (given, other, empty) = (folder("given", true), folder("other", true), folder("empty", false));
        let find = |bin: &Path| find_client("example-client", Some(bin), Some(other.as_os_str()));
        assert_eq!(find(&given), Some(given.join("example-client")));
        assert_eq!(find(&empty), Some(other.join("example-client")));
        assert_eq!(find_client("example-client", None, Some(empty.as_os_str())), None);
    }

    #[test]
    fn search_path_comes_first_and_downloads_last() {
        let folders = Folders::new(Path::new("/data")).expect("an absolute path");
        let places = all(Some(OsStr::new("/one:two:/three")), &folders);
        assert_eq!(places[..2], [PathBuf::from("/one"), PathBuf::from("/three")]);
        assert!(places.last().expect("the cache").starts_with("/data/postgres-binaries"));
    }
}
