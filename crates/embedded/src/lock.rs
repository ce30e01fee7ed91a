//! The folder lock: only one process at a time uses a data folder. The operating system releases the lock when the
//! process ends, also when it is killed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::os::unix::fs::OpenOptionsExt;

use crate::error::Error;
use crate::folders::Folders;

/// Guard of the folder lock. Dropping it unlocks the folder.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
}

impl Drop for FolderLock {
    /// Unlocks the folder. To close the file is not enough: a process that another thread is starting has a copy of the
    /// descriptor until it runs its program, and the copy would keep the lock.
    fn drop(&mut self) {
        if let Err(error) = self.file.unlock() {
            tracing::warn!(%error, "the lock of the data folder could not be released");
        }
    }
}

impl FolderLock {
    /// Acquires the lock and writes the process id of this process to the lock file.
    ///
    /// # Errors
    /// [`Error::InUse`] with the process id of the holder, if known, or [`Error::Io`].
    pub(crate) fn acquire(folders: &Folders) -> Result<FolderLock, Error> {
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
        Ok(FolderLock { file })
    }
}

fn write_pid(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
