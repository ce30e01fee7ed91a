//! Kinds of OAuth clients: their users, scopes and surfaces, which hold whatever the identity provider has approved. The
//! query plan of a grant lookup: indexes only, and few blocks even with a hundred thousand clients.

use passbook_domain::scope::Scope;
use passbook_ingest::clients::ClientKind::{self, KnownMcp, PersonalDashboard};
use serde_json::Value;
use tests::app::App;
use tests::catalogue::listed;
use tests::database::execute;
use tests::household::Household;
use tests::plans::blocks;
use tokio_postgres::Client;

use super::{Caller, Connection};

/// Identifier, kind and scopes of a client, true if it may use REST, and the error code for two people: the owner of a
/// dashboard and another person. Operations without an error need a scope of the client.
type Case = (&'static str, ClientKind, &'static [Scope], bool, Option<&'static str>, Option<&'static str>);

const FORBIDDEN: Option<&str> = Some("FORBIDDEN");
const SOME_SCOPES: &[Scope] = &[Scope::BanksRead, Scope::PortfolioRead, Scope::PreferencesRead];

const CASES: &[Case] = &[
    ("dashboard", PersonalDashboard, Scope::ALL, true, None, FORBIDDEN),
    ("connector", KnownMcp, Scope::ALL, true, None, None),
    ("dashboard-of-tools", PersonalDashboard, Scope::ALL, false, FORBIDDEN, FORBIDDEN),
    ("connector-of-tools", KnownMcp, Scope::ALL, false, FORBIDDEN, FORBIDDEN),
    ("reads-cashflow", PersonalDashboard, &[Scope::CashflowRead], true, None, FORBIDDEN),
    ("reads-the-rest", KnownMcp, SOME_SCOPES, true, None, None),
];

async fn two_people() -> (App, Household, Household) {
    let app = App::start().await;
    let ((owner, _), (other, _)) = (app.add_person().await, app.add_person().await);
    (app, owner, other)
}

#[tokio::test]
async fn dashboard_serves_its_owner_only_and_known_client_serves_everyone() {
    let (app, owner, other) = two_people().await;
    for &(client_id, kind, scopes, rest, of_owner, of_other) in CASES {
        let registered_for = (kind == PersonalDashboard).then_some(owner.user.user_id);
        app.add_client(client_id, registered_for, scopes, rest).await;
        for (person, error) in [(&owner, of_owner), (&other, of_other)] {
            let caller = Caller::client(person.user.user_id, client_id, None);
            let mut connection = Connection::open(&app.database, &caller).await;
            for operation in listed() {
                let lacks = operation.spec.scope.is_some_and(|scope| !scopes.contains(&scope));
                let error = error.or(lacks.then_some("INSUFFICIENT_SCOPE"));
                let expected = (if error.is_some() { 403 } else { 200 }, error);
                let (status, code) = connection.status_and_code(operation.spec.path).await;
                let place = format!("{} of {client_id} for {}", operation.spec.path, person.user.email);
                assert_eq!((status.as_u16(), code.as_deref()), expected, "{place}");
            }
        }
    }
}

#[tokio::test]
async fn dashboard_of_a_deleted_owner_serves_nobody() {
    let (app, owner, other) = two_people().await;
    app.add_client("dashboard", Some(owner.user.user_id), Scope::ALL, true).await;
    let mut connections = Vec::new();
    for (person, first) in [(&owner, 200), (&other, 403)] {
        let caller = Caller::client(person.user.user_id, "dashboard", None);
        let mut connection = Connection::open(&app.database, &caller).await;
        assert_eq!(connection.status("/v1/me").await, first);
        connections.push(connection);
    }
    app.write(&format!("delete from passbook.users where user_id = '{}'", owner.user.user_id)).await;
    for mut connection in connections {
        assert_eq!(connection.status("/v1/me").await, 401);
    }
}

/// Number of clients.
const CLIENTS: i64 = 100_000;
/// Number of people, each with tokens, consents and sessions.
const PEOPLE: i64 = 2_000;
/// Maximum number of blocks that a lookup may read.
const BLOCKS_MAX: u64 = 60;

