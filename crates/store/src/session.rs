//! One read-only transaction that reads the grant and the data in a single round trip.
//!
//! All statements are sent before the first result is awaited. So reading the grant costs no round trip, and a caller
//! that goes away leaves no open transaction behind, because the commit is already sent. The rows are returned only
//! if the grant, which is read from the same snapshot, is live and allows the operation.

use deadpool_postgres::Object;
use futures_util::future;
use passbook_domain::access::{Access, GrantReference};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::Days;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::pool::Store;
use crate::query::OPEN_SESSION;
use crate::query_times::{self, End};
use crate::request::{BoundQuery, Exchanged, Request};
use crate::row::Rows;
use crate::session_row::{authorize, person, resolved_days};
use crate::transaction::{BEGIN, COMMIT, Span};

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
        let request = Request { access, days, queries };
        let Exchanged { grant, session, results } = match self.open_transaction() {
            Some(transaction) => self.exchange_in_snapshot(transaction, request).await?,
            None => self.transact(request).await?,
        };
        let session = session.first().ok_or(ReadError::Revoked)?;
        let grant = match &grant {
            Some(grant) => grant.first().ok_or(ReadError::Revoked)?,
            None => session,
        };
        let surfaces = authorize(grant, access)?;
        Ok(Reading::new(person(session, access)?, surfaces, resolved_days(session)?, map(results?)?))
    }

    /// Sends all statements of the exchange at once. Returns the row of the grant and the results of the queries
    /// separately: the error of a query must not reach a caller without a valid grant.
    pub(crate) async fn exchange(
        &self,
        connection: &Object,
        access: &Access<'_>,
        days: &Days,
        queries: &[BoundQuery<'_>],
        span: Span,
    ) -> Result<(Rows, Result<Vec<Rows>, Error>), Error> {
        let open_session = self.prepare(connection, &OPEN_SESSION, span).await?;
        let mut statements = Vec::with_capacity(queries.len());
        for (query, _) in queries {
            statements.push(self.prepare(connection, query, span).await?);
        }
        let parameters = SessionParameters::new(access, days, self.today());
        let parameters = parameters.as_sql();
        let data = queries.iter().zip(&statements).map(|((_, parameters), statement)| {
            query_times::timed(statement.execute(connection, parameters))
        });
        let (begun, session, results, ended) = future::join4(
            query_times::timed(span.execute(connection, BEGIN)),
            query_times::timed(open_session.execute(connection, &parameters)),
            future::join_all(data),
            span.execute(connection, COMMIT),
        )
        .await;
        let (sent, begun) = begun;
        let session_end = [(OPEN_SESSION.name, &session)].into_iter();
        let data_ends = queries.iter().map(|(query, _)| query.name).zip(&results);
        let ends = session_end.chain(data_ends).map(|(query, ended)| End::new(query, ended));
        query_times::report(sent, ends);
        let session = session.1;
        begun.map_err(Error::query("begin"))?;
        let session = Rows::new(&OPEN_SESSION, session.map_err(Error::query(OPEN_SESSION.name))?);
        let results = queries
            .iter()
            .zip(results)
            .map(|((query, _), (_, rows))| Ok(Rows::new(query, rows.map_err(Error::query(query.name))?)))
            .collect::<Result<Vec<Rows>, Error>>();
        if results.is_ok() {
            ended.map_err(Error::query("commit"))?;
        }
        Ok((session, results))
    }
}

/// The parameters of `open_session.sql`. [`SessionParameters::as_sql`] returns them in the order of the SQL file.
struct SessionParameters {
    user: Uuid,
    credential: &'static str,
    reference: String,
    session: Option<String>,
    from: Option<jiff::civil::Date>,
    to: Option<jiff::civil::Date>,
    time_range: Option<&'static str>,
    year: Option<i32>,
    month: Option<i32>,
    today: Option<jiff::civil::Date>,
}

impl SessionParameters {
    fn new(access: &Access<'_>, days: &Days, today: Option<jiff::civil::Date>) -> SessionParameters {
        let credential = access.credential();
        let (kind, reference, session) = match credential.grant() {
            GrantReference::PersonalAccessToken(token) => ("personal_access_token", token.to_string(), None),
            GrantReference::OauthClient { client_id, session_id } => {
                ("oauth_client", client_id.clone(), session_id.as_ref().map(|id| id.as_str().to_owned()))
            }
            GrantReference::Host { id } => ("host", id.as_str().to_owned(), None),
            // No grant has this kind, so a reference that this version does not know gives no access.
            _ => ("unknown", String::new(), None),
        };
        let mut parameters = SessionParameters {
            user: credential.user().as_uuid(),
            credential: kind,
            reference,
            session,
            from: None,
            to: None,
            time_range: None,
            year: None,
            month: None,
            today,
        };
        match days {
            Days::Range(range) => {
                parameters.from = range.from();
                parameters.to = range.to();
                parameters.time_range = range.time_range().map(|range| range.as_str());
            }
            Days::Month { year, month } => {
                parameters.time_range = Some("month");
                parameters.year = year.map(i32::from);
                parameters.month = month.map(i32::from);
            }
        }
        parameters
    }

    fn as_sql(&self) -> [&(dyn ToSql + Sync); 10] {
        [
            &self.user,
            &self.credential,
            &self.reference,
            &self.from,
            &self.to,
            &self.time_range,
            &self.year,
            &self.month,
            &self.today,
            &self.session,
        ]
    }
}
