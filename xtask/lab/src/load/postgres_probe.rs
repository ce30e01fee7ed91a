//! Finds the moment at which PostgreSQL accepts connections, by the first messages of its protocol.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use super::setting::{DATABASE, READER};
use crate::bench::postgres::PORT;

/// Time between two attempts, in milliseconds.
const ATTEMPT_MILLISECONDS: u64 = 2;
/// Time limit until PostgreSQL accepts connections.
const ACCEPTING_TIME_MAX: Duration = Duration::from_secs(60);
/// Version 3.0 of the protocol ("Message Formats" in the PostgreSQL manual).
const PROTOCOL: u32 = 0x0003_0000;
/// The first byte of an authentication message, by which the server accepts the session.
const AUTHENTICATION: u8 = b'R';

/// Waits until a session can be opened over the Unix socket of `folder`, and returns this moment.
pub(super) fn until_accepting(folder: &Path) -> Result<Instant, String> {
    let started = Instant::now();
    loop {
        match is_accepting(folder) {
            Ok(true) => return Ok(Instant::now()),
            _ if started.elapsed() > ACCEPTING_TIME_MAX => {
                return Err(format!("PostgreSQL in {} accepts no connection", folder.display()));
            }
            _ => std::thread::sleep(Duration::from_millis(ATTEMPT_MILLISECONDS)),
        }
    }
}

fn is_accepting(folder: &Path) -> std::io::Result<bool> {
    let mut stream = UnixStream::connect(folder.join(format!(".s.PGSQL.{PORT}")))?;
    let parameters = format!("user\0{READER}\0database\0{DATABASE}\0\0");
    let length = u32::try_from(parameters.len() + 8).unwrap_or_default();
    let mut message = length.to_be_bytes().to_vec();
    message.extend(PROTOCOL.to_be_bytes());
    message.extend(parameters.bytes());
    stream.write_all(&message)?;
    let mut first = [0];
    stream.read_exact(&mut first)?;
    Ok(first[0] == AUTHENTICATION)
}
