//! Connections to PostgreSQL: the pool of a host, a connection whose statements are cancelled if their caller goes away, and
//! a connection on which a transaction is open.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, QueueMode, RecyclingMethod, Runtime,
};
use futures_util::lock::Mutex;
use passbook_domain::access::Credential;
use tokio::sync::Notify;

use crate::error::Error;
use crate::lifetime::{CONNECT_SECONDS_MAX, Lifetime, ObservedConnect};
use crate::tls::Connector;

/// Begins a transaction whose statements all read one snapshot.
pub(crate) const BEGIN: &str = "begin isolation level repeatable read, read only";
/// Ends the transaction; nothing was written.
pub(crate) const COMMIT: &str = "commit";
/// Maximum time that a request waits for a free connection, in seconds.
pub(crate) const WAIT_SECONDS_MAX: u64 = 2;
/// Time after which a connection ends if the database's machine does not acknowledge sent data, in seconds. PostgreSQL's
/// work does not count: its machine acknowledges a statement before PostgreSQL runs it.
const UNACKNOWLEDGED_SECONDS_MAX: u64 = 5;
/// Time without traffic after which the system probes a connection, in seconds. The default of the library is 2 hours.
const KEEPALIVE_IDLE_SECONDS: u64 = 30;
/// Time between two such probes, in seconds.
const KEEPALIVE_INTERVAL_SECONDS: u64 = 5;
/// Number of such probes without a response after which a connection ends.
const KEEPALIVE_PROBES: u32 = 3;

/// The connections to one host.
#[derive(Debug)]
pub(crate) struct Host {
    /// The connections of requests.
    pub(crate) pool: Pool,
    /// One connection for the looks, and one for the readiness check.
    pub(crate) check_pool: Pool,
}

/// A pooled connection on which statements are running.
///
/// If the guard is dropped before [`CancelOnDrop::finish`], because the caller went away or the request timed out,
/// the statements are cancelled and the connection is closed. Returned to the pool, the connection would make the
/// next request wait for these statements.
pub(crate) struct CancelOnDrop {
    connection: Option<Object>,
    connector: Connector,
    /// Wakes a request that waits for a connection.
    returned: Arc<Notify>,
}

impl CancelOnDrop {
    /// `connector` opens the connection on which a cancellation is sent; `returned` is notified when the connection is free.
    pub(crate) fn new(connection: Object, connector: &Connector, returned: &Arc<Notify>) -> CancelOnDrop {
        CancelOnDrop {
            connection: Some(connection),
            connector: connector.clone(),
            returned: returned.clone(),
        }
    }

    pub(crate) fn connection(&self) -> &Object {
        self.connection.as_ref().expect("the connection is taken only when the guard ends")
    }

    pub(crate) fn connection_mut(&mut self) -> &mut Object {
        self.connection.as_mut().expect("the connection is taken only when the guard ends")
    }

    /// Returns the connection to the pool if all statements have succeeded. All statements must have ended. After a failure
    /// the connection is closed: PostgreSQL may have ended it, which its client notices only later, so that the next
    /// request would fail too.
    pub(crate) fn finish(mut self, succeeded: bool) {
        let connection = self.connection.take();
        if succeeded {
            drop(connection);
        } else {
            drop(connection.map(Object::take));
        }
        self.returned.notify_one();
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let cancel = connection.cancel_token();
        drop(Object::take(connection));
        self.returned.notify_one();
        let connector = self.connector.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // If the cancellation fails, the statements end at the statement timeout of the role.
            runtime.spawn(async move { cancel.cancel_query(connector).await });
        }
    }
}

/// A read-only transaction that stays open until it is dropped. Every read in it sees the same rows and the same grant.
pub(crate) struct OpenTransaction {
    /// The caller whose data the reads return.
    pub(crate) credential: Credential,
    /// The connection; `None` after a read has failed or its future was dropped. The session settings of a read, such as
    /// its days, hold for the transaction, so two reads never run at the same time.
    pub(crate) connection: Mutex<Option<CancelOnDrop>>,
}

