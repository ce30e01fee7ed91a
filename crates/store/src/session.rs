//! One read-only transaction that reads the grant and the data, in one exchange with the database.
//!
//! All statements are sent before the first answer is awaited, so the grant costs no round trip, and a caller who
//! goes away leaves no open transaction behind: its commit is already on the way. The rows are given out only
//! when the grant, read from the same snapshot, is live and allows them.

use deadpool_postgres::Object;
use domain::Currency;
use domain::access::{Access, GrantReference};
use domain::category::ExpenseCategory;
use domain::person::{Person, Surfaces};
use domain::ports::{ReadError, Reading};
use domain::range::{Days, ResolvedDays};
use domain::scope::Surface;
use futures_util::future;
use tokio_postgres::NoTls;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::pool::Store;
use crate::question::{OPEN_SESSION, Question};
use crate::row::{Row, Rows};

/// A question with its parameters.
pub(crate) type Asked<'a> = (Question, &'a [&'a (dyn ToSql + Sync)]);

/// One snapshot for grant and data.
pub(crate) const BEGIN: &str = "begin isolation level repeatable read, read only";
/// The end of the snapshot.
pub(crate) const COMMIT: &str = "commit";

impl Store {
    /// Opens the session, asks the questions, and gives `map` their rows if the grant allows it.
    pub(crate) async fn read<T>(
        &self,
        access: &Access<'_>,
        days: &Days,
        questions: &[Asked<'_>],
        map: impl FnOnce(&[Rows]) -> Result<T, ReadError>,
    ) -> Result<Reading<T>, ReadError> {
        let connection = Unfinished::new(self.connection().await?);
        let exchanged = self.exchange(connection.get(), access, days, questions).await;
        // Well or badly, every statement has ended.
        connection.finished();
        let (session, answers) = exchanged?;
        let session = session.first().ok_or(ReadError::Revoked)?;
        let surfaces = granted(session, access)?;
        let reading = Reading {
            person: person(session, access)?,
            surfaces,
            days: ResolvedDays { first: session.get("first_day")?, last: session.get("last_day")? },
            data: map(&answers?)?,
        };
        Ok(reading)
    }

    /// Sends the whole transaction at once. A fault of a question comes second, because a caller without a live
    /// grant must not learn of it.
    async fn exchange(
        &self,
        connection: &Object,
        access: &Access<'_>,
        days: &Days,
        questions: &[Asked<'_>],
    ) -> Result<(Rows, Result<Vec<Rows>, Error>), Error> {
        let open = self.ready(connection, &OPEN_SESSION).await?;
        let mut statements = Vec::with_capacity(questions.len());
        for (question, _) in questions {
            statements.push(self.ready(connection, question).await?);
        }
        let asked = SessionParameters::new(access, days, self.today());
        let asked = asked.as_sql();
        let data = questions
            .iter()
            .zip(&statements)
            .map(|((_, parameters), statement)| statement.ask(connection, parameters));
        let (begun, session, answers, ended) = future::join4(
            connection.batch_execute(BEGIN),
            open.ask(connection, &asked),
            future::join_all(data),
            connection.batch_execute(COMMIT),
        )
        .await;
        begun.map_err(Error::query("begin"))?;
        let session = Rows::new(&OPEN_SESSION, session.map_err(Error::query(OPEN_SESSION.name))?);
        let answers = questions
            .iter()
            .zip(answers)
            .map(|((question, _), rows)| Ok(Rows::new(question, rows.map_err(Error::query(question.name))?)))
            .collect::<Result<Vec<Rows>, Error>>();
        if answers.is_ok() {
            ended.map_err(Error::query("commit"))?;
        }
        Ok((session, answers))
    }
}

/// A connection with statements under way. Dropped before they have ended, because the caller went away or the
/// request's time was over, it is closed and its statements are cancelled: given back as it is, it would make the
/// next request wait for them.
struct Unfinished(Option<Object>);

impl Unfinished {
    fn new(connection: Object) -> Unfinished {
        Unfinished(Some(connection))
    }

    fn get(&self) -> &Object {
        self.0.as_ref().expect("it is taken only at the end")
    }

    /// Gives the connection back to the pool.
    fn finished(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some(connection) = self.0.take() else { return };
        let cancel = connection.cancel_token();
        drop(Object::take(connection));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // A cancellation that fails leaves the statement to its own time limit.
            runtime.spawn(async move { cancel.cancel_query(NoTls).await });
        }
    }
}

/// The parameters of `open_session.sql`.
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

/// The surfaces of a grant that is live, serves this person through this surface, and carries the scope.
fn granted(session: Row<'_>, access: &Access<'_>) -> Result<Surfaces, ReadError> {
    if !session.get::<bool>("grant_found")? || session.get::<bool>("revoked")? {
        return Err(ReadError::Revoked);
    }
    if session.get::<bool>("expired")? {
        return Err(ReadError::Expired);
    }
    let surfaces = Surfaces { rest: session.get("rest")?, mcp: session.get("mcp")? };
    let through = match access.credential().surface() {
        Some(Surface::Rest) => surfaces.rest,
        Some(Surface::Mcp) => surfaces.mcp,
        None => true,
    };
    let owner: Option<Uuid> = session.get("owner_user_id")?;
    if !through || owner.is_some_and(|owner| owner != access.credential().user().as_uuid()) {
        return Err(ReadError::Forbidden);
    }
    let scopes: Vec<&str> = session.get("scopes")?;
    match access.scope() {
        Some(scope) if !scopes.contains(&scope.as_str()) => Err(ReadError::MissingScope(scope)),
        _ => Ok(surfaces),
    }
}

fn person(session: Row<'_>, access: &Access<'_>) -> Result<Person, Error> {
    let excluded: Vec<&str> = session.get("excluded_categories")?;
    let excluded = excluded.into_iter().map(ExpenseCategory::parse).collect::<Result<Vec<_>, _>>();
    Ok(Person {
        id: access.credential().user(),
        email: session.get("email")?,
        preferred_currency: session.word("preferred_currency", Currency::parse)?,
        today: session.get("today")?,
        excluded_categories: excluded.map_err(|source| session.fault("excluded_categories", source))?,
    })
}
