//! One connection from its first byte to its end.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep};

use crate::body::{self, RequestBody, ResponseBody};
use crate::client_address::{ClientAddress, TrustedProxies};
use crate::clock::Clock;
use crate::deadlines::Expired;
use crate::goaway::SharedStream;
use crate::handler::{BadHead, Handler, Shed};
use crate::open_connections::OpenConnections;
use crate::statistics::{Statistics, SuppressedLog};
use crate::timed_stream::{Protocol, TimedStream};

/// Maximum size of a request's head that the HTTP library buffers, in bytes. It lies above the pipeline's limit, so that
/// a client gets an error body.
const HEAD_BYTES_BUFFERED: usize = 64 * 1024;
/// Maximum number of header fields that the HTTP library parses, likewise above the pipeline's limit.
const FIELDS_PARSED: usize = 100;
/// Maximum number of concurrent requests of an HTTP/2 connection.
const STREAMS_MAX: u32 = 100;
/// Maximum number of streams that a client has reset and that the server has not handled yet. More end the connection
/// (rapid reset, CVE-2023-44487).
const RESET_STREAMS_MAX: usize = 20;
/// Maximum number of streams that the server has reset because of the client's errors. More end the connection.
const ERROR_STREAMS_MAX: usize = 64;
/// Time between two pings on an HTTP/2 connection, and the time for the response to a ping.
const PING_SECONDS: u64 = 20;

/// The parts that all connections of a listener share.
#[derive(Debug)]
pub(crate) struct Shared<H> {
    pub(crate) handler: H,
    pub(crate) proxies: TrustedProxies,
    pub(crate) connections: OpenConnections,
    /// Permits of the requests that are handled.
    pub(crate) requests: Arc<Semaphore>,
    pub(crate) http: Http,
    pub(crate) statistics: Statistics,
    pub(crate) shed: Mutex<SuppressedLog>,
    /// True after the signal to stop, when the server still accepts connections.
    pub(crate) is_stopping: Arc<AtomicBool>,
}

impl<H: Handler> Shared<H> {
    fn shed(&self, request: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>> {
        let count = self.shed.lock().unwrap_or_else(PoisonError::into_inner).count(Instant::now());
        if let Some(count) = count {
            tracing::warn!(count, ?reason, "shed requests");
        }
        match reason {
            Shed::Requests => self.statistics.request_shed(),
            Shed::RequestsOfClient => self.statistics.client_request_shed(),
        }
        self.handler.shed(request, reason)
    }
}

/// The settings of the HTTP library.
#[derive(Debug)]
pub(crate) struct Http {
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

impl Http {
    pub(crate) fn new() -> Http {
        let mut http1 = http1::Builder::new();
        // The clock limits the time for a head, so the library's own timer stays off.
        http1.header_read_timeout(None).max_buf_size(HEAD_BYTES_BUFFERED).max_headers(FIELDS_PARSED);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .keep_alive_interval(Duration::from_secs(PING_SECONDS))
            .keep_alive_timeout(Duration::from_secs(PING_SECONDS))
            .max_concurrent_streams(STREAMS_MAX)
            .max_pending_accept_reset_streams(RESET_STREAMS_MAX)
            .max_local_error_reset_streams(ERROR_STREAMS_MAX)
            .max_header_list_size(u32::try_from(HEAD_BYTES_BUFFERED).unwrap_or(u32::MAX));
        Http { http1, http2 }
    }
}

/// Serves the requests of a connection until the connection ends or misses a deadline. At `age`, and when `stopping`
/// becomes true, the connection begins to end: it closes after the requests in progress.
pub(crate) async fn run<H: Handler>(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: IpAddr,
    clock: Clock,
    age: Instant,
    mut stopping: watch::Receiver<bool>,
    shared: Arc<Shared<H>>,
) -> Result<(), Expired> {
    let mut stream = TimedStream::new(stream, clock.clone());
    let stopping = pin!(stopping.wait_for(|stopping| *stopping));
    let mut ending =
        Ending { clock: &clock, alarm: Alarm::new(Some(age)), stopping, is_stopped: false, is_ending: false };
    let detection = Detection { stream: &mut stream };
    let Some(protocol) = ending.wait_for(detection).await? else { return Ok(()) };
    let stream = TokioIo::new(stream);
    match protocol {
        Protocol::Http1 => {
            // On the heap: the state of a request is several KiB, which an idle connection must not hold.
            let service =
                service_fn(|request| Box::pin(respond(shared.clone(), peer, clock.clone(), request)));
            let connection = pin!(shared.http.http1.serve_connection(stream, service));
            let end = http1::Connection::graceful_shutdown;
            ending.wait_for(Serving { connection, end, needs_request: true }).await
        }
        Protocol::Http2 => {
            clock.http2_begun();
            // The state is allocated when a request is begun: a client may send a hundred requests together, of which a
            // thread begins one.
            let service = service_fn(|request| {
                let (shared, clock) = (shared.clone(), clock.clone());
                async move { Box::pin(respond(shared, peer, clock, request)).await }
            });
            let stream = SharedStream::new(stream);
            // On the heap: its state is larger than that of HTTP/1.
            let mut connection = Box::pin(shared.http.http2.serve_connection(stream.clone(), service));
            let connection = connection.as_mut();
            let end = http2::Connection::graceful_shutdown;
            let ended = ending.wait_for(Serving { connection, end, needs_request: false }).await;
            if let Err(reason) = ended
                && !ending.is_ending
            {
                // Otherwise the library has sent GOAWAY before.
                stream.end(reason).await;
            }
            ended
        }
    }
}

/// A part of the life of a connection, which can end gracefully.
trait Part {
    type Output;

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Self::Output>;

