//! One process of an attack: `xtask load-attacker KIND FIRST-ADDRESS ADDRESSES TARGET NUMBER...`.
//!
//! It ends when its standard input ends or its work is done, and prints its figures.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use passbook_auth::personal_access_token::PlainToken;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::frames::{ENHANCE_YOUR_CALM, Flood};
use crate::command::print_line;

/// Time limit of a connection attempt, in seconds.
const CONNECT_SECONDS_MAX: u64 = 20;
/// Requests that a client which never reads sends on each connection.
const PIPELINED: usize = 60;
/// Receive buffer of a client which never reads, in bytes.
const RECEIVE_BYTES: u32 = 2048;
/// Unknown arguments of a tool call: as many as fit into a message of 256 KiB.
const ARGUMENTS: usize = 30_000;
/// Pause of a client whose connection was closed, in milliseconds.
const RECONNECT_MILLISECONDS: u64 = 20;

/// The target and the counts of all clients of the process.
struct Shared {
    target: SocketAddr,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    attempted: AtomicU64,
    connected: AtomicU64,
    closed: AtomicU64,
    responses: AtomicU64,
    unauthorized: AtomicU64,
    limited: AtomicU64,
    other: AtomicU64,
    bytes_max: AtomicU64,
    /// Connections that ended with a GOAWAY frame with the code `ENHANCE_YOUR_CALM`.
    goaway: AtomicU64,
}

/// Runs one process of an attack.
///
/// # Errors
/// A word that cannot be read, or a process without sockets.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let [kind, first, addresses, target, number, rest @ ..] = words else {
        return Err("load-attacker KIND FIRST-ADDRESS ADDRESSES TARGET NUMBER [TOKEN]".to_owned());
    };
    let first: Ipv4Addr = first.parse().map_err(|_| format!("{first} is no address"))?;
    let number: u32 = number.parse().map_err(|_| format!("{number} is no number"))?;
    let addresses: u32 = addresses.parse().map_err(|_| format!("{addresses} is no number"))?;
    let target = target.parse().map_err(|_| format!("{target} is no address"))?;
    let from: Vec<Ipv4Addr> =
        (0..addresses).map(|offset| Ipv4Addr::from(u32::from(first) + offset)).collect();
    let token = rest.first().cloned().unwrap_or_default();
    let shared = Arc::new(Shared { target, counts: Counts::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let work = async {
            match kind.as_str() {
                "idle" => idle(&shared, &from, number).await,
                "unread" => unread(&shared, &from, number).await,
                "calls" => calls(&shared, &from, number, &token).await,
                "tokens" => tokens(&shared, &from, number).await,
                "requests" => requests(&shared, &from, number, &token).await,
                "incomplete" => incomplete(&shared, &from, number, &token).await,
                name => {
                    if let Some((_, flood)) = Flood::ALL.iter().find(|(known, _)| *known == name) {
                        frames(&shared, &from, number, *flood).await;
                    }
                }
            }
        };
        tokio::select! {
            () = work => {}
            () = end_of_input() => {}
        }
    });
    shared.counts.print();
    // Blocking reads of standard input would hold up the end.
    runtime.shutdown_background();
    Ok(())
}

async fn end_of_input() {
    let mut byte = [0];
    while tokio::io::stdin().read(&mut byte).await.is_ok_and(|count| count > 0) {}
}

impl Counts {
    fn print(&self) {
        for (name, count) in [
            ("attempted", &self.attempted),
            ("connected", &self.connected),
            ("closed", &self.closed),
            ("responses", &self.responses),
            ("unauthorized", &self.unauthorized),
            ("limited", &self.limited),
            ("other", &self.other),
            ("bytes_max", &self.bytes_max),
            ("goaway", &self.goaway),
        ] {
            print_line(&format!("{name} {}", count.load(Ordering::Relaxed)));
        }
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Shared {
    async fn connect(&self, from: Ipv4Addr, receive_bytes: Option<u32>) -> Option<TcpStream> {
        count(&self.counts.attempted);
        let socket = TcpSocket::new_v4().ok()?;
        if let Some(bytes) = receive_bytes {
            socket.set_recv_buffer_size(bytes).ok()?;
        }
        socket.bind((from, 0).into()).ok()?;
        let limit = Duration::from_secs(CONNECT_SECONDS_MAX);
        let stream = tokio::time::timeout(limit, socket.connect(self.target)).await.ok()?.ok()?;
        count(&self.counts.connected);
        Some(stream)
    }
}

/// Opens `number` connections per address within `SPREAD`, and sends nothing.
async fn idle(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32) {
    const SPREAD: Duration = Duration::from_secs(20);
    let pause = SPREAD / (number * u32::try_from(from.len()).unwrap_or(1)).max(1);
    let started = Instant::now();
    let mut clients = JoinSet::new();
    for attempt in 0..number {
        for (index, address) in (0_u32..).zip(from) {
            let due = started + pause * (attempt * u32::try_from(from.len()).unwrap_or(1) + index);
            tokio::time::sleep_until(due.into()).await;
            let (shared, address) = (shared.clone(), *address);
            clients.spawn(async move {
                if let Some(mut stream) = shared.connect(address, None).await {
                    let _ = stream.read(&mut [0; 64]).await;
                    count(&shared.counts.closed);
                }
            });
        }
    }
    // The parent decides when the attack is over.
    std::future::pending::<()>().await;
}

/// Opens `number` connections per address. Each sends many requests and reads no response. A closed one is replaced.
async fn unread(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32) {
    let mut clients = JoinSet::new();
    for address in from.iter().copied() {
        for _ in 0..number {
            let shared = shared.clone();
            clients.spawn(async move {
                let head = format!("GET /api/openapi.json HTTP/1.1\r\nhost: {}\r\n\r\n", shared.target);
                let requests = head.repeat(PIPELINED);
                loop {
                    if let Some(mut stream) = shared.connect(address, Some(RECEIVE_BYTES)).await {
                        let _ = stream.write_all(requests.as_bytes()).await;
                        // Readable without reading: an error or the end of the connection.
                        let _ = stream.ready(tokio::io::Interest::ERROR).await;
                        count(&shared.counts.closed);
                    }
                    tokio::time::sleep(Duration::from_millis(RECONNECT_MILLISECONDS)).await;
                }
            });
        }
    }
    std::future::pending::<()>().await;
}

/// Calls a tool with many unknown arguments, all the time, with `number` clients per address.
async fn calls(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32, token: &str) {
    let arguments: Vec<String> = (0..ARGUMENTS).map(|number| format!("\"{number:x}\":0")).collect();
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"search_transactions","arguments":{{{}}}}}}}"#,
        arguments.join(",")
    );
    let request = format!(
        "POST /api/mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        shared.target,
        body.len()
    );
    repeat(shared, from, number, Arc::new(move || request.clone().into_bytes()), u64::MAX).await;
}