/// Adds rows of other people to every table of the grants.
async fn add_other_people(client: &Client) {
    let fill = format!(
        "insert into passbook.users (user_id, email, preferred_currency, time_zone)
           select gen_random_uuid(), 'someone' || n || '@crowd.example', 'EUR', 'UTC' from generate_series(1, {PEOPLE}) n;
         insert into passbook.oauth_clients (client_id, kind, name, scopes)
           select 'client-' || n, 'known_mcp', 'Client', '{{}}' from generate_series(1, {CLIENTS}) n;
         insert into passbook.oauth_consents (user_id, client_id)
           select user_id, 'client-' || n from passbook.users, generate_series(1, 5) n where email like '%@crowd.example';
         insert into passbook.oauth_sessions (user_id, session_id, client_id)
           select user_id, 'session-' || n, 'client-1' from passbook.users, generate_series(1, 5) n
           where email like '%@crowd.example';
         insert into passbook.personal_access_tokens
           (user_id, token_id, token_hash, name, last_four, scopes, expires_at)
           select user_id, id, sha256(id::text::bytea), 'Token', '0000', '{{}}', now() + interval '1 day'
           from (select user_id, gen_random_uuid() as id from passbook.users where email like '%@crowd.example') as u;
         analyze passbook.users, passbook.oauth_clients, passbook.oauth_consents, passbook.oauth_sessions,
           passbook.personal_access_tokens"
    );
    execute(client, &fill).await;
}

/// The generic plan of a grant lookup by the reader role, with the number of blocks read.
async fn lookup(reader: &Client, user: &str, credential: &str, reference: &str) -> Value {
    let lookup_script = format!(
        "begin read only; set local plan_cache_mode = force_generic_plan;
         select set_config('app.user_id', '{user}', true), set_config('app.session_id', 'session-1', true);
         prepare lookup (uuid, text, text) as select grants.* from (values ($1)) as requested (user_id)
           left join passbook_read.grants as grants
             on grants.user_id = requested.user_id and grants.credential = $2 and grants.reference = $3;
         explain (analyze, buffers, costs off, timing off, summary off, format json)
           execute lookup ('{user}', '{credential}', '{reference}');
         deallocate lookup; commit"
    );
    let messages = reader.simple_query(&lookup_script).await.expect("the query runs");
    let plan = messages.iter().filter_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.try_get("QUERY PLAN").ok().flatten(),
        _ => None,
    });
    let plan: String = plan.collect();
    serde_json::from_str(&plan).expect("the plan is JSON")
}

/// All nodes of a plan.
fn nodes(plan: &Value) -> Vec<&Value> {
    let inner = plan["Plans"].as_array().into_iter().flatten().flat_map(nodes);
    std::iter::once(plan).chain(inner).collect()
}

#[tokio::test]
async fn grant_lookup_uses_indexes_only_among_a_hundred_thousand_clients() {
    let app = App::start().await;
    let [one, other] = app.add_tenants().await;
    let superuser = app.database.connect("postgres").await;
    add_other_people(&superuser).await;
    let reader = app.database.connect(passbook_schema::READER).await;
    let user = one.household.user.user_id.to_string();
    for (credential, reference) in [
        ("oauth_client", one.client_id()),
        ("oauth_client", format!("client-{CLIENTS}")),
        ("oauth_client", "unknown".to_owned()),
        ("personal_access_token", one.token_id.to_string()),
        ("personal_access_token", other.token_id.to_string()),
    ] {
        let explained = lookup(&reader, &user, credential, &reference).await;
        let plan = &explained[0]["Plan"];
        let scans: Vec<&Value> =
            nodes(plan).into_iter().filter(|node| node["Relation Name"].is_string()).collect();
        assert!(scans.len() >= 5, "the plan must contain every table of the grants: {explained:#}");
        for scan in scans {
            let condition = ["Index Cond", "Recheck Cond"].iter().any(|key| scan[*key].is_string());
            assert!(condition, "{credential}: a scan without an index: {scan:#}");
        }
        assert!(blocks(plan) <= BLOCKS_MAX, "{credential} {reference}: {} blocks: {plan:#}", blocks(plan));
    }
}
