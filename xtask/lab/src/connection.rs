//! An HTTP/1.1 connection that stays open for several requests. It never reconnects, so every response came over the
//! same connection.

use std::io::{BufRead as _, BufReader, Error, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use tokio::net::TcpSocket;

/// Time limit of a response, in seconds. It is longer than the server's own time limit of a request, so that the server's
/// timeout response arrives first.
const RESPONSE_SECONDS_MAX: u64 = 30;

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// True if the response has the header `Retry-After`.
    pub(crate) has_retry_after: bool,
}

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    path: String,
}

impl Connection {
    /// Connects to a base address, such as `http://127.0.0.1:8080/api`.
    pub(crate) fn open(base: &str) -> Result<Connection, String> {
        Connection::open_from(base, Ipv4Addr::LOCALHOST)
    }

    /// Connects to a base address from an address of the loopback network.
    pub(crate) fn open_from(base: &str, from: Ipv4Addr) -> Result<Connection, String> {
        let (host, path) = base
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once('/'))
            .ok_or_else(|| format!("the base address must be http://host:port/path; received {base}"))?;
        let failed = |error: Error| format!("{base}: {error}");
        let stream = connect(host, from).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_secs(RESPONSE_SECONDS_MAX))).map_err(failed)?;
        Ok(Connection { stream: BufReader::new(stream), host: host.to_owned(), path: format!("/{path}") })
    }

    /// Sends a GET request for a path below the base address.
    pub(crate) fn get(&mut self, path: &str, token: &str) -> Result<Response, String> {
        self.exchange(path, token).map_err(|error| format!("{path}: {error}"))
    }

    fn exchange(&mut self, path: &str, token: &str) -> Result<Response, Error> {
        let (host, base) = (&self.host, &self.path);
        let head =
            format!("GET {base}{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n");
        self.stream.get_mut().write_all(head.as_bytes())?;
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let (mut length, mut has_retry_after) = (None, false);
        loop {
            let line = self.line()?;
            match line.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok()
                }
                Some((name, _)) => has_retry_after |= name.eq_ignore_ascii_case("retry-after"),
                None => break,
            }
        }
        let (Some(status), Some(length)) = (status, length) else {
            return Err(Error::other(format!("a response without status or Content-Length: {first}")));
        };
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let body = String::from_utf8(body).map_err(Error::other)?;
        Ok(Response { status, body, has_retry_after })
    }

    /// Reads a line of the response, without its line break.
    fn line(&mut self) -> Result<String, Error> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

/// Connects a blocking socket from `from`. The standard library cannot choose the address of a client.
fn connect(host: &str, from: Ipv4Addr) -> Result<TcpStream, Error> {
    let address: SocketAddr = host.parse().map_err(Error::other)?;
    if from == Ipv4Addr::LOCALHOST {
        return TcpStream::connect(address);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        let stream = socket.connect(address).await?.into_std()?;
        stream.set_nonblocking(false)?;
        Ok(stream)
    })
}
