//! Loads the demo household into a database, replacing an earlier one.

use jiff::civil::Date;
use tokio_postgres::Client;

use super::household::household;
use super::person::{TIME_ZONE, USER_ID};
use ingest::load::{self, LoadError, Options};

/// Returns the current day in the demo person's time zone, by the database's clock.
pub async fn today(client: &Client) -> Result<Date, LoadError> {
    let row = client
        .query_one("select (now() at time zone $1)::date", &[&TIME_ZONE])
        .await
        .map_err(LoadError::Database)?;
    row.try_get(0).map_err(LoadError::Database)
}

/// Replaces everything that belongs to the demo person, tokens included, with the household that ends today. Rows of
/// other people are not touched. Exchange rates, which everyone shares, are updated.
///
/// The connection must use the role that may write. Deleting and loading are two transactions, so an interrupted call
/// may leave no demo person; the next call restores the household.
pub async fn install(client: &mut Client, today: Date) -> Result<(), LoadError> {
    client
        .execute("delete from passbook.users where user_id = $1", &[&USER_ID])
        .await
        .map_err(LoadError::Database)?;
    load::load(client, household(today).into_iter().map(Ok), Options::default()).await?;
    Ok(())
}
