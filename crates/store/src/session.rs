//! One read-only transaction that reads the grant and the data in a single round trip.
//!
//! All statements are sent before the first result is awaited. So reading the grant costs no round trip, and a caller
//! that goes away leaves no open transaction behind, because the commit is already sent. The rows are returned only
//! if the grant, which is read from the same snapshot, is live and allows the operation.

use deadpool_postgres::Object;
use domain::access::{Access, GrantReference};
use domain::ports::{ReadError, Reading};
use domain::range::Days;
use futures_util::future;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::cancel_on_drop::CancelOnDrop;
use crate::error::Error;
use crate::pool::Store;
use crate::query::{OPEN_SESSION, Query};
use crate::row::Rows;
use crate::session_row::{authorize, person, resolved_days};
use crate::transaction::{BEGIN, COMMIT};

/// A query with the values of its parameters.
pub(crate) type BoundQuery<'a> = (Query, &'a [&'a (dyn ToSql + Sync)]);

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
        map: impl FnOnce(&[Rows]) -> Result<T, ReadError>,
    ) -> Result<Reading<T>, ReadError> {
        let guard = CancelOnDrop::new(self.connection().await?);
        let exchanged = self.exchange(guard.connection(), access, days, queries).await;
        // All statements have ended, successfully or not.
        guard.finish();
        let (session, results) = exchanged?;
        let session = session.first().ok_or(ReadError::Revoked)?;
        let surfaces = authorize(session, access)?;
        let reading = Reading {
            person: person(session, access)?,
            surfaces,
            days: resolved_days(session)?,
            data: map(&results?)?,
        };
        Ok(reading)
    }

    /// Sends all statements of the transaction at once. Returns the row of the grant and the results of the queries
    /// separately: the error of a query must not reach a caller without a valid grant.
    async fn exchange(
        &self,
        connection: &Object,
        access: &Access<'_>,
        days: &Days,
        queries: &[BoundQuery<'_>],
    ) -> Result<(Rows, Result<Vec<Rows>, Error>), Error> {
        let open_session = self.prepare(connection, &OPEN_SESSION).await?;
        let mut statements = Vec::with_capacity(queries.len());
        for (query, _) in queries {
            statements.push(self.prepare(connection, query).await?);
        }
        let parameters = SessionParameters::new(access, days, self.today());
        let parameters = parameters.as_sql();
        let data = queries
            .iter()
            .zip(&statements)
            .map(|((_, parameters), statement)| statement.execute(connection, parameters));
        let (begun, session, results, ended) = future::join4(
            connection.batch_execute(BEGIN),
            open_session.execute(connection, &parameters),
            future::join_all(data),
            connection.batch_execute(COMMIT),
        )
        .await;
        begun.map_err(Error::query("begin"))?;
        let session = Rows::new(&OPEN_SESSION, session.map_err(Error::query(OPEN_SESSION.name))?);
        let results = queries
            .iter()
            .zip(results)
            .map(|((query, _), rows)| Ok(Rows::new(query, rows.map_err(Error::query(query.name))?)))
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
