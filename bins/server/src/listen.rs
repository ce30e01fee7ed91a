//! Accepting connections, and draining them. Listener and shutdown are parameters, so that tests own both.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::mount::Mount;

/// Bytes of a request's head that are buffered: above our own limit, so that a person gets our sentence.
const HEAD_BYTES_BUFFERED: usize = 64 * 1024;
/// Header fields that are parsed: above our own limit, likewise.
const FIELDS_PARSED: usize = 100;
/// Milliseconds to wait when the system has no file descriptors to give.
const ACCEPT_RETRY_MILLISECONDS: u64 = 50;

/// What a deployment may use at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at the same time.
    pub connections: usize,
    /// Seconds for a request's head to arrive, and for a connection to idle.
    pub head_seconds: u64,
    /// Seconds that a request may take.
    pub request_seconds: u64,
    /// Seconds that requests under way get to finish at the end.
    pub drain_seconds: u64,
}

/// Serves until `shutdown`, then lets requests under way finish.
pub async fn serve(listener: TcpListener, mount: Mount, limits: Limits, shutdown: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let place = places.clone().acquire_owned();
        let accepted = async {
            let place = place.await.expect("the semaphore is never closed");
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut shutdown => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(ACCEPT_RETRY_MILLISECONDS)).await;
            continue;
        };
        let connection = graceful.watch(connection(stream, mount.clone(), limits));
        tokio::spawn(async move {
            // A connection that breaks is the client's affair; its requests have been logged.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let drained = tokio::time::timeout(Duration::from_secs(limits.drain_seconds), graceful.shutdown());
    if drained.await.is_err() {
        tracing::warn!(seconds = limits.drain_seconds, "requests were cut off");
    }
}

fn connection(
    stream: TcpStream,
    mount: Mount,
    limits: Limits,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let service = service_fn(move |request| {
        let mount = mount.clone();
        async move { Ok::<_, Infallible>(mount.handle(request).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.head_seconds))
        .max_buf_size(HEAD_BYTES_BUFFERED)
        .max_headers(FIELDS_PARSED)
        .serve_connection(TokioIo::new(stream), service)
}

/// Resolves when the process is asked to end. From this call on, not from the first poll, the process no longer
/// ends at once: whoever has read our lines may ask for a drain.
pub fn terminated() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}
