//! The query plan of a grant lookup: indexes only, and few pages even with a hundred thousand clients.

use serde_json::Value;
use tests::app::App;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

/// Number of clients.
const CLIENTS: i64 = 100_000;
/// Number of people, each with tokens, consents and sessions.
const PEOPLE: i64 = 2_000;
/// Maximum number of pages that a lookup may read.
const PAGES_MAX: i64 = 60;

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
    client.batch_execute(&fill).await.expect("a superuser can fill the tables");
}

/// The generic plan of a grant lookup by the reader role, with the number of pages read.
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

fn pages(plan: &Value) -> i64 {
    ["Shared Hit Blocks", "Shared Read Blocks"].iter().filter_map(|key| plan[*key].as_i64()).sum()
}

#[tokio::test]
async fn grant_lookup_uses_indexes_only_among_a_hundred_thousand_clients() {
    let app = App::start().await;
    let [one, other] = Tenant::pair();
    for tenant in [&one, &other] {
        app.load(tenant.records()).await;
    }
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
        assert!(pages(plan) <= PAGES_MAX, "{credential} {reference}: {} pages: {plan:#}", pages(plan));
    }
}
