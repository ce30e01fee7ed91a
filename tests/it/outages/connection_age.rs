//! Database connections end at their age, also without traffic. `cargo lab faults` shows that they also end when
//! PostgreSQL waits for their end to stop.

use std::time::Duration;

use passbook_domain::ports::{ReadError, TokenDirectory as _, TokenHash};
use passbook_server::settings::Settings;
use passbook_store::{Config, Store};
use tests::app::{App, TODAY, settings};
use tests::database::Database;

use super::until_sessions;

/// Uses one connection of the pool: no token has this hash.
async fn use_connection(store: &Store) -> Result<(), ReadError> {
    store.find(TokenHash::new([0; 32])).await.map(|owner| assert!(owner.is_none()))
}

/// Returns the process of the session of the reader that was opened last.
async fn last_session(database: &Database) -> i32 {
    let query = "select pid from pg_stat_activity where datname = current_database() and usename = 'passbook_reader' \
                 order by backend_start desc limit 1";
    database.connect("postgres").await.query_one(query, &[]).await.expect("a session").get(0)
}

#[tokio::test]
async fn connection_that_has_reached_its_age_is_replaced() {
    for (age, is_replaced) in [(Duration::ZERO, true), (Config::CONNECTION_AGE_DEFAULT, false)] {
        let database = Database::fresh().await;
        let config = Config::new(database.configuration(passbook_schema::READER).into());
        let store = Store::new(config.with_connection_age(age)).expect("valid settings");
        use_connection(&store).await.expect("the database answers");
        let first = last_session(&database).await;
        use_connection(&store).await.expect("the database answers");
        assert_eq!(last_session(&database).await != first, is_replaced, "{age:?}");
    }
}

#[tokio::test]
async fn connection_that_nobody_uses_ends_at_its_age() {
    let settings = Settings { today: Some(TODAY), database_connection_age: Duration::ZERO, ..settings(&[]) };
    let app = App::start_with(Database::fresh().await, settings).await;
    // The start-up check has opened one.
    until_sessions(&app.database, "true", 0).await;
}
