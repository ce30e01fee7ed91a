//! Takes connections from the pool. If PostgreSQL grants fewer connections than the pool may have, requests share those
//! that exist.

use std::time::Duration;

use deadpool_postgres::{Object, Pool};
use tokio::time::{Instant, timeout};

use crate::cancel_on_drop::CancelOnDrop;
use crate::error::{Error, is_at_limit};
use crate::pool::{Store, WAIT_SECONDS_MAX};
use crate::query_times;

/// Time after which a request that waits for a returned connection tries to open one again, in milliseconds. PostgreSQL may
/// grant one meanwhile.
const RETRY_MILLISECONDS: u64 = 100;

impl Store {
    /// Takes a connection from the pool, with several hosts from that of the primary, for statements that are cancelled if
    /// their caller goes away.
    pub(crate) async fn lease(&self) -> Result<CancelOnDrop, Error> {
        match self.cluster() {
            None => self.lease_from(self.pool()).await,
            Some(cluster) => self.lease_from(&cluster.host(cluster.primary().await?).pool).await,
        }
    }

    /// Takes a connection from a pool, as [`Store::lease`] does.
    pub(crate) async fn lease_from(&self, pool: &Pool) -> Result<CancelOnDrop, Error> {
        let connection = self.connection(pool).await?;
        Ok(CancelOnDrop::new(connection, self.connector().clone(), self.returned().clone()))
    }

    /// Takes a connection from a pool. Dropping the connection returns it to the pool.
    ///
    /// If PostgreSQL refuses a further connection because of a limit, waits for one that another request returns, as
    /// long as for a free connection.
    async fn connection(&self, pool: &Pool) -> Result<Object, Error> {
        let deadline = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
        loop {
            let error = match pool.get().await {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if !is_at_limit(&error) || left.is_zero() {
                query_times::report_connection(&error);
                return Err(Error::Connection(error));
            }
            // Elapses if no connection is returned.
            let _ = timeout(left.min(Duration::from_millis(RETRY_MILLISECONDS)), self.returned().notified())
                .await;
        }
    }

    /// Closes the idle connections: one of them was found dead or outdated, so the others probably are, too.
    pub(crate) fn close_idle(&self) {
        match self.cluster() {
            None => drop(self.pool().retain(|_, _| false)),
            Some(cluster) => cluster.hosts().iter().for_each(|host| drop(host.pool.retain(|_, _| false))),
        }
    }

    /// Takes the connection of the readiness check, which requests do not use. If PostgreSQL refuses it because of a limit,
    /// takes one of the pool: the check must not fail while requests succeed.
    pub(crate) async fn check_lease(&self) -> Result<CancelOnDrop, Error> {
        let (check_pool, pool) = match self.cluster() {
            None => (self.check_pool(), self.pool()),
            Some(cluster) => {
                let primary = cluster.host(cluster.primary().await?);
                (&primary.check_pool, &primary.pool)
            }
        };
        let connection = match check_pool.get().await {
            Ok(connection) => connection,
            Err(error) if is_at_limit(&error) => self.connection(pool).await?,
            Err(error) => return Err(Error::Connection(error)),
        };
        Ok(CancelOnDrop::new(connection, self.connector().clone(), self.returned().clone()))
    }
}
