//! A small file system in memory, which can be full or read-only. Needs root.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::command::{create_folder, run_quietly};

/// Time for which processes that end may still use the file system.
const BUSY_TIME_MAX: Duration = Duration::from_secs(10);
/// Time between two attempts to unmount it, in milliseconds.
const POLL_MILLISECONDS: u64 = 50;
/// Size of a write that fills the file system, in bytes.
const BLOCK_BYTES: usize = 4096;

/// A mounted file system. Dropping the value unmounts it.
pub(super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts an empty file system of a size such as `16m`. Every account may pass through its folder.
    pub(super) fn mount(folder: PathBuf, size: &str) -> Result<Disk, String> {
        create_folder(&folder)?;
        let options = format!("size={size},mode=711");
        let path = folder.display().to_string();
        run_quietly("mount", &["-t", "tmpfs", "-o", &options, "passbook-faults", &path], &[])?;
        Ok(Disk { folder })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes options of the file system, such as `ro`.
    pub(super) fn change(&self, options: &str) -> Result<(), String> {
        let options = format!("remount,{options}");
        run_quietly("mount", &["-o", &options, &self.folder.display().to_string()], &[]).map(drop)
    }

    /// Writes a file until no space is left.
    pub(super) fn fill(&self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.filler().display());
        let mut file = std::fs::File::create(self.filler()).map_err(failed)?;
        loop {
            match file.write_all(&[0; BLOCK_BYTES]) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => return Ok(()),
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// Removes the file that fills the file system.
    pub(super) fn free(&self) -> Result<(), String> {
        std::fs::remove_file(self.filler()).map_err(|error| format!("{}: {error}", self.filler().display()))
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let started = Instant::now();
        let unmount = |options: &[&str]| {
            let status =
                Command::new("umount").args(options).arg(&self.folder).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        while !unmount(&[]) {
            if started.elapsed() > BUSY_TIME_MAX {
                // The system removes the file system when the last process that uses it has ended.
                unmount(&["--lazy"]);
                return;
            }
            sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
    }
}
