//! The settings of a private server.

use std::ffi::OsString;
use std::path::PathBuf;

/// The settings of a private server. This crate reads nothing from the environment.
#[derive(Clone, Debug)]
pub struct Config {
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
