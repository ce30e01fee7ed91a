//! The setting of the experiments that start servers of their own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::database::Database;
use crate::server::Server;

/// Time for which a stopping server still accepts connections, in seconds.
const NOTICE_SECONDS: &str = "1";

/// The database, program, environment and token of the experiments.
pub(super) struct Setting<'a> {
    /// The root of the repository.
    pub(super) root: &'a Path,
    /// Folder of all files of the experiments.
    pub(super) work: &'a Path,
    pub(super) database: &'a Database,
    pub(super) program: PathBuf,
    /// The environment of a server.
    pub(super) environment: Vec<(&'static str, PathBuf)>,
    pub(super) token: &'a str,
}

impl Setting<'_> {
    /// Starts a server that still accepts connections for a while after the signal to stop.
    pub(super) fn start(&self) -> Result<Server, String> {
        let mut environment = self.environment.clone();
        environment.push(("PASSBOOK_STOP_NOTICE_SECONDS", NOTICE_SECONDS.into()));
        Server::start_with_log(&self.program, &[], &environment, Stdio::null())
    }

    /// Starts a server with metrics. `settings` are those that differ from the defaults, and from those of the other
    /// experiments. Its log is below `work`.
    pub(super) fn serve(&self, settings: &[(&'static str, &str)]) -> Result<Server, String> {
        let log = self.work.join("experiment.log");
        let log = std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut environment = self.environment.clone();
        environment.push(("PASSBOOK_METRICS_LISTEN", "127.0.0.1:0".into()));
        environment.push(("PASSBOOK_LOG", "warn".into()));
        environment.extend(settings.iter().map(|(name, value)| (*name, PathBuf::from(value))));
        Server::start_with_defaults(&self.program, &environment, log.into())
    }
}
