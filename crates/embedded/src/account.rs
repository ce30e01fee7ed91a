//! Whom PostgreSQL runs as: ourselves, or, since it refuses root, an unprivileged account when we are root.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::Error;

const ROOT: u32 = 0;
const PASSWD: &str = "/etc/passwd";
/// In order of preference; the second is macOS's name for the first.
const NAMES: [&str; 3] = ["postgres", "_postgres", "nobody"];

/// An unprivileged account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Account {
    /// `None` if we are an ordinary user and PostgreSQL runs as ourselves. An existing cluster stays with its
    /// owner: a machine that gains a `postgres` account later must not lose a cluster made as `nobody`.
    pub(crate) fn choose(cluster: &Path) -> Result<Option<Account>, Error> {
        if effective_uid()? != ROOT {
            return Ok(None);
        }
        if let Some(owner) = cluster.metadata().ok().filter(|owner| owner.uid() != ROOT) {
            let name = format!("the owner of {} (uid {})", cluster.display(), owner.uid());
            return Ok(Some(Account { name, uid: owner.uid(), gid: owner.gid() }));
        }
        let passwd = std::fs::read_to_string(PASSWD).map_err(Error::io("read", Path::new(PASSWD)))?;
        unprivileged(&passwd).map(Some).ok_or(Error::NoAccount)
    }

    /// Makes the account the owner of a file or folder (of a link itself, not of what it names).
    pub(crate) fn own(&self, path: &Path) -> Result<(), Error> {
        std::os::unix::fs::lchown(path, Some(self.uid), Some(self.gid)).map_err(Error::io("give away", path))
    }

    /// Whether the account may pass through a folder, by its permission bits.
    pub(crate) fn may_enter(&self, folder: &std::fs::Metadata) -> bool {
        let bit = match folder {
            owned if owned.uid() == self.uid => 0o100,
            shared if shared.gid() == self.gid => 0o010,
            _ => 0o001,
        };
        folder.mode() & bit != 0
    }
}

/// A command that will run as the account, or as ourselves, in a folder that anybody may enter and without
/// our environment: it holds secrets, and variables that PostgreSQL would heed.
pub(crate) fn command_as(account: Option<&Account>, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C");
    if let Some(account) = account {
        // As root this also drops the supplementary groups.
        command.uid(account.uid).gid(account.gid);
    }
    command
}

/// Whether we are root; no where that cannot be found out.
pub(crate) fn is_root() -> bool {
    effective_uid().is_ok_and(|uid| uid == ROOT)
}

/// The standard library cannot ask for it, but a new pipe belongs to whoever made it.
fn effective_uid() -> Result<u32, Error> {
    let owner = || {
        let (reader, _writer) = std::io::pipe()?;
        File::from(OwnedFd::from(reader)).metadata()
    };
    owner().map(|owner| owner.uid()).map_err(Error::io("look at", Path::new("a pipe of our own")))
}

fn unprivileged(passwd: &str) -> Option<Account> {
    NAMES.iter().find_map(|name| passwd.lines().find_map(|line| entry(line, name)))
}

fn entry(line: &str, wanted: &str) -> Option<Account> {
    let mut fields = line.split(':');
    let name = fields.next().filter(|name| *name == wanted)?;
    let uid = fields.nth(1)?.parse().ok().filter(|uid| *uid != ROOT)?;
    let gid = fields.next()?.parse().ok()?;
    Some(Account { name: name.to_owned(), uid, gid })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(passwd: &str, expected: Option<(&str, u32, u32)>) {
        let expected = expected.map(|(name, uid, gid)| Account { name: name.to_owned(), uid, gid });
        assert_eq!(unprivileged(passwd), expected, "{passwd}");
    }

    #[test]
    fn postgres_is_preferred_then_nobody_and_never_root() {
        let nobody = "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533:nobody:/:/bin/false\n";
        check(nobody, Some(("nobody", 65534, 65533)));
        check(&format!("{nobody}postgres:x:101:104::/var/lib:/bin/sh\n"), Some(("postgres", 101, 104)));
        check(&format!("{nobody}postgres:x:0:0::/var/lib:/bin/sh\n"), Some(("nobody", 65534, 65533)));
        check("root:x:0:0::/root:/bin/sh\npostgresql:x:5:5:::\npostgres:x:five:5:::\n", None);
    }

    #[test]
    fn our_own_number_is_that_of_the_files_we_make() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = File::create(folder.path().join("file")).expect("a file");
        assert_eq!(effective_uid().expect("a number"), file.metadata().expect("metadata").uid());
    }
}
