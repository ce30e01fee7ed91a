//! The PostgreSQL version of the cluster on disk.

use std::io::ErrorKind;

use crate::error::Error;
use crate::folders::Folders;

/// Returns the major version of PostgreSQL that created the cluster; `None` if there is no cluster.
///
/// # Errors
/// [`Error::Io`] if the version file cannot be read or does not contain a number.
pub(crate) fn major(folders: &Folders) -> Result<Option<u32>, Error> {
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
