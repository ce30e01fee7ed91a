//! A stand-in for a pooler in transaction mode that knows nothing of prepared statements: each transaction of a client
//! goes to another connection to PostgreSQL than the one before it, so whatever a session keeps is lost in between.

use std::path::PathBuf;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio_postgres::Config;

use crate::proxy::{socket, socket_name};

/// Connections to PostgreSQL for each client, taken in turn.
const BEHIND_EACH: usize = 2;
/// Bytes of the length that every message carries; it counts itself.
const LENGTH_BYTES: u32 = 4;
/// The first message that asks to cancel instead of to begin (PostgreSQL documentation, "`CancelRequest`").
const CANCEL: [u8; 4] = 80_877_102_u32.to_be_bytes();

/// A pooler on a socket of its own, until it is dropped.
#[derive(Debug)]
pub struct Pooler {
    folder: tempfile::TempDir,
    behind: Config,
    accepting: tokio::task::JoinHandle<()>,
}

impl Pooler {
    /// A pooler before the database that `behind` leads to.
    pub fn start(behind: Config) -> Pooler {
        let folder = tempfile::tempdir().expect("a private folder");
        let (path, port) = socket(&behind);
        let listener =
            UnixListener::bind(folder.path().join(socket_name(port))).expect("a socket of its own");
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                // A client that goes away ends its own connection, however it does so.
                tokio::spawn(pool(client, path.clone()));
            }
        });
        Pooler { folder, behind, accepting }
    }

    /// How to connect through it, as whom `behind` says.
    pub fn configuration(&self) -> Config {
        let mut config = Config::new();
        config.host_path(self.folder.path()).port(socket(&self.behind).1);
        config.user(self.behind.get_user().expect("a role is named"));
        config.dbname(self.behind.get_dbname().expect("a database is named"));
        config
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves one client until it leaves.
async fn pool(mut client: UnixStream, path: PathBuf) -> std::io::Result<()> {
    let start = message(&mut client, false).await?;
    if start[4..8] == CANCEL {
        return UnixStream::connect(&path).await?.write_all(&start).await;
    }
    let mut behind = Vec::new();
    for number in 0..BEHIND_EACH {
        let mut server = UnixStream::connect(&path).await?;
        server.write_all(&start).await?;
        // Only one may greet.
        answer(&mut server, (number == 0).then_some(&mut client)).await?;
        behind.push(server);
    }
    let mut turn = 0;
    loop {
        let mut request = Vec::new();
        // A simple query, or everything up to the message that asks for an answer.
        while !matches!(request.last(), Some((b'Q' | b'S' | b'X', _))) {
            let message = message(&mut client, true).await?;
            request.push((message[0], message));
        }
        let server = &mut behind[turn];
        for (_, message) in &request {
            server.write_all(message).await?;
        }
        if matches!(request.last(), Some((b'X', _))) {
            return Ok(());
        }
        if answer(server, Some(&mut client)).await? == b'I' {
            turn = (turn + 1) % BEHIND_EACH;
        }
    }
}

/// Passes messages on until the server is ready for the next query, and says in what state: `I` is outside of a
/// transaction.
async fn answer(server: &mut UnixStream, mut client: Option<&mut UnixStream>) -> std::io::Result<u8> {
    loop {
        let message = message(server, true).await?;
        if let Some(client) = &mut client {
            client.write_all(&message).await?;
        }
        if message[0] == b'Z' {
            return Ok(message[5]);
        }
    }
}

/// One whole message; the first of a client has no type.
async fn message(from: &mut UnixStream, typed: bool) -> std::io::Result<Vec<u8>> {
    let mut whole = vec![0; if typed { 5 } else { 4 }];
    from.read_exact(&mut whole).await?;
    let length = whole[whole.len() - 4..].try_into().expect("four bytes");
    let rest = u32::from_be_bytes(length).saturating_sub(LENGTH_BYTES);
    let start = whole.len();
    whole.resize(start + usize::try_from(rest).expect("a length of 32 bits"), 0);
    from.read_exact(&mut whole[start..]).await?;
    Ok(whole)
}
