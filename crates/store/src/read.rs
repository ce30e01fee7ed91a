//! One read-only transaction that reads the grant and the data in a single round trip.
//!
//! All statements are sent before the first result is awaited. So reading the grant costs no round trip, and a caller
//! that goes away leaves no open transaction behind, because the commit is already sent. The rows are returned only
//! if the grant, which is read from the same snapshot, is live and allows the operation.
//!
//! The transaction is repeated once if the connection was unusable. With several hosts, the grant is read on the primary and
//! the data on a standby at the same time. In a snapshot, several reads share one transaction, which is on the primary.
//!
//! A query is executed as a statement that is prepared on the connection, or as text with parameter types. Some poolers give
//! each transaction another connection and do not support prepared statements. Behind them each query is sent as text, and
//! PostgreSQL plans the query each time.

use std::pin::pin;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use deadpool_postgres::{Object, Pool};
use futures_util::future::{self, Either};
use passbook_domain::access::{Access, Credential};
use passbook_domain::person::Person;
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::Days;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;

use crate::cluster::{Cluster, check_primary};
use crate::connection::{BEGIN, COMMIT, CancelOnDrop, OpenTransaction};
use crate::error::Error;
use crate::query::{ExecutableQuery, HOST_POSITION, OPEN_SESSION, Query, Span, fetch_parameter_types};
use crate::query_times::{self, End};
use crate::row::{Row, Rows};
use crate::session::{Facts, Names, SessionParameters, authorize, facts, person, resolved_days};
use crate::store::Store;

/// Time in which a standby must return the row of the session, in milliseconds. A machine or a process that has stopped keeps
/// its connections open, and would hold a request until its deadline.
const SILENT_MILLISECONDS: u64 = 1500;

/// A query with the values of its parameters.
pub(crate) type BoundQuery<'a> = (Query, &'a [&'a (dyn ToSql + Sync)]);

/// The request of a transaction.
#[derive(Clone, Copy)]
struct Request<'a> {
    access: &'a Access<'a>,
    days: &'a Days,
    queries: &'a [BoundQuery<'a>],
    /// True if the row of the session contains the names that the rows of a list need.
    with_names: bool,
    /// Notified when the host has returned the row of the session.
    answered: Option<&'a Notify>,
}

/// The results of a reading transaction.
struct Results {
    /// The row of the grant, if it was read on another host than the data. It then counts instead of the one in `session`.
    grant: Option<Rows>,
    /// The row of the session: the person, the resolved days and the grant.
    session: Rows,
    /// The rows of the queries, or the error of one of them. The error must not reach a caller without a valid grant.
    data: Result<Vec<Rows>, Error>,
}

