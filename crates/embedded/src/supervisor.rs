//! A child that cannot outlive us: a small shell script starts it, waits on a pipe of which we hold the other
//! end, and interrupts it when that end closes. The system closes it even when we are killed, and no unsafe
//! code is needed. An interrupt is what PostgreSQL calls a fast shutdown, and makes `initdb` tidy up.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use crate::Error;
use crate::account::{Account, command_as};

const SHELL: &str = "/bin/sh";
const SCRIPT: &str = include_str!("supervisor.sh");
/// Between two looks at a child or a starting server.
pub(crate) const POLL_MILLISECONDS: u64 = 5;
/// How long dropping a supervisor blocks the thread at most.
const DROP_SECONDS_MAX: u64 = 5;

/// A supervised child process; dropping it interrupts the child and waits for its end.
#[derive(Debug)]
pub(crate) struct Supervisor {
    shell: Child,
}

impl Supervisor {
    /// Starts the program as the account. All that it writes goes to the log.
    pub(crate) fn start(
        program: &Path,
        arguments: &[OsString],
        log: File,
        account: Option<&Account>,
    ) -> Result<Supervisor, Error> {
        let words = log.try_clone().map_err(Error::io("share the log of", program))?;
        let mut command = command_as(account, Path::new(SHELL));
        command.args(["-c", SCRIPT, "supervisor"]).arg(program).args(arguments);
        command.stdin(Stdio::piped()).stdout(words).stderr(log);
        // Its own group: Ctrl-C at the terminal is for us alone, so that we can finish what is under way.
        let shell = command.process_group(0).spawn().map_err(Error::io("run", Path::new(SHELL)))?;
        Ok(Supervisor { shell })
    }

    /// How the child ended, if it has.
    pub(crate) fn status(&mut self) -> Result<Option<ExitStatus>, Error> {
        self.shell.try_wait().map_err(Error::io("wait for", Path::new(SHELL)))
    }

    /// Waits until the child ends.
    pub(crate) async fn ended(&mut self) -> Result<ExitStatus, Error> {
        loop {
            if let Some(status) = self.status()? {
                return Ok(status);
            }
            tokio::time::sleep(Duration::from_millis(POLL_MILLISECONDS)).await;
        }
    }

    /// Tells the child to stop, without waiting.
    pub(crate) fn interrupt(&mut self) {
        drop(self.shell.stdin.take());
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.interrupt();
        for _ in 0..DROP_SECONDS_MAX * 1000 / POLL_MILLISECONDS {
            // An error means that there is nothing left to wait for.
            if !matches!(self.shell.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        tracing::warn!("PostgreSQL was told to stop and is still busy doing so");
    }
}
