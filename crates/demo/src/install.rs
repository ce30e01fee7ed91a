//! Puts the demo household into a database, in place of the one that an earlier start left there.

use jiff::civil::Date;
use tokio_postgres::Client;

use super::household::household;
use super::person::{TIME_ZONE, USER_ID};
use ingest::load::{self, LoadError, Options};

/// The day it is for the person of the demo household, by the database's clock.
pub async fn today(client: &Client) -> Result<Date, LoadError> {
    let row = client
        .query_one("select (now() at time zone $1)::date", &[&TIME_ZONE])
        .await
        .map_err(LoadError::Database)?;
    row.try_get(0).map_err(LoadError::Database)
}

/// Replaces everything that belongs to the demo person, their tokens included, with the household that ends
/// today. Nobody else's rows are touched; the exchange rates, which everyone shares, are brought up to date.
///
/// The connection must be the writer's. The loader's transaction is its own, so a set-up that is interrupted may
/// leave no demo person behind; the next one makes it whole.
pub async fn install(client: &mut Client, today: Date) -> Result<(), LoadError> {
    client
        .execute("delete from passbook.users where user_id = $1", &[&USER_ID])
        .await
        .map_err(LoadError::Database)?;
    load::load(client, household(today).into_iter().map(Ok), Options::default()).await?;
    Ok(())
}
