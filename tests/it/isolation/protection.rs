//! Serves the application with an isolation mechanism switched off. The product has no such switch: the superuser turns
//! row-level security off in the test's database, and a proxy removes the predicates from the queries.

use passbook_server::settings::Settings;
use passbook_store::{Config, QUERIES, Query, Store};
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::proxy::{PredicateRemoval, Proxy, without_predicates};
use tokio_postgres::Client;

/// The query whose predicate is inside a database function.
pub(super) const OPEN_SESSION: &str = "open_session";

/// The queries that keep their predicate `user_id = $1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicates {
    /// Every query, as shipped.
    All,
    /// Every query except the one of this name.
    AllBut(&'static str),
    /// No query.
    None,
}

/// The isolation mechanisms that are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Protection {
    pub(super) predicates: Predicates,
    pub(super) row_security: bool,
}

/// A running application and the proxy between its store and PostgreSQL.
pub(super) struct Served {
    pub(super) app: App,
    pub(super) proxy: Proxy,
}

/// The queries that have a user predicate.
pub(super) fn queries_with_predicates() -> Vec<&'static Query> {
    let named = |query: &&Query| without_predicates(query.sql, "$1", "$1::uuid").is_some();
    QUERIES.iter().filter(named).collect()
}

/// Serves an empty database with the given isolation mechanisms.
pub(super) async fn serve(protection: Protection) -> Served {
    let database = Database::fresh().await;
    if !protection.row_security {
        disable_row_security(&database.connect("postgres").await).await;
    }
    serve_database(database, protection).await
}

/// Serves a database whose row-level security is as `protection` states. The start-up check runs only with row-level
/// security, because it rejects a database without.
pub(super) async fn serve_database(database: Database, protection: Protection) -> Served {
    let reader = database.configuration(passbook_schema::READER);
    let only = |name| QUERIES.iter().find(|query| query.name == name).expect("the query exists").sql;
    let removal = match protection.predicates {
        Predicates::All | Predicates::AllBut(OPEN_SESSION) => PredicateRemoval::None,
        Predicates::AllBut(name) => PredicateRemoval::Query(only(name)),
        Predicates::None => PredicateRemoval::All,
    };
    let proxy = Proxy::start(reader, removal);
    let superuser = database.connect("postgres").await;
    match protection.predicates {
        Predicates::All => {}
        Predicates::AllBut(OPEN_SESSION) => {
            remove_function_predicates(&superuser, |name| name == OPEN_SESSION).await
        }
        // A function that takes a user is part of the query's own predicate.
        Predicates::AllBut(_) => remove_function_predicates(&superuser, |name| name != OPEN_SESSION).await,
        Predicates::None => remove_function_predicates(&superuser, |_| true).await,
    }
    let settings = Settings { today: Some(TODAY), ..settings(&[]) };
    let mut config = Config::new(proxy.configuration().into());
    (config.connections_max, config.today) = (settings.database_connections, settings.today);
    let store = Store::new(config).expect("the configuration is valid");
    if protection.row_security {
        assert_eq!(passbook_store::check(&store).await.expect("the check runs"), [], "{protection:?}");
    }
    Served { app: App::serve(database, settings, store).await, proxy }
}

async fn disable_row_security(superuser: &Client) {
    let disable = "do $$ declare name regclass; begin \
         for name in select oid from pg_class where relnamespace = 'passbook'::regnamespace and relrowsecurity loop \
         execute format('alter table %s disable row level security, no force row level security', name); \
         end loop; end $$";
    superuser.batch_execute(disable).await.expect("a superuser can disable row-level security");
}

/// Removes the predicates of those functions of the reading contract that take a user and that `chosen` selects.
async fn remove_function_predicates(superuser: &Client, chosen: fn(&str) -> bool) {
    let functions = "select proname::text, pg_get_functiondef(oid) from pg_proc \
         where pronamespace = 'passbook_read'::regnamespace";
    let mut changed = Vec::new();
    for row in superuser.query(functions, &[]).await.expect("the functions are read") {
        let (name, function): (&str, &str) = (row.get(0), row.get(1));
        if let Some(function) = without_predicates(function, "of_user", "of_user").filter(|_| chosen(name)) {
            superuser.batch_execute(&function).await.expect("a superuser can replace a function");
            changed.push(name.to_owned());
        }
    }
    assert_eq!(
        changed.contains(&OPEN_SESSION.to_owned()),
        chosen(OPEN_SESSION),
        "open_session must have a user predicate"
    );
}
