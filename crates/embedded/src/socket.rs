//! The private folder of the unix socket: beside the cluster, or under `/tmp` when that path is too long for
//! a socket's address.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::account::Account;
use crate::address::{Address, PORT};
use crate::folders::{Folders, make_private};

/// Of a socket's path: Linux allows 107, macOS 103.
const SOCKET_PATH_BYTES_MAX: usize = 103;
const ELSEWHERE: &str = "/tmp";
const PREFIX: &str = "passbook-";
const NAMES_TRIED_MAX: u32 = 1000;

/// Makes the folder and says where the server will listen.
pub(crate) fn make(folders: &Folders, account: Option<&Account>) -> Result<Address, Error> {
    remove_elsewhere(&folders.address());
    let mut address = Address { socket_dir: folders.socket(), port: PORT };
    if address.socket().as_os_str().as_bytes().len() <= SOCKET_PATH_BYTES_MAX {
        make_private(&address.socket_dir, account)?;
    } else {
        address.socket_dir = make_elsewhere(account)?;
    }
    Ok(address)
}

/// Removes the folder under `/tmp` that the record names, if it does and the folder is one of ours. The caller
/// holds the lock.
pub(crate) fn remove_elsewhere(record: &Path) {
    let Ok(Some(address)) = Address::read(record) else { return };
    let folder = address.socket_dir;
    let named_by_us = folder.parent() == Some(Path::new(ELSEWHERE))
        && folder.file_name().is_some_and(|name| name.as_bytes().starts_with(PREFIX.as_bytes()));
    let private = folder.symlink_metadata().is_ok_and(|found| found.is_dir() && found.mode() & 0o077 == 0);
    if named_by_us
        && private
        && let Err(error) = std::fs::remove_dir_all(&folder)
    {
        tracing::debug!(folder = %folder.display(), %error, "a socket's folder stays behind");
    }
}

/// Making a folder fails if the name is taken, so nobody can slip us one of theirs.
fn make_elsewhere(account: Option<&Account>) -> Result<PathBuf, Error> {
    let mut taken = std::io::Error::from(ErrorKind::AlreadyExists);
    for attempt in 0..NAMES_TRIED_MAX {
        let folder = Path::new(ELSEWHERE).join(format!("{PREFIX}{}-{attempt}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => {
                make_private(&folder, account)?;
                return Ok(folder);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(Error::io("make the folder", &folder)(error)),
        }
    }
    Err(Error::io("make a folder in", Path::new(ELSEWHERE))(taken))
}
