//! A proxy between the store and PostgreSQL that removes user predicates from queries.
//!
//! The proxy rewrites the text of `Parse` messages (PostgreSQL documentation, "Message Formats"): every
//! `user_id = $1` becomes `$1::uuid is not null`, which is true for every row. All other messages pass unchanged. The
//! store under test is therefore the shipped one; no build of it can omit its predicates. Responses of PostgreSQL pass
//! unchanged and are recorded, so that a test can find out which rows left the database.

use crate::temporary::Folder;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The type byte of a `Parse` message.
const PARSE: u8 = b'P';
/// Number of bytes of a message's length field, which are included in the length.
const LENGTH_BYTES: u32 = 4;
/// Size of the buffer for PostgreSQL's responses, in bytes.
const BUFFER_BYTES: usize = 16 * 1024;

/// Texts of the queries that were forwarded without their user predicates. A text is stored as received.
type Rewritten = Arc<Mutex<BTreeSet<String>>>;
/// Bytes of PostgreSQL's responses, one list per connection.
type Responses = Arc<Mutex<Vec<Vec<u8>>>>;

/// The queries whose user predicates the proxy removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredicateRemoval {
    /// The predicates of no query: the proxy only records responses.
    None,
    /// The predicates of the query with this text.
    Query(&'static str),
    /// The predicates of every query.
    All,
}

