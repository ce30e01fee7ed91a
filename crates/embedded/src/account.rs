//! The account that runs PostgreSQL: the account of this process, or an unprivileged one if this process runs as root,
//! because PostgreSQL refuses to run as root.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use nix::unistd::{User, geteuid};

use crate::error::Error;

const ROOT: u32 = 0;
/// File that lists the accounts of the machine, for error messages.
const ACCOUNTS: &str = "/etc/passwd";
/// The account that has the embedded database to itself.
pub(crate) const OWN_NAME: &str = "passbook";
/// Names of accounts that other servers of the machine use. Their processes can enter the socket folder, where PostgreSQL
/// trusts every user. macOS uses `_postgres` instead of `postgres`.
const SHARED_NAMES: [&str; 2] = ["postgres", "_postgres"];
/// The account of processes that must own nothing.
const NOBODY: &str = "nobody";

/// An unprivileged account of the machine, which can run PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnixAccount {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl UnixAccount {
    /// Returns the account to run PostgreSQL as; `None` if we are not root, and PostgreSQL runs as our own account.
    ///
    /// An existing cluster keeps its owner: otherwise a machine that gains a `passbook` account could no longer read its
    /// cluster.
    ///
    /// # Errors
    /// If we are root: [`Error::NoAccount`] without a suitable account, [`Error::OwnedByNobody`] for a cluster of `nobody`.
    pub(crate) fn choose(cluster: &Path) -> Result<Option<UnixAccount>, Error> {
        if !is_root() {
            return Ok(None);
        }
        if let Some(owner) = cluster.metadata().ok().filter(|owner| owner.uid() != ROOT) {
            if find_account(NOBODY)?.is_some_and(|nobody| nobody.uid == owner.uid()) {
                return Err(Error::OwnedByNobody { folder: cluster.to_owned() });
            }
            let name = format!("the owner of {} (uid {})", cluster.display(), owner.uid());
            return Ok(Some(UnixAccount { name, uid: owner.uid(), gid: owner.gid() }));
        }
        unprivileged(find_account)?.map(Some).ok_or(Error::NoAccount)
    }

    /// Logs a warning if other servers of the machine run as the account too.
    ///
    /// # Errors
    /// [`Error::Io`] if the accounts cannot be read.
    pub(crate) fn warn_if_shared(&self) -> Result<(), Error> {
        for name in SHARED_NAMES {
            if find_account(name)?.is_some_and(|shared| shared.uid == self.uid) {
                tracing::warn!(
                    account = name,
                    "every process of this account can read the embedded database: add the account {OWN_NAME} before the \
                     database is created"
                );
            }
        }
        Ok(())
    }

    /// Makes the account the owner of a file or folder. Of a symbolic link, changes the link and not its target.
    pub(crate) fn own(&self, path: &Path) -> Result<(), Error> {
        std::os::unix::fs::lchown(path, Some(self.uid), Some(self.gid))
            .map_err(Error::io("change the owner of", path))
    }

    /// Returns true if the permission bits of a folder let the account pass through it.
    pub(crate) fn may_enter(&self, folder: &std::fs::Metadata) -> bool {
        let bit = match folder {
            owned if owned.uid() == self.uid => 0o100,
            shared if shared.gid() == self.gid => 0o010,
            _ => 0o001,
        };
        folder.mode() & bit != 0
    }
}

/// Creates a command that runs as the account, or as our own account if there is none.
///
/// The command starts in `/`, which every account may enter, and without our environment, which contains secrets and
/// variables that change the behaviour of PostgreSQL.
pub(crate) fn command_as(account: Option<&UnixAccount>, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C");
    if let Some(account) = account {
        // For a process of root this also drops the supplementary groups.
        command.uid(account.uid).gid(account.gid);
    }
    command
}

/// Returns true if the process runs as root.
pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

fn find_account(name: &str) -> Result<Option<UnixAccount>, Error> {
    let user = User::from_name(name).map_err(|error| Error::io("read", Path::new(ACCOUNTS))(error.into()))?;
    Ok(user.map(|user| UnixAccount { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw() }))
}

/// Returns the first account of [`OWN_NAME`] and [`SHARED_NAMES`] that exists and does not have the user id of root.
fn unprivileged(
    find: impl Fn(&str) -> Result<Option<UnixAccount>, Error>,
) -> Result<Option<UnixAccount>, Error> {
    for name in [OWN_NAME].into_iter().chain(SHARED_NAMES) {
        if let Some(account) = find(name)?.filter(|account| account.uid != ROOT) {
            return Ok(Some(account));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(existing: &[(&str, u32, u32)], expected: Option<&str>) {
        let find = |name: &str| {
            let found = existing.iter().find(|(known, ..)| *known == name);
            Ok(found.map(|(name, uid, gid)| UnixAccount { name: (*name).to_owned(), uid: *uid, gid: *gid }))
        };
        let chosen = unprivileged(find).expect("no error");
        assert_eq!(chosen.map(|account| account.name).as_deref(), expected, "{existing:?}");
    }

    #[test]
    fn own_account_is_preferred_and_neither_nobody_nor_root_is_chosen() {
        let (nobody, postgres) = (("nobody", 65534, 65533), ("postgres", 101, 104));
        check(&[nobody], None);
        check(&[nobody, postgres], Some("postgres"));
        check(&[postgres, ("passbook", 960, 960)], Some("passbook"));
        check(&[nobody, ("_postgres", 216, 216)], Some("_postgres"));
        check(&[nobody, ("postgres", 0, 0)], None);
        check(&[("root", 0, 0), ("postgresql", 5, 5)], None);
    }

    #[test]
    fn cluster_of_nobody_is_refused() {
        if !is_root() {
            return;
        }
        let cluster = tempfile::tempdir().expect("a folder");
        let nobody = find_account(NOBODY).expect("readable").expect("nobody exists everywhere");
        nobody.own(cluster.path()).expect("root may change owners");
        let refused = UnixAccount::choose(cluster.path()).expect_err("it is open to others");
        assert!(refused.to_string().contains("chown --recursive passbook"), "{refused}");
    }

    #[test]
    fn accounts_are_found_by_name() {
        let root = find_account("root").expect("readable").expect("root exists everywhere");
        assert_eq!((root.uid, root.gid), (0, 0));
        assert_eq!(find_account("passbook-no-such-account").expect("readable"), None);
    }

    #[test]
    fn process_is_root_exactly_if_root_owns_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = std::fs::File::create(folder.path().join("file")).expect("a file");
        assert_eq!(is_root(), file.metadata().expect("metadata").uid() == ROOT);
    }
}