    /// Asks the part to end after the requests in progress. Returns false if it cannot end yet: a first request may be
    /// on its way, and the client would not know that it was not handled.
    fn end_gracefully(&mut self, clock: &Clock) -> bool;
}

/// The wait for the first bytes, which decide on the protocol. `None` if the connection ends before.
struct Detection<'a, S> {
    stream: &'a mut TimedStream<S>,
}

impl<S: AsyncRead + Unpin> Part for Detection<'_, S> {
    type Output = Option<Protocol>;

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Protocol>> {
        self.stream.poll_protocol(context).map(Result::ok)
    }

    fn end_gracefully(&mut self, _: &Clock) -> bool {
        false
    }
}

/// The requests of a connection.
struct Serving<'a, C> {
    connection: Pin<&'a mut C>,
    end: fn(Pin<&mut C>),
    /// True if the library closes a connection that has not received its first request, instead of handling the request.
    needs_request: bool,
}

impl<C: Future> Part for Serving<'_, C> {
    type Output = ();

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        // The error of a broken connection is not logged: its requests have been logged by the pipeline.
        self.connection.as_mut().poll(context).map(drop)
    }

    fn end_gracefully(&mut self, clock: &Clock) -> bool {
        let can_end = !self.needs_request || clock.has_begun_request();
        if can_end {
            (self.end)(self.connection.as_mut());
        }
        can_end
    }
}

/// The reasons for which a connection ends before its client ends it.
struct Ending<'a, S> {
    clock: &'a Clock,
    alarm: Alarm,
    stopping: Pin<&'a mut S>,
    /// True after the signal to stop.
    is_stopped: bool,
    /// True after the signal to stop, or if the connection has reached its age.
    is_ending: bool,
}

impl<S: Future> Ending<'_, S> {
    /// Waits until a part of the connection ends or the connection misses a deadline.
    async fn wait_for<P: Part>(&mut self, mut part: P) -> Result<P::Output, Expired> {
        let mut has_begun_to_end = false;
        poll_fn(|context| {
            self.clock.register(context.waker());
            if !self.is_stopped && self.stopping.as_mut().poll(context).is_ready() {
                (self.is_stopped, self.is_ending) = (true, true);
                self.clock.drain();
            }
            loop {
                if let Poll::Ready(ended) = part.poll(context) {
                    return Poll::Ready(Ok(ended));
                }
                let is_ending = &mut self.is_ending;
                if let Poll::Ready(reason) = self.alarm.poll(context, self.clock, || *is_ending = true) {
                    return Poll::Ready(Err(reason));
                }
                if has_begun_to_end || !self.is_ending || !part.end_gracefully(self.clock) {
                    return Poll::Pending;
                }
                has_begun_to_end = true;
            }
        })
        .await
    }
}