/// A proxy that listens on its own socket until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    folder: Folder,
    upstream: Config,
    rewritten: Rewritten,
    responses: Responses,
    accepting: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy in front of the database of the connection settings `upstream`.
    pub fn start(upstream: Config, removal: PredicateRemoval) -> Proxy {
        let folder = Folder::create();
        let (socket, listener) = (socket(&upstream).0, listen(folder.path(), &upstream));
        let (rewritten, responses) = (Rewritten::default(), Responses::default());
        let (record, recorder) = (rewritten.clone(), responses.clone());
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = UnixStream::connect(&socket).await else { continue };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(forward_responses(from_server, to_client, recorder.clone()));
                tokio::spawn(forward_queries(from_client, to_server, removal, record.clone()));
            }
        });
        Proxy { folder, upstream, rewritten, responses, accepting }
    }

    /// Clears the recorded responses.
    pub fn clear_responses(&self) {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(Vec::clear);
    }

    /// Returns true if `wanted` occurs in the responses recorded since the last call of `clear_responses`.
    pub fn response_contains(&self, wanted: &[u8]) -> bool {
        // Compare as text with one character per byte: the standard library has a fast search for text only.
        let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
        let wanted = text(wanted);
        let responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        responses.iter().any(|bytes| text(bytes).contains(&wanted))
    }

    /// Returns the messages of PostgreSQL that end a step of a statement, recorded since the last call of
    /// `clear_responses`, in order: `ParseComplete`, `ReadyForQuery`, and the first word of each `CommandComplete`. All
    /// connections must have been idle at that call.
    pub fn completions(&self) -> Vec<String> {
        let responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        responses.iter().flat_map(|bytes| completions(bytes)).collect()
    }

    /// Returns connection settings that lead through the proxy, with the role and database of `upstream`.
    pub fn configuration(&self) -> Config {
        through(self.folder.path(), &self.upstream)
    }

    /// Returns true if the query `text` was forwarded without its predicates.
    pub fn was_rewritten(&self, text: &str) -> bool {
        self.rewritten.lock().unwrap_or_else(PoisonError::into_inner).contains(text)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Returns the path of the socket on which PostgreSQL listens, and the port number in the socket's name.
pub(crate) fn socket(config: &Config) -> (PathBuf, u16) {
    let port = *config.get_ports().first().expect("a port is given");
    match config.get_hosts() {
        [Host::Unix(folder)] => (folder.join(socket_name(port)), port),
        hosts => panic!("tests connect through one Unix socket; received {hosts:?}"),
    }
}

fn socket_name(port: u16) -> String {
    format!(".s.PGSQL.{port}")
}

/// Listens in a folder on a socket with the port of the connection settings `upstream`.
pub(crate) fn listen(folder: &Path, upstream: &Config) -> UnixListener {
    let (_, port) = socket(upstream);
    UnixListener::bind(folder.join(socket_name(port))).expect("the socket can be bound")
}

/// Returns connection settings with the role and the database of `upstream` that lead to the socket in a folder.
pub(crate) fn through(folder: &Path, upstream: &Config) -> Config {
    let mut config = Config::new();
    config.host_path(folder).port(socket(upstream).1);
    config.user(upstream.get_user().expect("a role is named"));
    config.dbname(upstream.get_dbname().expect("a database is named"));
    config
}

/// Reads one whole message. The first message of a client, a start-up or a cancellation, has no type byte; `typed` is false
/// for this message.
pub(crate) async fn message(from: &mut (impl AsyncRead + Unpin), typed: bool) -> io::Result<Vec<u8>> {
    let mut whole = vec![0; if typed { 5 } else { 4 }];
    from.read_exact(&mut whole).await?;
    let start = whole.len();
    let length = whole[start - 4..].try_into().expect("four bytes");
    let rest = u32::from_be_bytes(length).saturating_sub(LENGTH_BYTES);
    whole.resize(start + usize::try_from(rest).expect("a length of 32 bits"), 0);
    from.read_exact(&mut whole[start..]).await?;
    Ok(whole)
}

/// Reads whole messages: a type byte, a length that includes itself, and the body.
fn completions(mut bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    while let [kind, length @ ..] = bytes
        && let Some((length, _)) = length.split_first_chunk()
    {
        let end = 1 + usize::try_from(u32::from_be_bytes(*length)).expect("a message is small");
        let body = &bytes[5..end];
        match kind {
            b'1' => found.push("ParseComplete".to_owned()),
            b'Z' => found.push("ReadyForQuery".to_owned()),
            b'C' => {
                let tag = body.split(|byte| *byte == b' ' || *byte == 0).next().unwrap_or_default();
                found.push(String::from_utf8_lossy(tag).into_owned());
            }
            _ => {}
        }
        bytes = &bytes[end..];
    }
    found
}

/// Forwards and records responses until either side closes the connection. Errors end the connection and are ignored.
async fn forward_responses(mut server: OwnedReadHalf, mut client: OwnedWriteHalf, responses: Responses) {
    let connection = {
        let mut responses = responses.lock().unwrap_or_else(PoisonError::into_inner);
        responses.push(Vec::new());
        responses.len() - 1
    };
    let mut bytes = vec![0; BUFFER_BYTES];
    while let Ok(length @ 1..) = server.read(&mut bytes).await {
        responses.lock().unwrap_or_else(PoisonError::into_inner)[connection]
            .extend_from_slice(&bytes[..length]);
        if client.write_all(&bytes[..length]).await.is_err() {
            break;
        }
    }
    let _ = client.shutdown().await;
}

async fn forward_queries(
    mut client: OwnedReadHalf,
    mut server: OwnedWriteHalf,
    removal: PredicateRemoval,
    rewritten: Rewritten,
) {
    let mut typed = false;
    while let Ok(mut whole) = message(&mut client, typed).await {
        if typed && whole[0] == PARSE {
            let body = parse(whole.split_off(5), removal, &rewritten);
            let length = u32::try_from(body.len()).expect("a message is small") + LENGTH_BYTES;
            whole = [&[PARSE], &length.to_be_bytes()[..], &body].concat();
        }
        if server.write_all(&whole).await.is_err() {
            break;
        }
        typed = true;
    }
    let _ = server.shutdown().await;
}

/// Rewrites the body of a `Parse` message: name and text, each ended by a zero byte, then the parameter types.
fn parse(body: Vec<u8>, removal: PredicateRemoval, rewritten: &Rewritten) -> Vec<u8> {
    let mut parts = body.splitn(3, |byte| *byte == 0);
    let (name, text, types) = (parts.next(), parts.next(), parts.next());
    let (Some(name), Some(text), Some(types)) = (name, text, types) else { return body };
    let text = std::str::from_utf8(text).expect("a statement is text");
    let chosen = match removal {
        PredicateRemoval::None => false,
        PredicateRemoval::Query(only) => only == text,
        PredicateRemoval::All => true,
    };
    if !chosen {
        return body;
    }
    let Some(without) = without_predicates(text, "$1", "$1::uuid") else { return body };
    rewritten.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
    [name, &[0], without.as_bytes(), &[0], types].concat()
}

/// Replaces every `user_id = USER`, of any table, by `PARAMETER is not null`. Returns None if `text` has no such
/// predicate.
pub fn without_predicates(text: &str, user: &str, parameter: &str) -> Option<String> {
    let mut rewritten_text = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("user_id") {
        let (before, after) = (&rest[..at], &rest[at + "user_id".len()..]);
        let compared = after.trim_start().strip_prefix('=').map(str::trim_start);
        let tail = compared.and_then(|compared| compared.strip_prefix(user));
        match tail.filter(|tail| !tail.starts_with(is_word)) {
            Some(tail) => {
                rewritten_text.push_str(before.trim_end_matches(|c| is_word(c) || c == '.'));
                rewritten_text.push_str(&format!("{parameter} is not null"));
                rest = tail;
            }
            None => {
                rewritten_text.push_str(&rest[..at + "user_id".len()]);
                rest = after;
            }
        }
    }
    rewritten_text.push_str(rest);
    (rewritten_text != text).then_some(rewritten_text)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
