//! A stand-in between the store and PostgreSQL that takes the predicates out of the questions on their way.
//!
//! What it changes is the text of `Parse` messages (PostgreSQL documentation, "Message Formats"): every
//! `user_id = $1` becomes `$1::uuid is not null`, which is true of every row. Everything else passes as it came. So
//! the store under test is the one that is shipped, and no build of it can leave its predicates out. What PostgreSQL
//! answers is passed on as it is and kept, so that a test can see which rows left the database.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The type byte of a `Parse` message.
const PARSE: u8 = b'P';
/// Bytes of the length that every message carries; it counts itself.
const LENGTH_BYTES: u32 = 4;
/// Bytes of an answer that are passed on at a time.
const ANSWER_BYTES: usize = 16 * 1024;

/// Texts as they came that were passed on without their predicates.
type Rewritten = Arc<Mutex<BTreeSet<String>>>;
/// What PostgreSQL answered on each connection.
type Heard = Arc<Mutex<Vec<Vec<u8>>>>;

/// Which questions lose their predicates on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loosened {
    /// None: the proxy only listens.
    Nothing,
    /// The one with this text.
    Only(&'static str),
    /// All.
    Everything,
}

/// A proxy on a socket of its own, until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    folder: tempfile::TempDir,
    behind: Config,
    rewritten: Rewritten,
    heard: Heard,
    accepting: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// A proxy before the database that `behind` leads to.
    pub fn start(behind: Config, loosened: Loosened) -> Proxy {
        let folder = tempfile::tempdir().expect("a private folder");
        let (socket, port) = socket(&behind);
        let listener =
            UnixListener::bind(folder.path().join(socket_name(port))).expect("a socket of its own");
        let (rewritten, heard) = (Rewritten::default(), Heard::default());
        let (record, ears) = (rewritten.clone(), heard.clone());
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = UnixStream::connect(&socket).await else { continue };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(pass_answers(from_server, to_client, ears.clone()));
                tokio::spawn(pass_questions(from_client, to_server, loosened, record.clone()));
            }
        });
        Proxy { folder, behind, rewritten, heard, accepting }
    }

    /// Forgets what PostgreSQL has answered.
    pub fn forget(&self) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(Vec::clear);
    }

    /// Whether these bytes were in an answer of PostgreSQL since the proxy last forgot.
    pub fn heard(&self, wanted: &[u8]) -> bool {
        // As text, a letter for a byte: the standard library searches texts well.
        let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
        let wanted = text(wanted);
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter().any(|bytes| text(bytes).contains(&wanted))
    }

    /// How to connect through it, as whom `behind` says.
    pub fn configuration(&self) -> Config {
        let mut config = Config::new();
        config.host_path(self.folder.path()).port(socket(&self.behind).1);
        config.user(self.behind.get_user().expect("a role is named"));
        config.dbname(self.behind.get_dbname().expect("a database is named"));
        config
    }

    /// Whether a text was passed on without its predicates.
    pub fn rewrote(&self, text: &str) -> bool {
        self.rewritten.lock().unwrap_or_else(PoisonError::into_inner).contains(text)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Where PostgreSQL listens: its socket, and the number in the socket's name.
pub(crate) fn socket(config: &Config) -> (PathBuf, u16) {
    let port = *config.get_ports().first().expect("a port is given");
    match config.get_hosts() {
        [Host::Unix(folder)] => (folder.join(socket_name(port)), port),
        hosts => panic!("tests connect through one socket, not {hosts:?}"),
    }
}

pub(crate) fn socket_name(port: u16) -> String {
    format!(".s.PGSQL.{port}")
}

/// Both ends come to an end by being closed, so how does not matter.
async fn pass_answers(mut server: OwnedReadHalf, mut client: OwnedWriteHalf, heard: Heard) {
    let connection = {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(Vec::new());
        heard.len() - 1
    };
    let mut bytes = vec![0; ANSWER_BYTES];
    while let Ok(length @ 1..) = server.read(&mut bytes).await {
        heard.lock().unwrap_or_else(PoisonError::into_inner)[connection].extend_from_slice(&bytes[..length]);
        if client.write_all(&bytes[..length]).await.is_err() {
            break;
        }
    }
    let _ = client.shutdown().await;
}

async fn pass_questions(
    mut client: OwnedReadHalf,
    mut server: OwnedWriteHalf,
    loosened: Loosened,
    rewritten: Rewritten,
) {
    // The first message, a start-up or a cancellation, has no type.
    let mut typed = false;
    while let Ok((kind, body)) = message(&mut client, typed).await {
        let body = if kind == Some(PARSE) { parse(body, loosened, &rewritten) } else { body };
        let length = u32::try_from(body.len()).expect("a message is small") + LENGTH_BYTES;
        let whole = [kind.as_slice(), &length.to_be_bytes(), &body].concat();
        if server.write_all(&whole).await.is_err() {
            break;
        }
        typed = true;
    }
    let _ = server.shutdown().await;
}

async fn message(client: &mut OwnedReadHalf, typed: bool) -> io::Result<(Option<u8>, Vec<u8>)> {
    let kind = if typed { Some(client.read_u8().await?) } else { None };
    let length = client.read_u32().await?.saturating_sub(LENGTH_BYTES);
    let mut body = vec![0; usize::try_from(length).expect("a length of 32 bits")];
    client.read_exact(&mut body).await?;
    Ok((kind, body))
}

/// The body of a `Parse` message: name, text, each ended by a zero, then the types of parameters.
fn parse(body: Vec<u8>, loosened: Loosened, rewritten: &Rewritten) -> Vec<u8> {
    let mut parts = body.splitn(3, |byte| *byte == 0);
    let (name, text, types) = (parts.next(), parts.next(), parts.next());
    let (Some(name), Some(text), Some(types)) = (name, text, types) else { return body };
    let text = std::str::from_utf8(text).expect("a statement is text");
    let chosen = match loosened {
        Loosened::Nothing => false,
        Loosened::Only(only) => only == text,
        Loosened::Everything => true,
    };
    if !chosen {
        return body;
    }
    let Some(without) = without_predicates(text, "$1", "$1::uuid") else { return body };
    rewritten.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
    [name, &[0], without.as_bytes(), &[0], types].concat()
}

/// The text with every `user_id = USER`, of whatever table, replaced by `PARAMETER is not null`. None when it has
/// none.
pub fn without_predicates(text: &str, user: &str, parameter: &str) -> Option<String> {
    let mut loosened = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("user_id") {
        let (before, after) = (&rest[..at], &rest[at + "user_id".len()..]);
        let compared = after.trim_start().strip_prefix('=').map(str::trim_start);
        let tail = compared.and_then(|compared| compared.strip_prefix(user));
        match tail.filter(|tail| !tail.starts_with(is_word)) {
            Some(tail) => {
                loosened.push_str(before.trim_end_matches(|c| is_word(c) || c == '.'));
                loosened.push_str(&format!("{parameter} is not null"));
                rest = tail;
            }
            None => {
                loosened.push_str(&rest[..at + "user_id".len()]);
                rest = after;
            }
        }
    }
    loosened.push_str(rest);
    (loosened != text).then_some(loosened)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predicate_goes_and_nothing_else() {
        let without = |text| without_predicates(text, "$1", "$1::uuid");
        assert_eq!(
            without("where t.user_id = $1 and t.a = $2 or user_id=$1"),
            Some("where $1::uuid is not null and t.a = $2 or $1::uuid is not null".to_owned())
        );
        assert_eq!(without("where t.user_id = $10 and a.user_id = b.user_id and user_id in ($1)"), None);
        assert_eq!(
            without_predicates("where people.user_id = of_user;", "of_user", "of_user"),
            Some("where of_user is not null;".to_owned())
        );
    }
}
