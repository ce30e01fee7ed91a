//! Runs the reading transaction on a connection of the pool, and repeats it once if the connection was unusable. With
//! several hosts, reads the grant on the primary and the data on a standby at the same time.

use deadpool_postgres::Pool;
use futures_util::future;

use crate::cluster::{Cluster, check_primary};
use crate::error::Error;
use crate::pool::Store;
use crate::query::HOST_POSITION;
use crate::request::{BoundQuery, Exchanged, Request};
use crate::transaction::Span;

impl Store {
    /// Runs the reading transaction. Runs it again, on a new connection, if PostgreSQL had ended the connection before it
    /// returned a row, had changed the schema under its prepared statements, or another host has become the primary. A
    /// repetition is harmless: the transaction only reads.
    ///
    /// # Errors
    /// Those of the transaction, or of the repetition.
    pub(crate) async fn transact(&self, request: Request<'_>) -> Result<Exchanged, Error> {
        let exchanged = self.transact_repeated(request).await;
        if let Err(error) | Ok(Exchanged { results: Err(error), .. }) = &exchanged {
            self.doubt_check(error);
        }
        exchanged
    }

    /// Lets readiness repeat the start-up check if a query failed for want of a right or an object.
    pub(crate) fn doubt_check(&self, error: &Error) {
        if error.is_missing_right_or_object() {
            self.last_check().doubt();
        }
    }

    async fn transact_repeated(&self, request: Request<'_>) -> Result<Exchanged, Error> {
        let exchanged = self.transact_once(request).await;
        let is_repeated = match &exchanged {
            Err(error @ (Error::Connection(_) | Error::NoPrimary)) => {
                self.cluster().is_some() && !error.is_busy()
            }
            Err(error) | Ok(Exchanged { results: Err(error), .. }) if error.is_outdated_plan() => true,
            Err(error) => error.is_lost(),
            Ok(_) => false,
        };
        if !is_repeated {
            return exchanged;
        }
        // PostgreSQL was restarted, migrated or replaced, which concerns all connections.
        self.close_idle();
        self.transact_once(request).await
    }

    async fn transact_once(&self, request: Request<'_>) -> Result<Exchanged, Error> {
        let Some(cluster) = self.cluster() else { return self.attempt(self.pool(), request).await };
        let primary = cluster.primary().await?;
        let exchanged = match cluster.standby() {
            Some(standby) => self.read_on_standby(cluster, primary, standby, request).await,
            None => self.read_on_primary(cluster, primary, request).await,
        };
        if let Err(error) = &exchanged
            && !error.is_busy()
        {
            cluster.forget_primary(primary);
        }
        exchanged
    }

    /// Reads the grant on the primary and the data on a standby at the same time. If the standby fails, or does not know
    /// the person yet, reads the data on the primary too.
    async fn read_on_standby(
        &self,
        cluster: &Cluster,
        primary: usize,
        standby: usize,
        request: Request<'_>,
    ) -> Result<Exchanged, Error> {
        let only_grant = Request { queries: &[], ..request };
        let granted = self.read_on_primary(cluster, primary, only_grant);
        let data = self.attempt(&cluster.host(standby).pool, request);
        let (granted, data) = future::join(granted, data).await;
        let grant = Some(granted?.session);
        match data {
            Ok(Exchanged { session, results, .. })
                if session.first().is_some()
                    && results.as_ref().err().is_none_or(Error::is_statement_timeout) =>
            {
                Ok(Exchanged { grant, session, results })
            }
            _ => {
                cluster.leave_out(standby);
                self.read_on_primary(cluster, primary, request).await
            }
        }
    }

    /// Reads grant and data on the primary, and makes sure in the same transaction that the host is one.
    async fn read_on_primary(
        &self,
        cluster: &Cluster,
        primary: usize,
        request: Request<'_>,
    ) -> Result<Exchanged, Error> {
        let queries: Vec<BoundQuery<'_>> =
            request.queries.iter().copied().chain([(HOST_POSITION, &[][..])]).collect();
        let request = Request { queries: &queries, ..request };
        let mut exchanged = self.attempt(&cluster.host(primary).pool, request).await?;
        if let Ok(results) = &mut exchanged.results {
            check_primary(results.pop().as_ref())?;
        }
        Ok(exchanged)
    }

    async fn attempt(&self, pool: &Pool, request: Request<'_>) -> Result<Exchanged, Error> {
        let guard = self.lease_from(pool).await?;
        let Request { access, days, queries } = request;
        let exchanged = self.exchange(guard.connection(), access, days, queries, Span::Transaction).await;
        // All statements have ended, successfully or not.
        guard.finish(matches!(exchanged, Ok((_, Ok(_)))));
        exchanged.map(|(session, results)| Exchanged { grant: None, session, results })
    }
}
