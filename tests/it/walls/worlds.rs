//! Worlds in which a wall is missing. Nothing here is a switch of the product: row-level security is taken from the
//! test's own database, and the predicates from the messages between the store and PostgreSQL.

use server::settings::Settings;
use store::{Config, QUESTIONS, Question, Store};
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::proxy::{PredicateRemoval, Proxy, without_predicates};
use tokio_postgres::Client;

/// The question that has its predicate in the database, where it is a function.
pub(super) const OPEN_SESSION: &str = "open_session";

/// Which questions say `user_id = $1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicates {
    /// As they are shipped.
    All,
    /// All but the one of this name.
    AllBut(&'static str),
    /// None.
    None,
}

/// Which walls stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    pub(super) predicates: Predicates,
    pub(super) row_security: bool,
}

/// An application in a world, and the proxy through which it asks.
pub(super) struct Served {
    pub(super) app: App,
    pub(super) proxy: Proxy,
}

/// The questions that are held to a user by a predicate of their own.
pub(super) fn questions_with_predicates() -> Vec<&'static Question> {
    let named = |question: &&Question| without_predicates(question.sql, "$1", "$1::uuid").is_some();
    QUESTIONS.iter().filter(named).collect()
}

/// An application in a world over an empty database.
pub(super) async fn serve(world: World) -> Served {
    let database = Database::fresh().await;
    if !world.row_security {
        disable_row_security(&database.connect("postgres").await).await;
    }
    serve_over(database, world).await
}

/// An application in a world over a database of that world. The start-up check would refuse one without row-level
/// security, so it is asked only where there is one.
pub(super) async fn serve_over(database: Database, world: World) -> Served {
    let reader = database.configuration(schema::READER);
    let only = |name| QUESTIONS.iter().find(|question| question.name == name).expect("a question").sql;
    let loosened = match world.predicates {
        Predicates::All | Predicates::AllBut(OPEN_SESSION) => PredicateRemoval::None,
        Predicates::AllBut(name) => PredicateRemoval::Query(only(name)),
        Predicates::None => PredicateRemoval::All,
    };
    let proxy = Proxy::start(reader, loosened);
    let superuser = database.connect("postgres").await;
    match world.predicates {
        Predicates::All => {}
        Predicates::AllBut(OPEN_SESSION) => loosen_functions(&superuser, |name| name == OPEN_SESSION).await,
        // What a question asks of a function that is given its user is the question's own predicate.
        Predicates::AllBut(_) => loosen_functions(&superuser, |name| name != OPEN_SESSION).await,
        Predicates::None => loosen_functions(&superuser, |_| true).await,
    }
    let settings = Settings { today: Some(TODAY), ..settings(&[]) };
    let config = Config {
        connection: proxy.configuration(),
        connections_max: settings.database_connections,
        today: settings.today,
    };
    let store = Store::new(config).expect("the address is one");
    if world.row_security {
        assert_eq!(store::check(&store).await.expect("the database answers"), [], "{world:?}");
    }
    Served { app: App::serve(database, settings, store).await, proxy }
}

async fn disable_row_security(superuser: &Client) {
    let disable = "do $$ declare name regclass; begin \
         for name in select oid from pg_class where relnamespace = 'passbook'::regnamespace and relrowsecurity loop \
         execute format('alter table %s disable row level security, no force row level security', name); \
         end loop; end $$";
    superuser.batch_execute(disable).await.expect("a superuser may");
}

/// Takes the predicates out of functions of the reading contract that are given a user.
async fn loosen_functions(superuser: &Client, chosen: fn(&str) -> bool) {
    let functions = "select proname::text, pg_get_functiondef(oid) from pg_proc \
         where pronamespace = 'passbook_read'::regnamespace";
    let mut loosened = Vec::new();
    for row in superuser.query(functions, &[]).await.expect("the catalogue answers") {
        let (name, function): (&str, &str) = (row.get(0), row.get(1));
        if let Some(function) = without_predicates(function, "of_user", "of_user").filter(|_| chosen(name)) {
            superuser.batch_execute(&function).await.expect("a superuser may");
            loosened.push(name.to_owned());
        }
    }
    assert_eq!(loosened.contains(&OPEN_SESSION.to_owned()), chosen(OPEN_SESSION), "it looks a person up");
}
