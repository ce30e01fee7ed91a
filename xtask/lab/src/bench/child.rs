//! Starts a reference program that serves HTTP on a free loopback port, and stops it.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit of the start of a program, in seconds.
const READY_SECONDS_MAX: u64 = 120;
const POLL_MILLISECONDS: u64 = 50;

/// A running program. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    /// The base address, such as `http://127.0.0.1:5000`.
    pub(super) base: String,
}

impl Program {
    /// Starts a program, and waits until it accepts connections on the port that `arguments` receives.
    pub(super) fn start(
        command: &mut Command,
        arguments: impl Fn(&str) -> Vec<String>,
    ) -> Result<Program, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let port = free_port()?;
        let address = format!("127.0.0.1:{port}");
        command.args(arguments(&port)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let mut program = Program { child, base: format!("http://{address}") };
        let deadline = Instant::now() + Duration::from_secs(READY_SECONDS_MAX);
        while TcpStream::connect(&address).is_err() {
            if let Ok(Some(status)) = program.child.try_wait() {
                return Err(format!("{name} ended with {status}"));
            }
            if Instant::now() > deadline {
                return Err(format!("{name} does not listen after {READY_SECONDS_MAX} seconds"));
            }
            thread::sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        Ok(program)
    }

    /// Returns the process id.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a port that is free now.
fn free_port() -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("a free port: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("a free port: {error}"))?;
    Ok(address.port().to_string())
}
