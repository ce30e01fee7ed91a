//! A stand-in for a connection pooler in transaction mode without support for prepared statements. Consecutive
//! transactions of a client run on different connections to PostgreSQL, so session state is lost between them.

use std::path::PathBuf;

use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixStream;
use tokio_postgres::Config;

use crate::proxy::{listen, message, socket, through};
use crate::temporary::Folder;

/// Number of connections to PostgreSQL for each client. They are used in rotation.
const UPSTREAM_CONNECTIONS: usize = 2;
/// The code of a `CancelRequest`, sent in place of a protocol version (PostgreSQL documentation, "Message Formats").
const CANCEL: [u8; 4] = 80_877_102_u32.to_be_bytes();

/// A pooler that listens on its own socket until it is dropped.
#[derive(Debug)]
pub struct Pooler {
    folder: Folder,
    upstream: Config,
    accepting: tokio::task::JoinHandle<()>,
}

impl Pooler {
    /// Starts a pooler in front of the database of the connection settings `upstream`.
    pub fn start(upstream: Config) -> Pooler {
        let folder = Folder::create();
        let (path, listener) = (socket(&upstream).0, listen(folder.path(), &upstream));
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                // Errors are ignored: an error of one client ends that client's connection only.
                tokio::spawn(pool(client, path.clone()));
            }
        });
        Pooler { folder, upstream, accepting }
    }

    /// Returns connection settings that lead through the pooler, with the role and database of `upstream`.
    pub fn configuration(&self) -> Config {
        through(self.folder.path(), &self.upstream)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves one client until it disconnects.
async fn pool(mut client: UnixStream, path: PathBuf) -> std::io::Result<()> {
    let start = message(&mut client, false).await?;
    if start[4..8] == CANCEL {
        return UnixStream::connect(&path).await?.write_all(&start).await;
    }
    let mut servers = Vec::new();
    for number in 0..UPSTREAM_CONNECTIONS {
        let mut server = UnixStream::connect(&path).await?;
        server.write_all(&start).await?;
        // The client may receive the start-up messages of one connection only.
        forward_response(&mut server, (number == 0).then_some(&mut client)).await?;
        servers.push(server);
    }
    let mut next = 0;
    loop {
        let mut request = Vec::new();
        // A request is a simple query, or all messages up to `Sync` or `Terminate`.
        while !matches!(request.last(), Some((b'Q' | b'S' | b'X', _))) {
            let message = message(&mut client, true).await?;
            request.push((message[0], message));
        }
        let server = &mut servers[next];
        for (_, message) in &request {
            server.write_all(message).await?;
        }
        if matches!(request.last(), Some((b'X', _))) {
            return Ok(());
        }
        if forward_response(server, Some(&mut client)).await? == b'I' {
            next = (next + 1) % UPSTREAM_CONNECTIONS;
        }
    }
}

/// Forwards messages until the server is ready for the next query. Returns the transaction status; `I` is outside of
/// a transaction.
async fn forward_response(
    server: &mut UnixStream,
    mut client: Option<&mut UnixStream>,
) -> std::io::Result<u8> {
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