/// Runs a part of a connection, such as the TLS handshake, until it ends or the connection misses a deadline.
pub(crate) async fn with_deadlines<T>(clock: &Clock, part: impl Future<Output = T>) -> Result<T, Expired> {
    let mut part = pin!(part);
    let mut alarm = Alarm::new(None);
    poll_fn(|context| {
        clock.register(context.waker());
        match part.as_mut().poll(context) {
            Poll::Ready(ended) => Poll::Ready(Ok(ended)),
            Poll::Pending => alarm.poll(context, clock, || ()).map(Err),
        }
    })
    .await
}

/// The timer of a connection: wakes it at the next deadline and at its age.
struct Alarm {
    sleep: Pin<Box<Sleep>>,
    /// `None` after the connection has begun to end.
    age: Option<Instant>,
}

impl Alarm {
    fn new(age: Option<Instant>) -> Alarm {
        let sleep = tokio::time::sleep_until(age.unwrap_or_else(Instant::now));
        Alarm { sleep: Box::pin(sleep), age }
    }

    /// Returns the missed deadline, if one was missed. The timer is set again only if the next deadline is earlier than
    /// the one that it is set to: deadlines mostly move to later times, and setting a timer costs a lock.
    fn poll(
        &mut self,
        context: &mut Context<'_>,
        clock: &Clock,
        mut end_gracefully: impl FnMut(),
    ) -> Poll<Expired> {
        loop {
            let now = Instant::now();
            let next = clock.next();
            if let Some((deadline, reason)) = next
                && deadline <= now
            {
                return Poll::Ready(reason);
            }
            if self.age.is_some_and(|age| age <= now) {
                self.age = None;
                end_gracefully();
            }
            let Some(wake) = next.map(|(deadline, _)| deadline).into_iter().chain(self.age).min() else {
                return Poll::Pending;
            };
            if wake < self.sleep.deadline() || self.sleep.is_elapsed() {
                self.sleep.as_mut().reset(wake);
            }
            if self.sleep.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

/// Handles one request, rejects it if its head is wrong, or sheds it if the server or the client behind a proxy has too many
/// in progress.
async fn respond<H: Handler>(
    shared: Arc<Shared<H>>,
    peer: IpAddr,
    clock: Clock,
    request: Request<Incoming>,
) -> Result<Response<ResponseBody>, Infallible> {
    let multiplexed = request.version() == Version::HTTP_2;
    let running = clock.request_begun(multiplexed);
    let _counted = shared.statistics.request_begun();
    let (request, rest) = body::split(request, &clock);
    let bad_head = BadHead::find(&request);
    let mut response = match bad_head {
        Some(reason) => shared.handler.bad_head(&request, reason),
        None => permitted_response(&shared, peer, request).await,
    };
    if let Some(rest) = rest
        // With another transfer coding, the end of the body is in doubt.
        && (bad_head == Some(BadHead::TransferEncoding) || clock.is_half_closed() || !rest.read().await)
    {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    // Otherwise a client would meet the end of the connection when it sends its next request.
    if !multiplexed && shared.is_stopping.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let bytes = response.body().size_hint().exact().unwrap_or(0);
    let writing = running.responded(bytes);
    Ok(response.map(|body| ResponseBody::new(body, multiplexed, writing)))
}

async fn permitted_response<H: Handler>(
    shared: &Shared<H>,
    peer: IpAddr,
    request: Request<RequestBody>,
) -> Response<Full<Bytes>> {
    let permit = shared.requests.try_acquire();
    if permit.is_err() && !shared.handler.is_exempt(&request) {
        return shared.shed(&request, Shed::Requests);
    }
    let forwarded = match shared.proxies.contains(peer) {
        true => shared.proxies.forwarded_client(request.headers()),
        false => None,
    };
    let Some(client) = forwarded else {
        return shared.handler.handle(request, ClientAddress::new(peer)).await;
    };
    let Some(_counted) = shared.connections.count(client) else {
        return shared.shed(&request, Shed::RequestsOfClient);
    };
    shared.handler.handle(request, client).await
}
