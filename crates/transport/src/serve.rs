//! Accepts connections until the signal to stop, then drains them.

use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use crate::client_address::{ClientAddress, TrustedProxies};
use crate::clock::Clock;
use crate::connection::{self, Http, Shared};
use crate::deadlines::Expired;
use crate::handler::Handler;
use crate::limits::Limits;
use crate::open_connections::{Counted, OpenConnections};
use crate::statistics::{Statistics, SuppressedLog};
use crate::tls::Certificate;

/// Wait before the next attempt to accept when the system has no free file descriptor, in milliseconds.
const ACCEPT_RETRY_MILLISECONDS: u64 = 50;
/// Wait for a permit after an idle connection begins to close, in milliseconds. A connection closes within less.
const EVICTION_MILLISECONDS: u64 = 10;
/// Number of bytes of a response that the system holds for a client before they are sent. Without this limit the system
/// takes several MB for a client that never reads.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 16 * 1024;
/// Maximum number of connections above the limit, so that a new one need not wait for the end of the one that gives way.
const CLOSING_MAX: usize = 32;
/// Number of connections of a client with which it may wait for a permit while no other connection gives way.
const WAITING_MAX: usize = 16;

/// The signals that end a server, in the order in which they come.
#[derive(Debug)]
pub struct Stop<First, Second> {
    /// Begins the end: [`Handler::stopping`] is called, and the server waits for [`Limits::notice`], in which each response
    /// over HTTP/1.1 closes its connection. Then it accepts no further connections and finishes the requests in progress.
    pub drain: First,
    /// Ends the server at once.
    pub abort: Second,
}

/// The settings of a server's connections.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The limits of connections and responses.
    pub limits: Limits,
    /// The proxies whose `X-Forwarded-For` header is trusted.
    pub proxies: TrustedProxies,
    /// The certificate for TLS; without it, connections are not encrypted.
    pub certificate: Option<Certificate>,
    /// The counts of connections and requests, which the server updates.
    pub statistics: Statistics,
}

/// The end of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Number of requests that were cut off while they were handled.
    pub requests_cut: usize,
}

/// Serves the connections of `listener` until `stop.drain` and [`Limits::notice`], then waits for requests in progress up
/// to [`Limits::drain`] or `stop.abort`.
pub async fn serve<H: Handler>(
    listener: TcpListener,
    handler: H,
    options: Options,
    stop: Stop<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> Drained {
    let Options { limits, proxies, certificate, statistics } = options;
    let connections = OpenConnections::new(limits.connections_per_address);
    let requests = Arc::new(Semaphore::new(limits.requests));
    let is_stopping = Arc::new(AtomicBool::new(false));
    let shared = Shared {
        handler: handler.clone(),
        proxies,
        connections,
        requests: requests.clone(),
        http: Http::new(),
        statistics,
        shed: Mutex::default(),
        is_stopping: is_stopping.clone(),
    };
    let permits = Arc::new(Semaphore::new(limits.connections));
    let closing = Arc::new(Semaphore::new(CLOSING_MAX));
    let (stopping, _) = watch::channel(false);
    let acceptor = Acceptor {
        listener,
        limits,
        permits: permits.clone(),
        closing: closing.clone(),
        stopping: stopping.clone(),
        tls: certificate.as_ref().map(Certificate::acceptor),
        shared: Arc::new(shared),
        refused: SuppressedLog::default(),
        full: SuppressedLog::default(),
        failed: SuppressedLog::default(),
    };
    let running = || limits.requests - requests.available_permits();
    let mut abort = pin!(stop.abort);
    // A task of its own runs on the threads of the connections. The caller's task may be that of the main thread, and each
    // new connection would then wake two threads.
    let mut accepting = JoinSet::new();
    accepting.spawn(acceptor.accept_all());
    let noticed = async {
        stop.drain.await;
        is_stopping.store(true, Ordering::Relaxed);
        handler.stopping();
        if !limits.notice.is_zero() {
            tracing::info!(
                seconds = limits.notice.as_secs(),
                "stopping: not ready, and still accepting connections"
            );
        }
        tokio::select! {
            () = tokio::time::sleep(limits.notice) => true,
            () = &mut abort => false,
        }
    };
    let in_order = tokio::select! {
        Some(Err(ended)) = accepting.join_next() => match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime ends.
            Err(_) => return Drained { requests_cut: running() },
        },
        in_order = noticed => in_order,
    };
    if !in_order {
        return cut_off(running());
    }
    // Before the listener closes: whoever sees it closed may let a request end.
    let requests_running = running();
    accepting.shutdown().await;
    stopping.send_replace(true);
    let seconds_max = limits.drain.as_secs();
    tracing::info!(requests = requests_running, seconds_max, "stopping: waiting for running requests");
    let all_ended = async {
        for (semaphore, permits) in [(&permits, limits.connections), (&closing, CLOSING_MAX)] {
            let _all = semaphore.acquire_many(u32::try_from(permits).unwrap_or(u32::MAX)).await;
        }
    };
    tokio::select! {
        () = all_ended => Drained { requests_cut: 0 },
        () = tokio::time::sleep(limits.drain) => {
            let requests_cut = running();
            tracing::warn!(requests = requests_cut, seconds_max, "the drain period has ended, and the running requests are cut off");
            Drained { requests_cut }
        }
        () = abort => cut_off(running()),
    }
}

