//! The versions of PostgreSQL: those that this crate supports and downloads, and that of the cluster on disk.

use std::io::ErrorKind;

use super::error::Error;
use super::folders::Folders;

/// Oldest supported major version. The SQL of Passbook uses nothing newer, and tests use nothing older.
pub(crate) const OLDEST_MAJOR: u32 = 15;
/// Version of the package to download.
pub(crate) const DOWNLOAD_VERSION: &str = "18.4.0-beta.17";
/// Major version of PostgreSQL in that package.
pub(crate) const DOWNLOAD_MAJOR: u32 = 18;

/// Returns the major version of PostgreSQL that created the cluster; `None` if there is no cluster.
///
/// # Errors
/// [`Error::Io`] if the version file cannot be read or does not contain a number.
pub(crate) fn cluster_major(folders: &Folders) -> Result<Option<u32>, Error> {
    let path = folders.cluster().join("PG_VERSION");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path)(error)),
    };
    let malformed =
        |error| Error::io("parse the version in", &path)(std::io::Error::new(ErrorKind::InvalidData, error));
    text.trim().parse().map(Some).map_err(malformed)
}
