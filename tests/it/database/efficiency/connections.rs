//! The choice of the connection that a request gets from the pool.

use passbook_domain::ports::{TokenDirectory as _, TokenHash};
use passbook_store::{Config, Store};
use tests::database::Database;
use tokio::join;

/// A search for a token, which takes a connection of the pool. No token has this hash.
async fn search(store: &Store) {
    let owner = store.find(TokenHash::new([0; 32])).await.expect("the database answers");
    assert!(owner.is_none());
}

/// A busy user's slow requests, which follow each other, must use one process of PostgreSQL: the system's scheduler lets a
/// process that was idle for long run before the processes of other users.
#[tokio::test]
async fn requests_that_follow_each_other_use_one_connection() {
    let database = Database::fresh().await;
    let store = Store::new(Config::new(database.configuration(passbook_schema::READER).into()))
        .expect("valid settings");
    join!(search(&store), search(&store), search(&store));
    assert_eq!(store.pool_status().connections, 3);
    let observer = database.connect("postgres").await;
    let now = "select clock_timestamp()";
    let since: std::time::SystemTime = observer.query_one(now, &[]).await.expect("a time").get(0);
    for _ in 0..4 {
        search(&store).await;
    }
    let used = "select count(*) from pg_stat_activity
                where datname = current_database() and usename = 'passbook_reader' and query_start > $1";
    let used: i64 = observer.query_one(used, &[&since]).await.expect("a number").get(0);
    assert_eq!(used, 1);
}