/// Sends `number` requests, each with a new well-formed token, over 16 connections per address.
async fn tokens(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32) {
    const CLIENTS: u32 = 16;
    let target = shared.target;
    let request = move || {
        let token = PlainToken::generate("pbk_");
        let token = token.reveal();
        format!("GET /api/v1/me HTTP/1.1\r\nhost: {target}\r\nauthorization: Bearer {token}\r\n\r\n")
            .into_bytes()
    };
    repeat(shared, from, CLIENTS, Arc::new(request), number.into()).await;
}

/// Requests data with a token, all the time, with `number` clients per address.
async fn requests(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32, token: &str) {
    let request = format!(
        "GET /api/v1/me HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n",
        shared.target
    );
    repeat(shared, from, number, Arc::new(move || request.clone().into_bytes()), u64::MAX).await;
}

/// Keeps `number` connections per address, each with the head of a tool call and one byte of its body.
async fn incomplete(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32, token: &str) {
    let request = format!(
        "POST /api/mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: 100\r\n\r\n{{",
        shared.target
    );
    repeat(shared, from, number, Arc::new(move || request.clone().into_bytes()), u64::MAX).await;
}

/// Sends a flood of frames over `number` connections per address, and again when a connection has ended.
async fn frames(shared: &Arc<Shared>, from: &[Ipv4Addr], number: u32, flood: Flood) {
    let mut clients = JoinSet::new();
    for address in from.iter().copied() {
        for _ in 0..number {
            let shared = shared.clone();
            clients.spawn(async move {
                loop {
                    if let Some(mut stream) = shared.connect(address, None).await {
                        if flood.send(&mut stream).await == Some(ENHANCE_YOUR_CALM) {
                            count(&shared.counts.goaway);
                        }
                        count(&shared.counts.closed);
                    }
                    tokio::time::sleep(Duration::from_millis(RECONNECT_MILLISECONDS)).await;
                }
            });
        }
    }
    std::future::pending::<()>().await;
}

/// Sends requests one after the other over `clients` connections per address, until `limit` responses have arrived.
async fn repeat(
    shared: &Arc<Shared>,
    from: &[Ipv4Addr],
    clients: u32,
    request: Arc<impl Fn() -> Vec<u8> + Send + Sync + 'static>,
    limit: u64,
) {
    let mut running = JoinSet::new();
    for address in from.iter().copied() {
        for _ in 0..clients {
            let (shared, request) = (shared.clone(), request.clone());
            running.spawn(async move {
                while shared.counts.responses.load(Ordering::Relaxed) < limit {
                    if let Some(mut stream) = shared.connect(address, None).await {
                        while shared.counts.responses.load(Ordering::Relaxed) < limit {
                            if stream.write_all(&request()).await.is_err() {
                                break;
                            }
                            let Some((status, bytes)) = response(&mut stream).await else { break };
                            shared.counts.record(status, bytes);
                        }
                        count(&shared.counts.closed);
                    }
                    tokio::time::sleep(Duration::from_millis(RECONNECT_MILLISECONDS)).await;
                }
            });
        }
    }
    while running.join_next().await.is_some() {}
}

impl Counts {
    fn record(&self, status: u16, bytes: usize) {
        count(&self.responses);
        count(match status {
            401 => &self.unauthorized,
            429 => &self.limited,
            _ => &self.other,
        });
        self.bytes_max.fetch_max(bytes as u64, Ordering::Relaxed);
    }
}

/// Reads one response with a `Content-Length`. Returns its status and length.
async fn response(stream: &mut TcpStream) -> Option<(u16, usize)> {
    let mut received = Vec::with_capacity(1024);
    let mut whole = None;
    loop {
        if whole.is_none()
            && let Some(head) = received.windows(4).position(|window| window == b"\r\n\r\n")
        {
            let head = String::from_utf8_lossy(&received[..head]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
            let status = head.split(' ').nth(1)?.parse().ok()?;
            whole = Some((status, head.len() + 4 + length.trim().parse::<usize>().ok()?));
        }
        if let Some((status, length)) = whole
            && received.len() >= length
        {
            return Some((status, length));
        }
        if stream.read_buf(&mut received).await.ok()? == 0 {
            return None;
        }
    }
}
