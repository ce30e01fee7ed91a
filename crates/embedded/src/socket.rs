//! The private folder of the Unix socket: beside the cluster, or in `/tmp` if that path is too long for a socket.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::account::UnixAccount;
use crate::address::{Address, PORT};
use crate::error::Error;
use crate::folders::{Folders, create_private};

/// Maximum length of a socket path, in bytes: the limit of macOS. Linux allows 107.
const SOCKET_PATH_BYTES_MAX: usize = 103;
/// Folder for sockets whose regular path would be too long.
const FALLBACK: &str = "/tmp";
/// Text at the start of the names of folders that this crate creates in `/tmp`.
const PREFIX: &str = "passbook-";
/// Maximum number of names that are tried to find a free one.
const NAMES_TRIED_MAX: u32 = 1000;

/// Creates the folder and returns the address at which the server will listen.
pub(crate) fn create_folder(folders: &Folders, account: Option<&UnixAccount>) -> Result<Address, Error> {
    remove_fallback_folder(&folders.address());
    let mut address = Address { socket_dir: folders.socket(), port: PORT };
    if address.socket().as_os_str().as_bytes().len() <= SOCKET_PATH_BYTES_MAX {
        create_private(&address.socket_dir, account)?;
    } else {
        address.socket_dir = create_fallback_folder(account)?;
    }
    Ok(address)
}

/// Removes the folder in `/tmp` that an address file names. Does nothing if the file names another folder, or the
/// folder is not private. The caller must hold the folder lock.
pub(crate) fn remove_fallback_folder(address_file: &Path) {
    let Ok(Some(address)) = Address::read(address_file) else { return };
    let folder = address.socket_dir;
    let has_our_name = folder.parent() == Some(Path::new(FALLBACK))
        && folder.file_name().is_some_and(|name| name.as_bytes().starts_with(PREFIX.as_bytes()));
    let private = folder.symlink_metadata().is_ok_and(|found| found.is_dir() && found.mode() & 0o077 == 0);
    if has_our_name
        && private
        && let Err(error) = std::fs::remove_dir_all(&folder)
    {
        tracing::debug!(folder = %folder.display(), %error, "cannot remove the folder of the socket");
    }
}

/// Creates a private folder in `/tmp` under a free name. Never uses an existing folder, which could belong to an
/// attacker.
fn create_fallback_folder(account: Option<&UnixAccount>) -> Result<PathBuf, Error> {
    let mut taken = std::io::Error::from(ErrorKind::AlreadyExists);
    for attempt in 0..NAMES_TRIED_MAX {
        let folder = Path::new(FALLBACK).join(format!("{PREFIX}{}-{attempt}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => {
                create_private(&folder, account)?;
                return Ok(folder);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(Error::io("create the folder", &folder)(error)),
        }
    }
    Err(Error::io("create a folder in", Path::new(FALLBACK))(taken))
}
