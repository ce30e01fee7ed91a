//! The settings of a private server, and the folders and files below its data folder. Only one process at a time uses a data
//! folder: the operating system releases the folder lock when the process ends, also when it is killed.

use std::ffi::OsString;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{ErrorKind, Seek, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::account::{UnixAccount, is_root};
use crate::error::Error;

/// The settings of a private server. This crate reads nothing from the environment.
#[derive(Clone, Debug)]
pub struct EmbeddedConfig {
    /// Folder for all files of the server. Created if absent. The crate documentation lists its content.
    pub data_dir: PathBuf,
    /// Folder that contains `postgres` and `initdb`. If set, no other binaries are considered.
    pub postgres_bin: Option<PathBuf>,
    /// Search path for `npm`, and the first places to look for PostgreSQL binaries.
    pub search_path: Option<OsString>,
    /// True to download binaries if none are found.
    pub download: bool,
    /// True if commits must survive a crash of the machine. Tests pass `false` for speed.
    pub durable: bool,
}

/// Mode of a folder for one account.
const PRIVATE: u32 = 0o700;
/// Mode of a folder that other accounts may pass through but not list.
const PASSABLE: u32 = 0o711;
const PASSABLE_BIT: u32 = 0o001;

/// The folders and files of a private server. All paths are absolute.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    data: PathBuf,
    postgres: PathBuf,
}

impl Folders {
    pub(crate) fn new(data_dir: &Path) -> Result<Folders, Error> {
        let data = std::path::absolute(data_dir).map_err(Error::io("resolve the path", data_dir))?;
        let postgres = data.join("postgres");
        Ok(Folders { data, postgres })
    }

    pub(crate) fn postgres(&self) -> &Path {
        &self.postgres
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.postgres.join("cluster")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.postgres.join("socket")
    }

    pub(crate) fn address(&self) -> PathBuf {
        self.postgres.join("address")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.postgres.join("lock")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.postgres.join("server.log")
    }

    pub(crate) fn binaries(&self) -> PathBuf {
        self.data.join("postgres-binaries")
    }

    /// Creates the data folder and its two subfolders: private, or passable if PostgreSQL runs as another account.
    pub(crate) fn create(&self, account: Option<&UnixAccount>) -> Result<(), Error> {
        let mode = if account.is_some() { PASSABLE } else { PRIVATE };
        let missing: Vec<&Path> = self.data.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            create(folder, mode)?;
        }
        create(&self.postgres, mode)?;
        create(&self.binaries(), mode)?;
        account.map_or(Ok(()), |account| self.make_reachable(account))
    }

    /// Makes the own folders passable for the account, and checks that all folders above are.
    fn make_reachable(&self, account: &UnixAccount) -> Result<(), Error> {
        for folder in [&self.data, &self.postgres, &self.binaries()] {
            let found = folder.metadata().map_err(Error::io("examine", folder))?;
            if !account.may_enter(&found) {
                let wider = Permissions::from_mode(found.mode() & 0o7777 | PASSABLE_BIT);
                std::fs::set_permissions(folder, wider)
                    .map_err(Error::io("change the permissions of", folder))?;
            }
        }
        let real = self.postgres.canonicalize().map_err(Error::io("examine", &self.postgres))?;
        for folder in real.ancestors() {
            let found = folder.metadata().map_err(Error::io("examine", folder))?;
            if !account.may_enter(&found) {
                return Err(Error::NotReachable { folder: folder.to_owned(), account: account.name.clone() });
            }
        }
        Ok(())
    }

    /// Returns the major version of PostgreSQL that created the cluster; `None` if there is no cluster.
    ///
    /// # Errors
    /// [`Error::Io`] if the version file cannot be read or does not contain a number.
    pub(crate) fn cluster_major(&self) -> Result<Option<u32>, Error> {
        let path = self.cluster().join("PG_VERSION");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        let malformed = |error| {
            Error::io("parse the version in", &path)(std::io::Error::new(ErrorKind::InvalidData, error))
        };
        text.trim().parse().map(Some).map_err(malformed)
    }
}

/// Creates a folder that will contain data folders. If this process runs as root, also makes the folder passable for
/// the account of PostgreSQL. Only for folders that belong to Passbook.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be created or its permissions cannot be changed.
pub fn make_passable(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::io("create the folder", folder))?;
    let found = folder.metadata().map_err(Error::io("examine", folder))?;
    if !is_root() || found.mode() & PASSABLE_BIT != 0 {
        return Ok(());
    }
    let wider = Permissions::from_mode(found.mode() & 0o7777 | PASSABLE_BIT);
    std::fs::set_permissions(folder, wider).map_err(Error::io("change the permissions of", folder))
}

/// Creates a private folder for the account, or for this process if there is no account. The folder may exist.
pub(crate) fn create_private(folder: &Path, account: Option<&UnixAccount>) -> Result<(), Error> {
    create(folder, PRIVATE)?;
    account.map_or(Ok(()), |account| account.own(folder))
}

/// Creates a folder with this exact mode, independent of the umask. Leaves an existing folder unchanged.
fn create(folder: &Path, mode: u32) -> Result<(), Error> {
    match DirBuilder::new().mode(PRIVATE).create(folder) {
        Ok(()) => {
            let exact = Permissions::from_mode(mode);
            std::fs::set_permissions(folder, exact).map_err(Error::io("change the permissions of", folder))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(Error::io("create the folder", folder)(error)),
    }
}

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
