//! Serves the application with an isolation mechanism switched off. The product has no such switch: the superuser turns
//! row-level security off in the test's database, and a proxy removes the predicates from the queries.
//! Detects data of one tenant in a response to another.

use passbook_server::settings::Settings;
use passbook_store::{QUERIES, Query, Store, StoreConfig};
use serde_json::Value;
use tests::app::{App, TODAY, settings};
use tests::database::{Database, execute};
use tests::http::Reply;
use tests::proxy::{PredicateRemoval, Proxy, without_predicates};
use tests::tenant_pair::{Tenant, unmarked};
use tokio_postgres::Client;
use uuid::Uuid;

use super::requests::Request;

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
    let mut config = StoreConfig::new(proxy.configuration().into());
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
    execute(superuser, disable).await;
}

/// Removes the predicates of those functions of the reading contract that take a user and that `chosen` selects.
async fn remove_function_predicates(superuser: &Client, chosen: fn(&str) -> bool) {
    let functions = "select proname::text, pg_get_functiondef(oid) from pg_proc \
         where pronamespace = 'passbook_read'::regnamespace";
    let mut changed = Vec::new();
    for row in superuser.query(functions, &[]).await.expect("the functions are read") {
        let (name, function): (&str, &str) = (row.get(0), row.get(1));
        if let Some(function) = without_predicates(function, "of_user", "of_user").filter(|_| chosen(name)) {
            execute(superuser, &function).await;
            changed.push(name.to_owned());
        }
    }
    assert_eq!(
        changed.contains(&OPEN_SESSION.to_owned()),
        chosen(OPEN_SESSION),
        "open_session must have a user predicate"
    );
}

/// A lower bound in cents: at most the smallest amount of the first tenant, and above the sum of the second's amounts.
const FIRST_TENANT_CENTS_MIN: f64 = 1e9;
/// Placeholder for a value that the request contained.
const SENT: &str = "(sent)";

/// The kinds of leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeakKind {
    /// The response has a mark of the other tenant.
    Mark,
    /// The response differs when the other tenant does not exist.
    Existence,
    /// A value of the other tenant gives another response than a nonexistent value.
    Identifier,
    /// A row of the other tenant left the database, even if the response does not contain it.
    Row,
}

/// A leak that was found in a response.
#[derive(Clone, Debug)]
pub(super) struct Leak {
    pub(super) operation: &'static str,
    pub(super) kind: LeakKind,
    /// The request and the response, for diagnosis.
    pub(super) evidence: String,
}

impl Leak {
    pub(super) fn new(request: &Request, kind: LeakKind, evidence: impl std::fmt::Display) -> Leak {
        Leak { operation: request.operation, kind, evidence: format!("{}: {evidence}", request.target()) }
    }
}

/// The response as text: status, headers and body. Omits the values that differ between any two responses: the request
/// identifier, the date, and in error responses the parameter values that the request contained.
pub(super) fn response_text(request: &Request, reply: &Reply) -> String {
    let mut headers: Vec<String> = reply
        .headers
        .iter()
        .filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    headers.sort_unstable();
    let body = String::from_utf8_lossy(&reply.body);
    let mut response_text = format!("{}\n{}\n\n{body}", reply.status, headers.join("\n"));
    response_text = response_text.replace(reply.header("x-request-id"), "");
    if !reply.status.is_success() {
        // A fault of an item of a list repeats the item.
        let sent =
            request.parameters.iter().flat_map(|(_, value)| [&value[..]].into_iter().chain(value.split(',')));
        for value in sent.filter(|value| !value.is_empty()) {
            let escaped = Value::from(value).to_string();
            response_text = response_text.replace(escaped.trim_matches('"'), SENT).replace(value, SENT);
        }
    }
    response_text
}

/// The marks of a tenant in a response: the marker word, identifiers, categories, and amounts.
pub(super) fn marks(of: &Tenant, request: &Request, reply: &Reply) -> Vec<String> {
    let text = response_text(request, reply).to_lowercase();
    let mut marks: Vec<String> =
        [of.word.clone(), of.id_mark()].into_iter().filter(|mark| text.contains(mark.as_str())).collect();
    if reply.status.is_success() {
        let categories = of.categories.map(|category| category.as_str());
        scalars(&reply.json(), &mut |value| match value {
            Value::String(word) if categories.contains(&word.as_str()) => marks.push(word.clone()),
            Value::Number(number) if is_amount_of(of, number) => marks.push(number.to_string()),
            _ => {}
        });
    }
    marks
}

/// Returns true if the amount is one of the tenant. Only the first tenant of a pair is recognised by its amounts.
fn is_amount_of(tenant: &Tenant, number: &serde_json::Number) -> bool {
    tenant.factor > 1 && number.as_f64().is_some_and(|number| number.abs() >= FIRST_TENANT_CENTS_MIN)
}

fn scalars(value: &Value, found: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, found)),
        Value::Object(members) => members.values().for_each(|member| scalars(member, found)),
        scalar => found(scalar),
    }
}

/// The shape of a JSON value: members and lengths of lists, without values and without the marks of identifiers.
pub(super) fn shape(value: &Value) -> Value {
    match value {
        // The order of a list may depend on the tenant's own category.
        Value::Array(items) => {
            let mut shapes: Vec<Value> = items.iter().map(shape).collect();
            shapes.sort_by_cached_key(Value::to_string);
            Value::Array(shapes)
        }
        Value::Object(members) => {
            let unmarked = |name: &String| match name.parse::<Uuid>() {
                Ok(id) => unmarked(id).to_string(),
                Err(_) => name.clone(),
            };
            members.iter().map(|(name, member)| (unmarked(name), shape(member))).collect()
        }
        Value::String(_) => Value::from("text"),
        Value::Number(_) => Value::from("number"),
        Value::Bool(_) => Value::from("boolean"),
        Value::Null => Value::Null,
    }
}

/// A short text about the first twenty leaks.
pub(super) fn summary(leaks: &[Leak]) -> String {
    let lines = leaks.iter().take(20).map(|leak| {
        let evidence: String = leak.evidence.chars().take(600).collect();
        format!("{} ({:?}): {evidence}", leak.operation, leak.kind)
    });
    format!("{} leaks\n{}", leaks.len(), lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn every_user_predicate_is_removed_and_other_text_is_unchanged() {
    let without = |text| without_predicates(text, "$1", "$1::uuid");
    assert_eq!(
        without("where t.user_id = $1 and t.a = $2 or user_id=$1"),
        Some("where $1::uuid is not null and t.a = $2 or $1::uuid is not null".to_owned())
    );
    assert_eq!(without("where t.user_id = $10 and a.user_id = b.user_id and user_id in ($1)"), None);
    assert_eq!(
        without_predicates("where people.user_id = of_user;", "of_user", "of_user"),
        Some("where of_user is not null;".to_owned())
    );
}
