//! The listener of the server with its limit of open files and its certificate, and the signals that stop it.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use listenfd::ListenFd;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use passbook_transport::{Certificate, Stop};
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::ServerError;
use crate::settings::Settings;

/// Maximum number of connections that the system holds until the server accepts them. With fewer, a flood of new
/// connections makes the system drop those of others, who try again after a second. `net.core.somaxconn` bounds it too.
const BACKLOG: u32 = 4096;

/// Descriptors besides connections: standard streams, listeners, files of certificates, log, name resolution.
const OTHERS: u64 = 64;
/// Time between two looks at the files of the certificate, in seconds.
const RELOAD_SECONDS: u64 = 60;

/// Returns the listener that the process inherits by socket activation (`LISTEN_FDS`, see `sd_listen_fds(3)`), or binds
/// `address`.
///
/// # Errors
/// The address cannot be bound, or the inherited socket is no TCP listener.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, ServerError> {
    let inherited = ListenFd::from_env().take_tcp_listener(0).map_err(|source| {
        let message = format!("cannot use the inherited socket: {source}; the socket unit needs ListenStream= with an address and a port");
        ServerError::configuration("LISTEN_FDS", message)
    })?;
    if let Some(listener) = inherited {
        listener.set_nonblocking(true).map_err(ServerError::internal)?;
        return TcpListener::from_std(listener).map_err(ServerError::internal);
    }
    listen(address).map_err(|source| {
        let message = format!("cannot listen on {address}: {source}; free the port or set another one");
        ServerError::configuration("PASSBOOK_LISTEN", message)
    })
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Otherwise a restarted server would have to wait until the connections of the previous one are forgotten.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Returns the futures of the first and the second SIGTERM or SIGINT. The handlers are installed by this call, not by
/// the first poll: a script that has read the printed lines can already stop the server in order.
pub fn stop_signals() -> Stop<impl Future<Output = ()>, impl Future<Output = ()>> {
    let (mut first, mut both) = (StopSignals::install(), StopSignals::install());
    Stop {
        drain: async move { first.received().await },
        abort: async move {
            both.received().await;
            both.received().await;
        },
    }
}

/// The handlers of the signals that stop the process; `None` if the system refuses them.
struct StopSignals(Option<(Signal, Signal)>);

impl StopSignals {
    fn install() -> StopSignals {
        let signals = signal(SignalKind::terminate()).ok().zip(signal(SignalKind::interrupt()).ok());
        StopSignals(signals)
    }

    async fn received(&mut self) {
        match &mut self.0 {
            Some((terminate, interrupt)) => tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            },
            None => std::future::pending().await,
        }
    }
}

/// Raises the limit of open files as far as the system allows and the settings need. Logs a warning if the system does not
/// allow it: the server then cannot accept all connections that it is set to.
pub(crate) fn raise_file_limit(settings: &Settings) {
    let needed = needed(settings);
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return };
    if soft >= needed {
        return;
    }
    let raised = needed.min(hard);
    let limit = if setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok() { raised } else { soft };
    if limit < needed {
        tracing::warn!(
            limit,
            needed,
            "too few open files for PASSBOOK_CONNECTIONS: raise the limit (ulimit -n, LimitNOFILE= of systemd), or lower \
             PASSBOOK_CONNECTIONS"
        );
    }
}

/// Returns the number of descriptors that the settings need at most.
fn needed(settings: &Settings) -> rlim_t {
    let connections = settings.limits.connections.saturating_add(settings.database_connections);
    u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHERS)
}

/// Reads the certificate again once a minute and on SIGHUP. A failure is logged, and the old certificate stays in use.
pub(crate) async fn keep_certificate_current(certificate: Option<Certificate>) -> Infallible {
    let (Some(certificate), Ok(mut hangup)) = (certificate, signal(SignalKind::hangup())) else {
        return std::future::pending().await;
    };
    loop {
        let _ = tokio::time::timeout(Duration::from_secs(RELOAD_SECONDS), hangup.recv()).await;
        match certificate.reload() {
            Ok(true) => tracing::info!("the certificate was replaced"),
            Ok(false) => {}
            Err(error) => {
                tracing::error!(%error, "the certificate cannot be read again; the old one stays in use")
            }
        }
    }
}
