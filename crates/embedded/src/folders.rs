//! The paths under the data folder, and making them so that the account that runs PostgreSQL can reach them.

use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::account::Account;

const PRIVATE: u32 = 0o700;
/// Others may pass through to a path they know, and see no names.
const PASSABLE: u32 = 0o711;
const PASSABLE_BIT: u32 = 0o001;

/// Where everything lies. All paths are absolute.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    data: PathBuf,
    postgres: PathBuf,
}

impl Folders {
    pub(crate) fn of(data_dir: &Path) -> Result<Folders, Error> {
        let data = std::path::absolute(data_dir).map_err(Error::io("name", data_dir))?;
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

    /// Makes the data folder and the two in it, private or, for another account, passable.
    pub(crate) fn make(&self, account: Option<&Account>) -> Result<(), Error> {
        let mode = if account.is_some() { PASSABLE } else { PRIVATE };
        let missing: Vec<&Path> = self.data.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            make(folder, mode)?;
        }
        make(&self.postgres, mode)?;
        make(&self.binaries(), mode)?;
        account.map_or(Ok(()), |account| self.open_the_way(account))
    }

    fn open_the_way(&self, account: &Account) -> Result<(), Error> {
        for folder in [&self.data, &self.postgres, &self.binaries()] {
            let found = folder.metadata().map_err(Error::io("look at", folder))?;
            if !account.may_enter(&found) {
                let wider = Permissions::from_mode(found.mode() & 0o7777 | PASSABLE_BIT);
                std::fs::set_permissions(folder, wider).map_err(Error::io("open to others", folder))?;
            }
        }
        let real = self.postgres.canonicalize().map_err(Error::io("look at", &self.postgres))?;
        for folder in real.ancestors() {
            let found = folder.metadata().map_err(Error::io("look at", folder))?;
            if !account.may_enter(&found) {
                return Err(Error::NotReachable { folder: folder.to_owned(), account: account.name.clone() });
            }
        }
        Ok(())
    }
}

/// Makes a folder that data folders will lie in, and lets the account that PostgreSQL runs as pass through it. Only
/// for a folder that is Passbook's own; as an ordinary user it is just made.
///
/// # Errors
/// [`Error::Io`] when it cannot be made or opened.
pub fn make_passable(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
    let found = folder.metadata().map_err(Error::io("look at", folder))?;
    if !crate::account::is_root() || found.mode() & PASSABLE_BIT != 0 {
        return Ok(());
    }
    let wider = Permissions::from_mode(found.mode() & 0o7777 | PASSABLE_BIT);
    std::fs::set_permissions(folder, wider).map_err(Error::io("open to others", folder))
}

/// A private folder for the account, or for ourselves. It may be there already.
pub(crate) fn make_private(folder: &Path, account: Option<&Account>) -> Result<(), Error> {
    make(folder, PRIVATE)?;
    account.map_or(Ok(()), |account| account.own(folder))
}

/// Says so if the folder is there already; otherwise its mode is exact, whatever the umask.
fn make(folder: &Path, mode: u32) -> Result<(), Error> {
    match DirBuilder::new().mode(PRIVATE).create(folder) {
        Ok(()) => {
            let exact = Permissions::from_mode(mode);
            std::fs::set_permissions(folder, exact).map_err(Error::io("set the mode of", folder))
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(Error::io("make the folder", folder)(error)),
    }
}
