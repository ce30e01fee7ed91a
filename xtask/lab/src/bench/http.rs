//! An HTTP/1.1 client that costs little processor time: connections that stay open, one request at a time, responses read
//! into one buffer and not copied.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::ops::Range;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Time limit of a response, in seconds.
const RESPONSE_SECONDS_MAX: u64 = 60;
const BUFFER_BYTES: usize = 256 * 1024;

/// A request, ready to be sent.
#[derive(Clone, Debug)]
pub(super) struct Request {
    address: String,
    bytes: Vec<u8>,
}

impl Request {
    /// Creates a GET request for a path below the base address, such as `http://127.0.0.1:8080/api`.
    pub(super) fn get(base: &str, path: &str, token: &str) -> Result<Request, String> {
        let authorization = format!("Authorization: Bearer {token}\r\n");
        Request::new(base, "GET", path, if token.is_empty() { "" } else { &authorization }, "")
    }

    /// Creates a POST request with a JSON body.
    pub(super) fn post(base: &str, path: &str, token: &str, body: &str) -> Result<Request, String> {
        let authorization =
            if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let headers = format!(
            "{authorization}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        Request::new(base, "POST", path, &headers, body)
    }

    fn new(base: &str, method: &str, path: &str, headers: &str, body: &str) -> Result<Request, String> {
        let rest = base.strip_prefix("http://").ok_or_else(|| format!("{base}: expected http://"))?;
        let (address, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = if prefix.is_empty() { String::new() } else { format!("/{prefix}") };
        let text = format!("{method} {prefix}{path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n{body}");
        Ok(Request { address: address.to_owned(), bytes: text.into_bytes() })
    }

    fn failed(&self, error: &std::io::Error) -> String {
        format!("{}: {error}", self.address)
    }
}

/// An open connection whose thread waits for each response.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    received: Received,
}

impl Connection {
    /// Connects to the server of a request.
    pub(super) fn open(request: &Request) -> Result<Connection, String> {
        let failed = |error| request.failed(&error);
        let stream = TcpStream::connect(&request.address).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_secs(RESPONSE_SECONDS_MAX))).map_err(failed)?;
        Ok(Connection { stream, received: Received::default() })
    }

    /// Frees the buffer of a connection that stays idle.
    pub(super) fn release_buffer(&mut self) {
        self.received = Received::default();
    }

    /// Sends a request and returns the body of its response. Any status but 200 is an error.
    pub(super) fn exchange(&mut self, request: &Request) -> Result<&[u8], String> {
        let failed = |error| request.failed(&error);
        self.stream.write_all(&request.bytes).map_err(failed)?;
        self.received.clear();
        while !self.received.is_complete() {
            let read = self.stream.read(self.received.space()).map_err(failed)?;
            self.received.add(read, request)?;
        }
        self.received.body(request)
    }
}

/// An open connection that shares its thread with others.
#[derive(Debug)]
pub(super) struct SharedConnection {
    stream: tokio::net::TcpStream,
    received: Received,
}

impl SharedConnection {
    /// Connects to the server of a request.
    pub(super) async fn open(request: &Request) -> Result<SharedConnection, String> {
        let failed = |error| request.failed(&error);
        let stream = tokio::net::TcpStream::connect(&request.address).await.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        Ok(SharedConnection { stream, received: Received::default() })
    }

    /// Sends a request and returns the body of its response. Any status but 200 is an error.
    pub(super) async fn exchange(&mut self, request: &Request) -> Result<&[u8], String> {
        let failed = |error| request.failed(&error);
        self.stream.write_all(&request.bytes).await.map_err(failed)?;
        self.received.clear();
        while !self.received.is_complete() {
            let read = self.stream.read(self.received.space()).await.map_err(failed)?;
            self.received.add(read, request)?;
        }
        self.received.body(request)
    }
}

/// The bytes of a response that have arrived.
#[derive(Debug, Default)]
struct Received {
    buffer: Vec<u8>,
    filled: usize,
    /// The place of the body; `None` while the head is incomplete.
    body: Option<Range<usize>>,
}

impl Received {
    fn clear(&mut self) {
        self.filled = 0;
        self.body = None;
    }

    /// Returns the free part of the buffer, which is never empty.
    fn space(&mut self) -> &mut [u8] {
        if self.filled == self.buffer.len() {
            self.buffer.resize((2 * self.filled).max(BUFFER_BYTES), 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// Adds the bytes that were read into the free part. No byte means that the server closed the connection.
    fn add(&mut self, read: usize, request: &Request) -> Result<(), String> {
        if read == 0 {
            return Err(format!("{}: the connection was closed", request.address));
        }
        self.filled += read;
        if self.body.is_none() {
            self.body = extent(&self.buffer[..self.filled])?;
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.body.as_ref().is_some_and(|body| self.filled >= body.end)
    }

    /// Returns the body of a complete response with status 200.
    fn body(&self, request: &Request) -> Result<&[u8], String> {
        let place = self.body.clone().unwrap_or_default();
        let body = &self.buffer[place.clone()];
        if self.buffer.starts_with(b"HTTP/1.1 200") {
            return Ok(body);
        }
        let head = String::from_utf8_lossy(&self.buffer[..place.start]);
        let status = head.lines().next().unwrap_or_default();
        let sent = String::from_utf8_lossy(&request.bytes);
        let path = sent.split(' ').nth(1).unwrap_or_default();
        Err(format!("{path}: {status}: {}", String::from_utf8_lossy(body)))
    }
}

/// Returns the place of the body, or `None` if the head is incomplete.
fn extent(received: &[u8]) -> Result<Option<Range<usize>>, String> {
    let Some(head) = received.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let text = std::str::from_utf8(&received[..head]).map_err(|error| format!("head: {error}"))?;
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let length = length.ok_or_else(|| format!("a response without Content-Length: {text}"))?;
    Ok(Some(head + 4..head + 4 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extent_of_the_body_follows_the_head() {
        assert_eq!(extent(b"HTTP/1.1 200 OK\r\nContent-Le"), Ok(None));
        assert_eq!(extent(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"), Ok(Some(38..40)));
        assert!(extent(b"HTTP/1.1 200 OK\r\n\r\nok").is_err());
    }

    #[test]
    fn path_is_below_the_base_address() {
        let request = Request::get("http://127.0.0.1:1/api", "/v1/me", "t").expect("a base address");
        assert!(request.bytes.starts_with(b"GET /api/v1/me HTTP/1.1\r\nHost: 127.0.0.1:1\r\n"));
        let root = Request::get("http://127.0.0.1:1", "/", "").expect("a base address");
        assert!(root.bytes.starts_with(b"GET / HTTP/1.1\r\n"));
        assert!(Request::get("https://a", "/", "").is_err());
    }
}
