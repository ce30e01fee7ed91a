//! Accepts connections and drains them at the end. Listener and shutdown are parameters, so that tests control both.

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
use crate::running_requests::RunningRequests;

/// Maximum size of a request's head that hyper buffers, in bytes. It lies above the pipeline's limit, so that a client
/// gets an error body.
const HEAD_BYTES_BUFFERED: usize = 64 * 1024;
/// Maximum number of header fields that hyper parses, likewise above the pipeline's limit.
const FIELDS_PARSED: usize = 100;
/// Wait before the next attempt to accept when the system has no free file descriptor, in milliseconds.
const ACCEPT_RETRY_MILLISECONDS: u64 = 50;

/// Limits of connections and requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Maximum number of connections that are open at the same time.
    pub connections: usize,
    /// Maximum time for a request's head to arrive, and for a connection to be idle, in seconds.
    pub head_seconds: u64,
    /// Maximum duration of a request, in seconds.
    pub request_seconds: u64,
    /// Maximum time that unfinished requests have after the shutdown signal, in seconds.
    pub drain_seconds: u64,
}

/// Serves requests until `shutdown`, then waits for unfinished requests.
pub async fn serve(
    listener: TcpListener,
    mount: Mount,
    limits: ConnectionLimits,
    shutdown: impl Future<Output = ()>,
) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let running = RunningRequests::default();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let permit = permits.clone().acquire_owned();
        let accepted = async {
            let permit = permit.await.expect("the semaphore is never closed");
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut shutdown => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(ACCEPT_RETRY_MILLISECONDS)).await;
            continue;
        };
        let connection = graceful.watch(connection(stream, mount.clone(), limits, running.clone()));
        tokio::spawn(async move {
            // The error of a broken connection is not logged: its requests have been logged by the pipeline.
            let _ = connection.await;
            drop(permit);
        });
    }
    tracing::info!(
        requests = running.count(),
        seconds_max = limits.drain_seconds,
        "stopping: waiting for running requests"
    );
    drop(listener);
    let drained = tokio::time::timeout(Duration::from_secs(limits.drain_seconds), graceful.shutdown());
    if drained.await.is_err() {
        tracing::warn!(
            requests = running.count(),
            seconds_max = limits.drain_seconds,
            "the drain period has ended, and the running requests are cut off"
        );
    }
}

fn connection(
    stream: TcpStream,
    mount: Mount,
    limits: ConnectionLimits,
    running: RunningRequests,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let service = service_fn(move |request| {
        let (mount, running) = (mount.clone(), running.begin());
        async move {
            let response = mount.handle(request).await;
            drop(running);
            Ok::<_, Infallible>(response)
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.head_seconds))
        .max_buf_size(HEAD_BYTES_BUFFERED)
        .max_headers(FIELDS_PARSED)
        .serve_connection(TokioIo::new(stream), service)
}

/// Returns a future that resolves when the process receives SIGTERM or SIGINT. The handlers are installed by this call,
/// not by the first poll: a script that has read the printed lines can already stop the server in order.
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
