//! Connections over real sockets. A test never waits for a time: it waits for the end of a stream or for a response.

mod draining;
mod frames;
mod half_close;
mod http2;
mod requests;
mod slow_clients;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use crate::{
    BadHead, ClientAddress, Drained, Handler, Limits, Options, RequestBody, Shed, Statistics, Stop, serve,
};

/// Size of the response to `/large`, in bytes: more than the buffers of both sockets hold.
const LARGE_BYTES: usize = 4 * 1024 * 1024;

/// Answers `/` with the client's address, `/large` with many bytes, and `/held` when the test releases it.
#[derive(Clone)]
struct TestHandler {
    held: Arc<Semaphore>,
    arrived: Arc<Semaphore>,
    stopping: Arc<AtomicBool>,
}

impl Handler for TestHandler {
    async fn handle(&self, request: Request<RequestBody>, client: ClientAddress) -> Response<Full<Bytes>> {
        let body = match request.uri().path() {
            "/large" => Bytes::from(vec![b'x'; LARGE_BYTES]),
            "/held" => {
                self.arrived.add_permits(1);
                self.held.acquire().await.expect("the semaphore is never closed").forget();
                Bytes::from("released")
            }
            "/ready" if self.stopping.load(Ordering::SeqCst) => Bytes::from("stopping"),
            _ => Bytes::from(format!("hello {}", client.as_ip())),
        };
        Response::new(Full::new(body))
    }

    fn stopping(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.arrived.add_permits(1);
    }

    fn shed(&self, _: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(Bytes::from(format!("{reason:?}"))));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response
    }

    fn bad_head(&self, _: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(Bytes::from(reason.message())));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response
    }
}

/// A server on a free port of the loopback address.
struct Server {
    address: SocketAddr,
    handler: TestHandler,
    drain: Option<oneshot::Sender<()>>,
    abort: Option<oneshot::Sender<()>>,
    served: JoinHandle<Drained>,
}

/// Limits that no test reaches unless it sets them.
fn generous() -> Limits {
    let long = Duration::from_secs(3600);
    Limits { head: long, idle: long, write: long, age: long, drain: long, ..Limits::default() }
}

/// A limit that a test waits for.
const SHORT: Duration = Duration::from_millis(100);

impl Server {
    async fn start(limits: Limits) -> Server {
        Server::start_with(Options { limits, ..Options::default() }).await
    }

    async fn start_with(options: Options) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let handler = TestHandler {
            held: Arc::new(Semaphore::new(0)),
            arrived: Arc::new(Semaphore::new(0)),
            stopping: Arc::default(),
        };
        let (drain, drained) = oneshot::channel();
        let (abort, aborted) = oneshot::channel();
        let stop = Stop { drain: received(drained), abort: received(aborted) };
        let served = tokio::spawn(serve(listener, handler.clone(), options, stop));
        Server { address, handler, drain: Some(drain), abort: Some(abort), served }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("the server listens")
    }

    /// Connects from another address of the loopback network.
    async fn connect_from(&self, address: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(format!("{address}:0").parse().expect("an address")).expect("a loopback address");
        socket.connect(self.address).await.expect("the server listens")
    }

    /// Waits until the handler knows that the server is stopping.
    async fn stopping_announced(&self) {
        self.held_request_arrived().await;
    }

    /// Waits until a request for `/held` is being handled.
    async fn held_request_arrived(&self) {
        self.handler.arrived.acquire().await.expect("the semaphore is never closed").forget();
    }

    fn release(&self) {
        self.handler.held.add_permits(1);
    }

    fn drain(&mut self) {
        self.drain.take().expect("the first signal").send(()).expect("the server runs");
    }

    fn abort(&mut self) {
        self.abort.take().expect("the first signal").send(()).expect("the server runs");
    }
}

/// Waits for the signal. A dropped sender sends no signal.
async fn received(signal: oneshot::Receiver<()>) {
    if signal.await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn send(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).await.expect("the server reads");
}

/// Sends a GET request and reads its whole response. The connection stays open.
async fn get(stream: &mut TcpStream, path: &str) -> String {
    send(stream, &format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n")).await;
    response(stream).await
}

/// Reads one response with a `Content-Length`.
async fn response(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let mut byte = [0];
        if stream.read(&mut byte).await.expect("the server answers") == 0 {
            break;
        }
        text.push(byte[0]);
        if let Some(head) = text.strip_suffix(b"\r\n\r\n") {
            let head = String::from_utf8_lossy(head).to_lowercase();
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
            let mut body = vec![0; length.parse().expect("a number")];
            stream.read_exact(&mut body).await.expect("the whole body arrives");
            text.extend(body);
            break;
        }
    }
    String::from_utf8(text).expect("the response is text")
}

/// Waits until the server closes the connection. Returns the bytes that it has sent before.
async fn end(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    // A reset is an end too: the server closes a connection whose bytes it has not read.
    let _ = stream.read_to_end(&mut received).await;
    received
}
