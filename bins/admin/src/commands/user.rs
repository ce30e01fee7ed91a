//! People whose money it is.

use formats::Fault;
use ingest::people::{self, NewPerson, Person};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::arguments::Rehearsal;
use crate::exit::Failure;
use crate::output;

/// Makes a person and prints their identifier.
pub(super) async fn create(
    client: &mut Client,
    person: &NewPerson<'_>,
    rehearsal: Rehearsal,
) -> Result<(), Failure> {
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let user_id = people::create(&transaction, person).await?;
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended.map_err(|error| Failure::database(&error))?;
    super::remark_on_rehearsal(rehearsal);
    output::lines([user_id.to_string()])
}

/// Prints everyone.
pub(super) async fn list(client: &Client) -> Result<(), Failure> {
    let heading = ["id", "email", "currency", "time zone", "created"].map(str::to_owned);
    let mut rows = vec![heading];
    for person in people::list(client).await? {
        rows.push([
            person.user_id.to_string(),
            person.email,
            person.preferred_currency,
            person.time_zone,
            format!("{:.0}", person.created_at),
        ]);
    }
    output::lines(output::table(&rows))
}

/// The identifier of the person with an address, who must exist, where one is given.
pub(super) async fn find_id(client: &Client, email: Option<&str>) -> Result<Option<Uuid>, Failure> {
    match email {
        Some(email) => Ok(Some(find(client, email).await?.user_id)),
        None => Ok(None),
    }
}

/// The person with an address, who must exist.
pub(super) async fn find(client: &Client, email: &str) -> Result<Person, Failure> {
    people::find_by_email(client, email).await?.ok_or_else(|| {
        Failure::input(
            Fault::new("--user", "must be the address of a person; see `user list`").received(email),
        )
    })
}
