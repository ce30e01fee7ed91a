//! Administration of people: creating, finding, listing, renaming and deleting.

mod delete;
mod email;
mod overview;
mod rename;

use jiff::Timestamp;
use passbook_domain::Currency;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::load::LoadError;
use passbook_input::Fault;
use passbook_records::id;

pub use delete::{DeletedRows, delete};
pub use overview::{Overview, overview};
pub use rename::rename;

use email::email_fault;

/// The values of a person to be created.
#[derive(Clone, Debug)]
pub struct NewPerson<'a> {
    /// The identifier, which is also the `sub` claim of the person's tokens. If `None`, it is derived from the address.
    pub user_id: Option<Uuid>,
    /// E-mail address, unique without regard to case.
    pub email: &'a str,
    /// The currency in which totals are reported.
    pub preferred_currency: Currency,
    /// IANA time zone name, which determines the current day.
    pub time_zone: &'a str,
}

/// A stored person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The identifier.
    pub user_id: Uuid,
    /// E-mail address.
    pub email: String,
    /// The currency in which totals are reported.
    pub preferred_currency: String,
    /// IANA time zone name.
    pub time_zone: String,
    /// The time at which the person was created.
    pub created_at: Timestamp,
}

/// Stores a person and returns the identifier.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault: an invalid or repeated address, an unknown time zone, a repeated
/// identifier.
pub async fn create(client: &impl GenericClient, person: &NewPerson<'_>) -> Result<Uuid, LoadError> {
    let mut faults = Vec::new();
    let user_id = person.user_id.unwrap_or_else(|| id::user(person.email));
    faults.extend(email_fault(person.email));
    if !is_zone(client, person.time_zone).await? {
        let rule = "must be the name of an IANA time zone, such as Europe/Paris";
        faults.push(Fault::new("time zone", rule).received(person.time_zone));
    }
    if faults.is_empty() && !insert(client, user_id, person).await? {
        faults.push(match find_by_email(client, person.email).await? {
            Some(_) => Fault::new("email", "must not be the address of another user").received(person.email),
            None => taken_identifier(person, user_id),
        });
    }
    if faults.is_empty() { Ok(user_id) } else { Err(LoadError::Faults(faults)) }
}

/// Returns the fault for an identifier that another person already has. A derived identifier can belong to a person who
/// had the same address before.
fn taken_identifier(person: &NewPerson<'_>, user_id: Uuid) -> Fault {
    match person.user_id {
        Some(_) => {
            Fault::new("id", "must not be the identifier of another user").received(user_id.to_string())
        }
        None => {
            let rule = "must be given with an identifier, because the one derived from it is another user's";
            Fault::new("email", rule).received(person.email)
        }
    }
}

/// Inserts the person. Returns false if the identifier or the address is already stored.
async fn insert(
    client: &impl GenericClient,
    user_id: Uuid,
    person: &NewPerson<'_>,
) -> Result<bool, LoadError> {
    let statement = "insert into passbook.users (user_id, email, preferred_currency, time_zone) \
                     values ($1, $2, $3::text, $4) on conflict do nothing";
    let currency = person.preferred_currency.as_str();
    let stored = client.execute(statement, &[&user_id, &person.email, &currency, &person.time_zone]).await;
    Ok(stored.map_err(LoadError::Database)? == 1)
}

/// Returns true if `name` is an IANA time zone. PostgreSQL also accepts abbreviations and offsets, but they ignore
/// daylight saving.
async fn is_zone(client: &impl GenericClient, name: &str) -> Result<bool, LoadError> {
    let statement = "select exists (select from passbook.time_zones as zones where zones.name = $1)";
    let row = client.query_one(statement, &[&name]).await.map_err(LoadError::Database)?;
    row.try_get(0).map_err(LoadError::Database)
}

/// Returns the person with an e-mail address, ignoring case.
pub async fn find_by_email(client: &impl GenericClient, email: &str) -> Result<Option<Person>, LoadError> {
    let statement = "select user_id, email, preferred_currency, time_zone, created_at \
                     from passbook.users \
                     where lower(email collate \"und-x-icu\") = lower($1::text collate \"und-x-icu\")";
    let row = client.query_opt(statement, &[&email]).await.map_err(LoadError::Database)?;
    row.as_ref().map(person).transpose()
}

/// Returns every person, sorted by address.
pub async fn list(client: &impl GenericClient) -> Result<Vec<Person>, LoadError> {
    let statement = "select user_id, email, preferred_currency, time_zone, created_at \
                     from passbook.users \
                     order by lower(email collate \"und-x-icu\") collate \"C\"";
    let rows = client.query(statement, &[]).await.map_err(LoadError::Database)?;
    rows.iter().map(person).collect()
}

fn person(row: &Row) -> Result<Person, LoadError> {
    let read = || {
        Ok(Person {
            user_id: row.try_get("user_id")?,
            email: row.try_get("email")?,
            preferred_currency: row.try_get("preferred_currency")?,
            time_zone: row.try_get("time_zone")?,
            created_at: row.try_get("created_at")?,
        })
    };
    read().map_err(LoadError::Database)
}
