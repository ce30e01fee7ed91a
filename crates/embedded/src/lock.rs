//! One process at a time: a lock on a file in the database's folder, which the system releases when its
//! holder ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::os::unix::fs::OpenOptionsExt;

use crate::Error;
use crate::folders::Folders;

/// The folder is ours while this value lives.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock and leaves our process number in it, or says who has it.
    pub(crate) fn take(folders: &Folders) -> Result<FolderLock, Error> {
        let path = folders.lock();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = options.open(&path).map_err(Error::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
                return Err(Error::InUse { folder: folders.postgres().to_owned(), pid });
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path)(error)),
        }
        write_pid(&mut file).map_err(Error::io("write", &path))?;
        Ok(FolderLock { _file: file })
    }
}

fn write_pid(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
