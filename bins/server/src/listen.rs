//! The listener of the server, and the signals that stop it.

use std::future::Future;
use std::net::SocketAddr;

use listenfd::ListenFd;
use passbook_transport::Stop;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::ServerError;

/// Maximum number of connections that the system holds until the server accepts them. With fewer, a flood of new
/// connections makes the system drop those of others, who try again after a second. `net.core.somaxconn` bounds it too.
const BACKLOG: u32 = 4096;

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
