//! Creates the cluster on disk, in a way that an interrupted creation is never mistaken for a cluster.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use nix::libc::O_NOFOLLOW;

use crate::account::UnixAccount;
use crate::address::SUPERUSER;
use crate::binaries::Binaries;
use crate::error::Error;
use crate::folders::{Folders, create_private};
use crate::log;
use crate::supervisor::Supervisor;

/// Time limit of `initdb`, in seconds.
const INITDB_SECONDS_MAX: u64 = 120;
/// Prefix of the folder in which a cluster is created.
const INCOMPLETE_PREFIX: &str = "cluster.new.";

/// Creates the cluster if there is none. The cluster is created in another folder, which is renamed when it is
/// complete. The caller must hold the folder lock.
pub(crate) async fn create_if_absent(
    folders: &Folders,
    binaries: &Binaries,
    account: Option<&UnixAccount>,
    durable: bool,
) -> Result<(), Error> {
    remove_incomplete(folders.postgres());
    if folders.cluster().exists() {
        return Ok(());
    }
    let incomplete = folders.postgres().join(format!("{INCOMPLETE_PREFIX}{}", std::process::id()));
    create_private(&incomplete, account)?;
    tracing::info!(folder = %folders.cluster().display(), "creating an empty database cluster");
    initialise(folders, binaries, account, &incomplete, durable).await?;
    let cluster = folders.cluster();
    std::fs::rename(&incomplete, &cluster).map_err(Error::io("move into place", &cluster))?;
    let parent = File::open(folders.postgres()).and_then(|folder| folder.sync_all());
    parent.map_err(Error::io("write", folders.postgres()))
}

async fn initialise(
    folders: &Folders,
    binaries: &Binaries,
    account: Option<&UnixAccount>,
    target: &Path,
    durable: bool,
) -> Result<(), Error> {
    let access = ["--auth-local=trust", "--auth-host=reject"];
    let fixed = ["-U", SUPERUSER, "-E", "UTF8", "--locale=C", "--no-instructions", "-D"];
    let mut arguments: Vec<OsString> = access.iter().chain(&fixed).map(OsString::from).collect();
    arguments.push(target.into());
    if !durable {
        arguments.push("--no-sync".into());
    }
    let log_file = log::begin(&folders.log())?;
    // The supervisor stops `initdb` if this process is killed.
    let mut initdb = Supervisor::start(&binaries.initdb(), &arguments, log_file, account)?;
    let limit = Duration::from_secs(INITDB_SECONDS_MAX);
    match tokio::time::timeout(limit, initdb.ended()).await.ok().transpose()? {
        Some(status) if status.success() => refuse_network(target),
        Some(_) => Err(Error::SetUpFailed { folder: target.to_owned(), log: log::tail(&folders.log()) }),
        None => Err(Error::TooSlow { program: "initdb".to_owned(), seconds: INITDB_SECONDS_MAX }),
    }
}

/// Lets a server of the cluster listen on no network address, also a server that is started without our arguments.
fn refuse_network(cluster: &Path) -> Result<(), Error> {
    let path = cluster.join("postgresql.conf");
    // The account that owns the folder must not be able to lead this process, which may be root, to another file.
    let opened = OpenOptions::new().append(true).custom_flags(O_NOFOLLOW).open(&path);
    // `initdb` has synchronised its files already: a loss of power would leave zeros at the end of this one.
    let written = opened.and_then(|mut file| {
        file.write_all(b"listen_addresses = ''\n")?;
        file.sync_all()
    });
    written.map_err(Error::io("write", &path))
}

/// Removes the folders of interrupted creations. An interrupted `initdb` may still write for a second, so a folder that
/// cannot be removed is no error: the next start removes it.
fn remove_incomplete(parent: &Path) {
    let Ok(entries) = parent.read_dir() else { return };
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with(INCOMPLETE_PREFIX)
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(folder = %entry.path().display(), %error, "cannot remove an incomplete cluster");
        }
    }
}
