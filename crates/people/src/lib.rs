//! Lists people, for jobs that do something for everybody, such as a weekly mail.
//!
//! The reader's role sees one person at a time, so the list needs a connection of the writer or the owner. No serving crate
//! depends on this crate: a request never learns who else exists. The job then reads each person's data with `store`, as the
//! reader, under a grant of its own.
//!
//! ```
//! use passbook_people::{ListError, ListedPerson, list};
//!
//! async fn everybody(writer: &tokio_postgres::Client) -> Result<Vec<ListedPerson>, ListError> {
//!     let mut people = Vec::new();
//!     loop {
//!         let page = list(writer, people.last().map(|last: &ListedPerson| last.user)).await?;
//!         if page.is_empty() {
//!             return Ok(people);
//!         }
//!         people.extend(page);
//!     }
//! }
//! ```

use passbook_domain::person::UserId;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

/// The crate of the connection.
pub use tokio_postgres;

/// Maximum number of people in one page of the list.
pub const PAGE_PEOPLE_MAX: i64 = 1_000;

/// A person in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedPerson {
    /// The person as a user, for the credential of the job.
    pub user: UserId,
    /// E-mail address.
    pub email: String,
    /// IANA name of the time zone, such as `Europe/Berlin`.
    pub time_zone: String,
}

/// The reason why people cannot be listed: the role may not read them, or the database failed.
#[derive(Debug, thiserror::Error)]
#[error("people cannot be listed; the connection needs the role of the writer or the owner")]
pub struct ListError(#[from] tokio_postgres::Error);

/// Returns the people whose identifiers come after `after`, in the order of their identifiers: at most
/// [`PAGE_PEOPLE_MAX`]. Without `after`, returns the first page; after the last person, returns none.
///
/// # Errors
/// The role of the connection may not read the table of people, or the database failed.
pub async fn list(
    client: &impl GenericClient,
    after: Option<UserId>,
) -> Result<Vec<ListedPerson>, ListError> {
    let statement = "select user_id, email, time_zone from passbook.users \
                     where user_id > $1 order by user_id limit $2";
    // No person has the nil identifier.
    let after = after.map_or(Uuid::nil(), |user| user.as_uuid());
    let rows = client.query(statement, &[&after, &PAGE_PEOPLE_MAX]).await?;
    Ok(rows.iter().map(person).collect::<Result<Vec<_>, _>>()?)
}

#[expect(
    clippy::disallowed_methods,
    reason = "only the operator has the writer's connection, and a job acts for each listed person"
)]
fn person(row: &Row) -> Result<ListedPerson, tokio_postgres::Error> {
    Ok(ListedPerson {
        user: UserId::from_authenticated(row.try_get("user_id")?),
        email: row.try_get("email")?,
        time_zone: row.try_get("time_zone")?,
    })
}
