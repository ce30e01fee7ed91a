//! Temporary folders of the tests: in memory if the system has space there, because a database consists of hundreds of
//! small files.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::{Builder, TempDir};

/// The folder that Linux keeps in memory.
const IN_MEMORY: &str = "/dev/shm";
/// Minimum free space of that folder, in bytes. A run keeps dozens of databases of 10 MB there, and a few clusters.
const FREE_BYTES_MIN: u64 = 2 << 30;
/// Mode of a folder through which the account of PostgreSQL can pass.
const PASSABLE: u32 = 0o711;

static PARENT: LazyLock<PathBuf> = LazyLock::new(|| {
    sweep(&std::env::temp_dir());
    if !has_space(Path::new(IN_MEMORY)) {
        return std::env::temp_dir();
    }
    sweep(Path::new(IN_MEMORY));
    PathBuf::from(IN_MEMORY)
});

/// A temporary folder through which the account of PostgreSQL can pass. Dropping the value removes the folder.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// Creates the folder.
    pub fn create() -> Folder {
        Folder::create_in(&PARENT)
    }

    /// Creates the folder on a disk, for files that would take too much memory.
    pub fn on_disk() -> Folder {
        Folder::create_in(&std::env::temp_dir())
    }

    fn create_in(parent: &Path) -> Folder {
        let prefix = prefix();
        let mut builder = Builder::new();
        builder.prefix(&prefix).permissions(Permissions::from_mode(PASSABLE));
        Folder(builder.tempdir_in(parent).expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a file in the folder, as an argument of a program.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file, in folders that are created if necessary. Returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is created");
        std::fs::write(path, text).expect("the file is written");
        self.file(name)
    }
}

/// Returns the path of the data folder of this run's cluster. A later run removes the folder.
pub fn cluster() -> PathBuf {
    PARENT.join(format!("{}cluster", prefix()))
}

/// Returns the start of the names of this run's folders. A later run removes those that a killed run leaves.
fn prefix() -> String {
    format!("passbook-tests-{}-", std::process::id())
}

fn has_space(folder: &Path) -> bool {
    let space = nix::sys::statvfs::statvfs(folder);
    let is_writable = Builder::new().tempdir_in(folder).is_ok();
    is_writable && space.is_ok_and(|space| space.blocks_available() * space.fragment_size() >= FREE_BYTES_MIN)
}

/// Removes the folders of earlier test runs whose process has ended.
fn sweep(parent: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in parent.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| {
            let (process, _) = name.strip_prefix("passbook-tests-")?.split_once('-')?;
            process.parse::<u32>().ok()
        });
        if process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