/// The end of a server by [`Stop::abort`].
fn cut_off(requests_cut: usize) -> Drained {
    tracing::warn!(requests = requests_cut, "stopped at once by a second signal");
    Drained { requests_cut }
}

struct Acceptor<H> {
    listener: TcpListener,
    limits: Limits,
    /// Permits of open connections.
    permits: Arc<Semaphore>,
    /// Permits of connections that were opened before the one that gave way had ended.
    closing: Arc<Semaphore>,
    stopping: watch::Sender<bool>,
    tls: Option<TlsAcceptor>,
    shared: Arc<Shared<H>>,
    refused: SuppressedLog,
    full: SuppressedLog,
    failed: SuppressedLog,
}

impl<H: Handler> Acceptor<H> {
    /// Accepts connections until it is dropped, which closes the listener.
    async fn accept_all(mut self) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => self.admit(stream, peer).await,
                Err(error) => {
                    self.shared.statistics.accept_failed();
                    if let Some(count) = self.failed.count(Instant::now()) {
                        tracing::error!(count, %error, "cannot accept connections");
                    }
                    tokio::time::sleep(Duration::from_millis(ACCEPT_RETRY_MILLISECONDS)).await;
                }
            }
        }
    }

    /// Starts to serve the connection, or closes it if its client has too many.
    async fn admit(&mut self, stream: TcpStream, peer: SocketAddr) {
        let counted = match self.shared.proxies.contains(peer.ip()) {
            true => None,
            false => match self.shared.connections.count(ClientAddress::new(peer.ip())) {
                Some(counted) => Some(counted),
                None => return self.refuse(peer),
            },
        };
        let Some(permit) = self.permit(counted.as_ref().map(Counted::address)).await else {
            return self.refuse(peer);
        };
        configure(&stream);
        let clock = Clock::start(self.limits);
        let open = self.shared.connections.register(clock.clone(), counted);
        let in_statistics = self.shared.statistics.connection_accepted();
        let age = Instant::now() + jittered(self.limits.age, peer);
        let (tls, stopping, shared) = (self.tls.clone(), self.stopping.subscribe(), self.shared.clone());
        let statistics = shared.statistics.clone();
        tokio::spawn(async move {
            let ended = match tls {
                None => connection::run(stream, peer.ip(), clock, age, stopping, shared).await,
                // On the heap: the state of TLS would be part of each connection without TLS too.
                Some(tls) => Box::pin(run_tls(tls, stream, peer, clock, age, stopping, shared)).await,
            };
            if let Err(reason) = ended {
                if !matches!(reason, Expired::Idle | Expired::Evicted) {
                    statistics.connection_late();
                }
                tracing::debug!(?reason, "closed a connection that missed its deadline");
            }
            drop((open, in_statistics, permit));
        });
    }

    /// Returns a permit for a connection. If there is none, another connection gives way. `None` if none does and the
    /// newcomer's address has many: then it must not hold up the clients that come after it.
    async fn permit(&mut self, newcomer: Option<ClientAddress>) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(permit) = self.permits.clone().try_acquire_owned() {
                return Some(permit);
            }
            if let Some(count) = self.full.count(Instant::now()) {
                tracing::warn!(
                    count,
                    connections_max = self.limits.connections,
                    "all connections are in use"
                );
            }
            let evicted = self.shared.connections.evict(newcomer);
            self.shared.statistics.connections_evicted(evicted);
            if evicted > 0 {
                // The closed connection gives its permit back in a moment.
                if let Ok(permit) = self.closing.clone().try_acquire_owned() {
                    return Some(permit);
                }
            } else if newcomer.is_some_and(|address| self.shared.connections.counted(address) > WAITING_MAX) {
                return None;
            }
            let wait = Duration::from_millis(EVICTION_MILLISECONDS);
            let permit = tokio::time::timeout(wait, self.permits.clone().acquire_owned()).await;
            if let Ok(permit) = permit {
                return Some(permit.expect("the semaphore is never closed"));
            }
        }
    }

    fn refuse(&mut self, peer: SocketAddr) {
        self.shared.statistics.connection_refused();
        if let Some(count) = self.refused.count(Instant::now()) {
            let connections_max = self.limits.connections_per_address;
            tracing::warn!(count, client = %peer.ip(), connections_max, "refused connections of one address");
        }
    }
}

/// Sets how the system sends responses. A connection without these settings works too, so failures are ignored.
fn configure(stream: &TcpStream) {
    // Responses are written at once, so waiting for further bytes would only delay the last packet.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(stream).set_tcp_notsent_lowat(UNSENT_BYTES_MAX);
}

/// Serves a connection after its TLS handshake.
async fn run_tls<H: Handler>(
    tls: TlsAcceptor,
    stream: TcpStream,
    peer: SocketAddr,
    clock: Clock,
    age: Instant,
    stopping: watch::Receiver<bool>,
    shared: Arc<Shared<H>>,
) -> Result<(), Expired> {
    match connection::with_deadlines(&clock, tls.accept(stream)).await? {
        Ok(stream) => connection::run(stream, peer.ip(), clock, age, stopping, shared).await,
        Err(error) => {
            tracing::debug!(%error, "a TLS handshake failed");
            Ok(())
        }
    }
}

/// Returns `age` less a random part of up to an eighth. The hasher's keys are random.
fn jittered(age: Duration, peer: SocketAddr) -> Duration {
    let random = RandomState::new().hash_one(peer) % 1000;
    age - age.mul_f64(random as f64 / 8000.0)
}
