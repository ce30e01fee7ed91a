//! Runs a child process that cannot outlive this process, and decides the pauses between restarts of one that ends by itself.
//!
//! A shell script starts the child and reads from a pipe whose other end this process holds. When that end closes,
//! the script interrupts the child. The operating system closes the pipe even if this process is killed, and the
//! method needs no unsafe code. An interrupt makes PostgreSQL perform a fast shutdown, and makes `initdb` remove its
//! files.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use crate::account::{UnixAccount, command_as};
use crate::error::Error;

const SHELL: &str = "/bin/sh";
const SCRIPT: &str = include_str!("supervisor.sh");
/// Time between two checks of a child process or a starting server, in milliseconds.
pub(crate) const POLL_MILLISECONDS: u64 = 5;
/// Maximum time for which dropping a [`Supervisor`] blocks the thread, in seconds.
const DROP_SECONDS_MAX: u64 = 5;

/// A supervised child process. Dropping the value interrupts the child and waits for its end.
#[derive(Debug)]
pub(crate) struct Supervisor {
    shell: Child,
}

impl Supervisor {
    /// Starts a program as the account. Its output is written to the log.
    pub(crate) fn start(
        program: &Path,
        arguments: &[OsString],
        log: File,
        account: Option<&UnixAccount>,
    ) -> Result<Supervisor, Error> {
        let output = log.try_clone().map_err(Error::io("duplicate the log handle of", program))?;
        let mut command = command_as(account, Path::new(SHELL));
        command.args(["-c", SCRIPT, "supervisor"]).arg(program).args(arguments);
        command.stdin(Stdio::piped()).stdout(output).stderr(log);
        // In its own process group, so that Ctrl-C in the terminal interrupts only this process, which then shuts
        // down in order.
        let shell = command.process_group(0).spawn().map_err(Error::io("run", Path::new(SHELL)))?;
        Ok(Supervisor { shell })
    }

    /// Returns the exit status if the child has ended.
    pub(crate) fn status(&mut self) -> Result<Option<ExitStatus>, Error> {
        self.shell.try_wait().map_err(Error::io("wait for", Path::new(SHELL)))
    }

    /// Waits until the child ends, and returns its exit status.
    pub(crate) async fn ended(&mut self) -> Result<ExitStatus, Error> {
        loop {
            if let Some(status) = self.status()? {
                return Ok(status);
            }
            tokio::time::sleep(Duration::from_millis(POLL_MILLISECONDS)).await;
        }
    }

    /// Interrupts the child and returns without waiting.
    pub(crate) fn interrupt(&mut self) {
        drop(self.shell.stdin.take());
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.interrupt();
        for _ in 0..DROP_SECONDS_MAX * 1000 / POLL_MILLISECONDS {
            // After an error there is no child to wait for.
            if !matches!(self.shell.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        tracing::warn!("PostgreSQL is still stopping; it ends when it has written all data");
    }
}

/// Number of restarts in a row, each of a server that did not run for long.
const RESTARTS_MAX: u32 = 5;
/// Pause before the first restart, in milliseconds. Each further pause in a row is twice as long.
const PAUSE_MILLISECONDS: u64 = 100;
/// Time after which a server has run for long, in seconds. The next restart then counts as the first.
const LASTING_SECONDS: u64 = 60;

/// The restarts in a row.
#[derive(Debug, Default)]
pub(crate) struct Restarts(u32);

impl Restarts {
    /// Returns the pause before the next restart of a server that ran for `lasted`; `None` after too many in a row.
    pub(crate) fn next(&mut self, lasted: Duration) -> Option<Duration> {
        if lasted >= Duration::from_secs(LASTING_SECONDS) {
            self.0 = 0;
        }
        let pause = (self.0 < RESTARTS_MAX).then(|| Duration::from_millis(PAUSE_MILLISECONDS << self.0));
        self.0 += 1;
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_until_restarts_in_a_row_are_given_up() {
        let mut restarts = Restarts::default();
        let pauses: Vec<u128> =
            std::iter::from_fn(|| restarts.next(Duration::ZERO)).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600]);
        // A server that ran for long is restarted at once again.
        assert_eq!(restarts.next(Duration::from_secs(LASTING_SECONDS)), Some(Duration::from_millis(100)));
    }
}