impl Store {
    /// Reads the grant, executes the queries, and passes the rows of the queries to `map` if the grant allows the
    /// access.
    ///
    /// # Errors
    /// [`ReadError::Revoked`], [`ReadError::Expired`], [`ReadError::Forbidden`] or [`ReadError::MissingScope`] if the
    /// grant does not allow the access, else the errors of the database and of `map`.
    pub(crate) async fn read<T>(
        &self,
        access: &Access<'_>,
        days: &Days,
        queries: &[BoundQuery<'_>],
        map: impl FnOnce(Vec<Rows>) -> Result<T, ReadError>,
    ) -> Result<Reading<T>, ReadError> {
        Ok(self.read_with_facts(access, days, queries, map).await?.0)
    }

    /// The same with the stored facts about the person's transactions.
    pub(crate) async fn read_with_facts<T>(
        &self,
        access: &Access<'_>,
        days: &Days,
        queries: &[BoundQuery<'_>],
        map: impl FnOnce(Vec<Rows>) -> Result<T, ReadError>,
    ) -> Result<(Reading<T>, Facts), ReadError> {
        let request = Request { access, days, queries, with_names: false, answered: None };
        self.read_request(request, |rows, _, _| map(rows)).await
    }

    /// The same for queries whose rows need names: of accounts and their banks, own categories and tags.
    pub(crate) async fn read_with_names<T>(
        &self,
        access: &Access<'_>,
        days: &Days,
        queries: &[BoundQuery<'_>],
        map: impl FnOnce(Vec<Rows>, &Names, &Person) -> Result<T, ReadError>,
    ) -> Result<(Reading<T>, Facts), ReadError> {
        let request = Request { access, days, queries, with_names: true, answered: None };
        self.read_request(request, |rows, session, person| map(rows, &Names::new(session)?, person)).await
    }

    async fn read_request<T>(
        &self,
        request: Request<'_>,
        map: impl FnOnce(Vec<Rows>, Row<'_>, &Person) -> Result<T, ReadError>,
    ) -> Result<(Reading<T>, Facts), ReadError> {
        let access = request.access;
        let mut is_repeated = false;
        let Results { grant, session, data } = loop {
            let results = match (&self.snapshot, &self.cluster) {
                (Some(transaction), _) => break self.read_in_snapshot(transaction, request).await?,
                (None, None) => self.attempt(&self.pool, request).await,
                // In a box, because without it the future of a read on one host would be three times as large.
                (None, Some(cluster)) => Box::pin(self.attempt_on_hosts(cluster, request)).await,
            };
            if is_repeated || !self.is_repeatable(&results) {
                if let Err(error) | Ok(Results { data: Err(error), .. }) = &results {
                    self.doubt_check(error);
                }
                break results?;
            }
            is_repeated = true;
            // PostgreSQL was restarted, migrated or replaced, which concerns all connections.
            self.close_idle();
        };
        // The session has no row if the user is unknown.
        let session = session.first().ok_or(ReadError::Revoked)?;
        let grant = match &grant {
            Some(grant) => grant.first().ok_or(ReadError::Revoked)?,
            None => session,
        };
        let (surfaces, granted) = authorize(grant, access)?;
        let (person, days, facts) =
            (person(session, access)?, resolved_days(session)?, facts(session, granted)?);
        let data = map(data?, session, &person)?;
        Ok((Reading::new(person, surfaces, days, data), facts))
    }

    /// Returns true if PostgreSQL had ended the connection before it returned a row, had changed the schema under its prepared
    /// statements, or another host has become the primary. A repetition is harmless: the transaction only reads.
    fn is_repeatable(&self, results: &Result<Results, Error>) -> bool {
        match results {
            Err(error @ (Error::Connection(_) | Error::NoPrimary)) => {
                self.cluster.is_some() && !error.is_busy()
            }
            Err(error) | Ok(Results { data: Err(error), .. }) if error.is_outdated_plan() => true,
            Err(error) => error.is_lost(),
            Ok(_) => false,
        }
    }

    /// Lets readiness repeat the start-up check if a query failed for want of a right or an object.
    pub(crate) fn doubt_check(&self, error: &Error) {
        if error.is_missing_right_or_object() {
            self.last_check.doubt();
        }
    }

    async fn attempt_on_hosts(&self, cluster: &Cluster, request: Request<'_>) -> Result<Results, Error> {
        let primary = cluster.primary().await?;
        let results = match cluster.standby() {
            Some(standby) => self.read_on_standby(cluster, primary, standby, request).await,
            None => self.read_on_primary(cluster, primary, request).await,
        };
        if let Err(error) = &results
            && !error.is_busy()
        {
            cluster.forget_primary(primary);
        }
        results
    }

    /// Reads the grant on the primary and the data on a standby at the same time. If the standby fails, or does not know
    /// the person yet, or is silent, reads the data on the primary too.
    async fn read_on_standby(
        &self,
        cluster: &Cluster,
        primary: usize,
        standby: usize,
        request: Request<'_>,
    ) -> Result<Results, Error> {
        let only_grant = Request { queries: &[], with_names: false, ..request };
        let granted = self.read_on_primary(cluster, primary, only_grant);
        let answered = Notify::new();
        let data = async {
            let request = Request { answered: Some(&answered), ..request };
            let silence = timeout(Duration::from_millis(SILENT_MILLISECONDS), answered.notified());
            let attempt = pin!(self.attempt(&cluster.host(standby).pool, request));
            match future::select(attempt, pin!(silence)).await {
                Either::Left((results, _)) => Some(results),
                // The queries of the data may take longer.
                Either::Right((Ok(()), attempt)) => Some(attempt.await),
                Either::Right((Err(_), _)) => None,
            }
        };
        let (granted, data) = future::join(granted, data).await;
        let grant = Some(granted?.session);
        match data {
            Some(Ok(Results { session, data, .. }))
                if session.first().is_some()
                    && data.as_ref().err().is_none_or(Error::is_statement_timeout) =>
            {
                Ok(Results { grant, session, data })
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
    ) -> Result<Results, Error> {
        let queries: Vec<BoundQuery<'_>> =
            request.queries.iter().copied().chain([(HOST_POSITION, &[][..])]).collect();
        let request = Request { queries: &queries, ..request };
        let mut results = self.attempt(&cluster.host(primary).pool, request).await?;
        if let Ok(data) = &mut results.data {
            check_primary(data.pop().as_ref())?;
        }
        Ok(results)
    }

    async fn attempt(&self, pool: &Pool, request: Request<'_>) -> Result<Results, Error> {
        let guard = self.lease_from(pool).await?;
        let results = self.execute(guard.connection(), request, Span::Transaction).await;
        // All statements have ended, successfully or not.
        guard.finish(matches!(results, Ok(Results { data: Ok(_), .. })));
        results
    }

    /// Sends all statements of a read at once: begin, session, data, commit. Without data, the session alone.
    async fn execute(&self, connection: &Object, request: Request<'_>, span: Span) -> Result<Results, Error> {
        let Request { access, days, queries, with_names, answered } = request;
        let open_session = self.prepare(connection, &OPEN_SESSION, span).await?;
        let mut statements = Vec::with_capacity(queries.len());
        for (query, _) in queries {
            statements.push(self.prepare(connection, query, span).await?);
        }
        // A single statement is a transaction, which the role makes read-only.
        let span = if queries.is_empty() { Span::Statements } else { span };
        let parameters = SessionParameters::new(access, days, self.today, with_names, !queries.is_empty());
        let parameters = parameters.as_sql();
        let executed = queries.iter().zip(&statements).map(|((_, parameters), statement)| {
            query_times::timed(statement.execute(connection, parameters))
        });
        let (begun, session, data, ended) = future::join4(
            query_times::timed(span.execute(connection, BEGIN)),
            async {
                let executed = query_times::timed(open_session.execute(connection, &parameters)).await;
                answered.inspect(|answered| answered.notify_one());
                executed
            },
            future::join_all(executed),
            span.execute(connection, COMMIT),
        )
        .await;
        let (sent, begun) = begun;
        let session_end = [(OPEN_SESSION.name, &session)].into_iter();
        let data_ends = queries.iter().map(|(query, _)| query.name).zip(&data);
        let ends = session_end.chain(data_ends).map(|(query, ended)| End::new(query, ended));
        query_times::report(sent, ends);
        let session = session.1;
        begun.map_err(Error::query("begin"))?;
        let session = Rows::new(&OPEN_SESSION, session.map_err(Error::query(OPEN_SESSION.name))?);
        let data = queries
            .iter()
            .zip(data)
            .map(|((query, _), (_, rows))| Ok(Rows::new(query, rows.map_err(Error::query(query.name))?)))
            .collect::<Result<Vec<Rows>, Error>>();
        if data.is_ok() {
            ended.map_err(Error::query("commit"))?;
        }
        Ok(Results { grant: None, session, data })
    }

    /// Begins a transaction for the reads of one caller. Tries again, on a new connection, if PostgreSQL had ended the
    /// connection.
    pub(crate) async fn begin_snapshot(&self, credential: &Credential) -> Result<OpenTransaction, Error> {
        let connection = match self.begin().await {
            Err(error) if error.is_lost() => {
                self.close_idle();
                self.begin().await?
            }
            begun => begun?,
        };
        Ok(OpenTransaction::new(credential.clone(), connection))
    }

    async fn begin(&self) -> Result<CancelOnDrop, Error> {
        let guard = self.lease().await?;
        if let Err(source) = guard.connection().batch_execute(BEGIN).await {
            guard.finish(false);
            return Err(Error::query("begin")(source));
        }
        Ok(guard)
    }

    /// Reads the grant and executes the queries in an open transaction.
    ///
    /// # Errors
    /// [`ReadError::Forbidden`] for another caller, [`ReadError::Unavailable`] after a read has failed or if the host is no
    /// longer the primary, and the errors of the database.
    async fn read_in_snapshot(
        &self,
        transaction: &OpenTransaction,
        request: Request<'_>,
    ) -> Result<Results, ReadError> {
        let Request { access, queries, .. } = request;
        if *access.credential() != transaction.credential {
            return Err(ReadError::Forbidden);
        }
        let position: Option<BoundQuery<'_>> = self.cluster.is_some().then_some((HOST_POSITION, &[]));
        let queries: Vec<BoundQuery<'_>> = queries.iter().copied().chain(position).collect();
        let mut open = transaction.connection.lock().await;
        // If this future is dropped, the guard cancels the statements, and the snapshot is left without a connection.
        let guard = open.take().ok_or(Error::SnapshotEnded)?;
        let request = Request { queries: &queries, ..request };
        let results = self.execute(guard.connection(), request, Span::Statements).await;
        if matches!(results, Ok(Results { data: Ok(_), .. })) {
            *open = Some(guard);
        } else {
            guard.finish(false);
        }
        let mut results = results?;
        if let (Some(_), Ok(data)) = (position, &mut results.data) {
            check_primary(data.pop().as_ref())?;
        }
        Ok(results)
    }

    /// Prepares a query on a connection. If the store does not use prepared statements, fetches the parameter types of
    /// the query at its first use.
    async fn prepare(
        &self,
        connection: &Object,
        query: &Query,
        span: Span,
    ) -> Result<ExecutableQuery, Error> {
        let failed = |error| Error::query(query.name)(error);
        let Some(cache) = &self.parameter_types else {
            let sent = Instant::now();
            let prepared = query_times::timed(connection.prepare_cached(query.sql)).await;
            // Nothing is executed after a failure, so no later report names it.
            if prepared.1.is_err() {
                query_times::report(sent, std::iter::once(End::new(query.name, &prepared)));
            }
            return prepared.1.map(ExecutableQuery::Prepared).map_err(failed);
        };
        let known = cache.lock().unwrap_or_else(PoisonError::into_inner).get(query.name).cloned();
        let types = match known {
            Some(types) => types,
            None => {
                let types = fetch_parameter_types(connection, query, span).await.map_err(failed)?;
                let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
                cache.entry(query.name).or_insert(types).clone()
            }
        };
        Ok(ExecutableQuery::Text(query.sql, types))
    }
}
