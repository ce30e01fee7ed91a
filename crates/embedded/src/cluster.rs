//! The cluster on disk: which version made it, and making it so that a set-up that was killed half-way is
//! never mistaken for one.

use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crate::account::Account;
use crate::binaries::Binaries;
use crate::folders::{Folders, make_private};
use crate::supervisor::Supervisor;
use crate::{Error, SUPERUSER, log};

const SET_UP_SECONDS_MAX: u64 = 120;
const HALF_DONE: &str = "cluster.new.";

/// The major version that made the cluster; `None` if there is no cluster.
pub(crate) fn major(folders: &Folders) -> Result<Option<u32>, Error> {
    let path = folders.cluster().join("PG_VERSION");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path)(error)),
    };
    let unreadable =
        |error| Error::io("understand", &path)(std::io::Error::new(ErrorKind::InvalidData, error));
    text.trim().parse().map(Some).map_err(unreadable)
}

/// Makes the cluster under another name and gives it its own when it is complete. The caller holds the lock.
pub(crate) async fn make_if_absent(
    folders: &Folders,
    binaries: &Binaries,
    account: Option<&Account>,
    durable: bool,
) -> Result<(), Error> {
    remove_half_done(folders.postgres());
    if folders.cluster().exists() {
        return Ok(());
    }
    let unfinished = folders.postgres().join(format!("{HALF_DONE}{}", std::process::id()));
    make_private(&unfinished, account)?;
    tracing::info!(folder = %folders.cluster().display(), "setting up an empty database");
    initialise(folders, binaries, account, &unfinished, durable).await?;
    let cluster = folders.cluster();
    std::fs::rename(&unfinished, &cluster).map_err(Error::io("move into place", &cluster))?;
    let parent = File::open(folders.postgres()).and_then(|folder| folder.sync_all());
    parent.map_err(Error::io("write", folders.postgres()))
}

async fn initialise(
    folders: &Folders,
    binaries: &Binaries,
    account: Option<&Account>,
    target: &Path,
    durable: bool,
) -> Result<(), Error> {
    let fixed = ["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions", "-D"];
    let mut arguments: Vec<OsString> = fixed.map(OsString::from).into();
    arguments.push(target.into());
    if !durable {
        arguments.push("--no-sync".into());
    }
    let words = log::begin(&folders.log())?;
    // Under the supervisor, so that it does not go on writing after we were killed.
    let mut initdb = Supervisor::start(&binaries.initdb(), &arguments, words, account)?;
    let limit = Duration::from_secs(SET_UP_SECONDS_MAX);
    match tokio::time::timeout(limit, initdb.ended()).await.ok().transpose()? {
        Some(status) if status.success() => Ok(()),
        Some(_) => Err(Error::SetUpFailed { folder: target.to_owned(), log: log::tail(&folders.log()) }),
        None => Err(Error::TooSlow { program: "initdb".to_owned(), seconds: SET_UP_SECONDS_MAX }),
    }
}

/// What killed set-ups left. An interrupted `initdb` may go on for a second before it tidies up behind itself,
/// hence no error if something stays: the next start comes by here again.
fn remove_half_done(parent: &Path) {
    let Ok(entries) = parent.read_dir() else { return };
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with(HALF_DONE)
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(folder = %entry.path().display(), %error, "a half-done cluster stays behind");
        }
    }
}