impl OpenTransaction {
    /// Takes a connection on which a transaction has begun.
    pub(crate) fn new(credential: Credential, connection: CancelOnDrop) -> OpenTransaction {
        OpenTransaction { credential, connection: Mutex::new(Some(connection)) }
    }
}

impl std::fmt::Debug for OpenTransaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenTransaction").field("credential", &self.credential).finish_non_exhaustive()
    }
}

impl Drop for OpenTransaction {
    /// Ends the transaction and returns the connection to the pool, without waiting.
    fn drop(&mut self) {
        let Some(guard) = self.connection.get_mut().take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let ended = guard.connection().batch_execute(COMMIT).await;
                guard.finish(ended.is_ok());
            });
        }
    }
}

/// Creates the pool of a host.
///
/// # Errors
/// [`Error::Settings`].
pub(crate) fn pool(
    connection: tokio_postgres::Config,
    connector: &Connector,
    connections_max: usize,
    lifetime: &Arc<Lifetime>,
) -> Result<Pool, Error> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let connect = ObservedConnect::new(connector.clone(), lifetime.clone());
    let lifetime = lifetime.clone();
    let is_usable =
        Hook::sync_fn(move |_, metrics| match lifetime.has_ended(metrics.created, Instant::now()) {
            false => Ok(()),
            true => Err(HookError::message("the connection is too old, or its host is stopping")),
        });
    Pool::builder(Manager::from_connect(connection, connect, recycling))
        .pre_recycle(is_usable)
        .max_size(connections_max)
        // The slow queries of one user, which follow each other, then run in one process of PostgreSQL. The system's
        // scheduler lets a process that was idle for long run before others; a process that computes all the time yields.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(Duration::from_secs(WAIT_SECONDS_MAX)))
        .create_timeout(Some(Duration::from_secs(CONNECT_SECONDS_MAX)))
        .build()
        .map_err(|source| Error::Settings(Box::new(source)))
}

/// Adds the limits by which a connection to a machine that has disappeared ends. Limits that `connection` sets already are
/// unchanged. They have no effect on Unix sockets.
pub(crate) fn with_network_limits(mut connection: tokio_postgres::Config) -> tokio_postgres::Config {
    let unset = tokio_postgres::Config::new();
    connection.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
    if connection.get_tcp_user_timeout().is_none() {
        connection.tcp_user_timeout(Duration::from_secs(UNACKNOWLEDGED_SECONDS_MAX));
    }
    if connection.get_keepalives_idle() == unset.get_keepalives_idle() {
        connection.keepalives_idle(Duration::from_secs(KEEPALIVE_IDLE_SECONDS));
    }
    if connection.get_keepalives_interval().is_none() {
        connection.keepalives_interval(Duration::from_secs(KEEPALIVE_INTERVAL_SECONDS));
    }
    if connection.get_keepalives_retries().is_none() {
        connection.keepalives_retries(KEEPALIVE_PROBES);
    }
    connection
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(url: &str) -> [Option<u64>; 4] {
        let config = with_network_limits(url.parse().expect("a URL"));
        let seconds = |limit: Option<&Duration>| limit.map(Duration::as_secs);
        let idle = config.get_keepalives_idle();
        let interval = config.get_keepalives_interval();
        let probes = config.get_keepalives_retries().map(u64::from);
        [
            seconds(config.get_tcp_user_timeout()),
            Some(idle.as_secs()),
            interval.map(|limit| limit.as_secs()),
            probes,
        ]
    }

    #[test]
    fn connection_to_a_lost_machine_ends_within_the_limits() {
        assert_eq!(limits("postgresql://reader@db/money"), [Some(5), Some(30), Some(5), Some(3)]);
    }

    #[test]
    fn limits_in_the_database_url_take_precedence() {
        let url = "postgresql://reader@db/money?tcp_user_timeout=9&keepalives_idle=8&keepalives_interval=7&keepalives_retries=6";
        assert_eq!(limits(url), [Some(9), Some(8), Some(7), Some(6)]);
    }
}
