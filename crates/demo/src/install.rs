//! Loads the demo household into a database, replacing an earlier one.

use jiff::civil::Date;
use passbook_ingest::load::{self, LoadError, Options};
use tokio_postgres::{Client, Error, Transaction};

use super::accounts::{EMAIL, TIME_ZONE, USER_ID};
use super::household::household;

/// Creates the temporary tables for the rows that survive the deletion of the demo person.
const SAVED_ROWS: &str = "\
    create temp table saved_clients (like passbook.oauth_clients) on commit drop;
    create temp table saved_tokens (like passbook.personal_access_tokens) on commit drop;
    create temp table saved_consents (like passbook.oauth_consents) on commit drop;
    create temp table saved_sessions (like passbook.oauth_sessions) on commit drop;";

/// Copies the rows that survive the deletion of the demo person. Each statement has the person as its parameter. The
/// rows are the clients and everything that is revoked: without these rows, a revoked consent or session would
/// be accepted again.
const SAVE: [&str; 4] = [
    "insert into saved_clients select * from passbook.oauth_clients where user_id = $1",
    "insert into saved_tokens select * from passbook.personal_access_tokens \
     where user_id = $1 and revoked_at is not null",
    "insert into saved_consents select * from passbook.oauth_consents \
     where user_id = $1 and revoked_at is not null",
    "insert into saved_sessions select * from passbook.oauth_sessions \
     where user_id = $1 and revoked_at is not null",
];

/// Stores the copied rows again.
const RESTORE: &str = "\
    insert into passbook.oauth_clients select * from saved_clients;
    insert into passbook.personal_access_tokens select * from saved_tokens;
    insert into passbook.oauth_consents select * from saved_consents;
    insert into passbook.oauth_sessions select * from saved_sessions;";

/// Returns the current day in the demo person's time zone, by the database's clock.
pub async fn today(client: &Client) -> Result<Date, LoadError> {
    let row = client.query_one("select (now() at time zone $1)::date", &[&TIME_ZONE]).await?;
    Ok(row.try_get(0)?)
}

/// Replaces everything that belongs to the demo person with the household that ends today. Tokens are deleted too, but
/// every revocation stays: revoked tokens, consents and sessions, and all clients. Rows of other
/// people are not touched. Exchange rates, which everyone shares, are updated.
///
/// The connection must use the role that may write. Deleting and loading are two transactions, so an interrupted call
/// may leave a demo person without data; the next call restores the household.
pub async fn install(client: &mut Client, today: Date) -> Result<(), LoadError> {
    let transaction = client.transaction().await?;
    delete_data(&transaction).await?;
    transaction.commit().await?;
    load::load(client, household(today).into_iter().map(Ok), Options::default()).await?;
    Ok(())
}

/// Deletes the demo person with all rows, and stores the person and the revocations again.
async fn delete_data(transaction: &Transaction<'_>) -> Result<(), Error> {
    transaction.batch_execute(SAVED_ROWS).await?;
    for statement in SAVE {
        transaction.execute(statement, &[&USER_ID]).await?;
    }
    if transaction.execute("delete from passbook.users where user_id = $1", &[&USER_ID]).await? == 1 {
        let person = "insert into passbook.users (user_id, email) values ($1, $2)";
        transaction.execute(person, &[&USER_ID, &EMAIL]).await?;
        transaction.batch_execute(RESTORE).await?;
    }
    Ok(())
}
