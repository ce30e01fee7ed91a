//! A database connection that several people share keeps no state of the previous request, however that request ended.
//! Concurrent requests of many people on few connections return the same responses as sequential requests.

use std::sync::Arc;

use passbook_store::QUERIES;
use serde_json::json;
use tests::app::App;
use tests::catalogue::{Listed, listed, tools};
use tests::database::{execute, one};
use tests::http::Reply;
use tests::mcp::{Era, payload};
use tests::tenant_pair::Tenant;
use tokio::task::JoinSet;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use super::protection::response_text;
use super::requests::{Request, requests};
use crate::outages::clients::send_without_waiting;
use crate::outages::{WAITING, limit_reader, lock_transactions, release, until_sessions};

/// Number of alternations between the two people. After five executions PostgreSQL may switch to a generic plan of a prepared
/// statement.
const ALTERNATIONS: usize = 6;
/// Of this number of requests, an ordinary test run alternates one.
const REQUESTS_STEP: usize = 16;
/// Of this number of operations, or of operations and tools, an ordinary test run sends a request to one.
const OPERATIONS_STEP: usize = 8;

/// The path of the list of transactions.
const LIST: &str = "/v1/transactions";

/// A pair of tenants served over a single database connection.
struct Shared {
    app: App,
    tenants: [Tenant; 2],
}

impl Shared {
    async fn start() -> Shared {
        let app = App::configured(&[("PASSBOOK_DATABASE_CONNECTIONS", "1")]).await;
        let tenants = app.add_tenants().await;
        // Opens the connection.
        app.get("/v1/me", &tenants[0].token).await.ok();
        Shared { app, tenants }
    }

    /// The identifier of the PostgreSQL process of the single connection.
    async fn process(&self) -> i32 {
        let superuser = self.app.database.connect("postgres").await;
        let query = "select pid from pg_stat_activity \
             where datname = current_database() and application_name = 'passbook-server'";
        one(&superuser, query).await
    }

    /// The responses of operations without parameters to a tenant.
    async fn answers(&self, tenant: usize) -> Vec<String> {
        let mut answers = Vec::new();
        for listed in listed().iter().step_by(tests::cases(OPERATIONS_STEP, 1)) {
            let request = Request::plain(&listed.spec);
            let reply = self.app.get(request.path, &self.tenants[tenant].token).await;
            reply.ok();
            answers.push(response_text(&request, &reply));
        }
        answers
    }
}

#[tokio::test]
async fn two_people_alternating_on_one_connection_get_own_rows_only() {
    let shared = Shared::start().await;
    let [one, other] = &shared.tenants;
    let requests = [requests(one, other, &[], 0), requests(other, one, &[], 0)].map(|requests| {
        let simple = requests.into_iter().filter(|request| request.parameters.len() < 2);
        simple.step_by(tests::cases(REQUESTS_STEP, 1)).collect::<Vec<Request>>()
    });
    let mut first = Vec::new();
    let process = shared.process().await;
    for turn in 0..ALTERNATIONS {
        for (number, (mine, yours)) in requests[0].iter().zip(&requests[1]).enumerate() {
            let mut pair = Vec::new();
            for (request, tenant) in [(mine, one), (yours, other)] {
                pair.push(response_text(request, &shared.app.get(&request.target(), &tenant.token).await));
            }
            if turn == 0 {
                first.push(pair);
            } else {
                assert_eq!(pair, first[number], "turn {turn}: {}", mine.target());
            }
        }
    }
    assert_eq!(shared.process().await, process, "all requests used one connection");
    assert!(
        first.iter().all(|pair| !pair[0].contains(&other.id_mark()) && !pair[1].contains(&one.id_mark()))
    );
}

#[tokio::test]
async fn queued_requests_on_one_connection_do_not_mix_people() {
    let shared = Shared::start().await;
    let alone = [shared.answers(0).await, shared.answers(1).await];
    for _ in 0..3 {
        let (one, other) = tokio::join!(shared.answers(0), shared.answers(1));
        assert!(one == alone[0] && other == alone[1]);
    }
}

/// The ways in which a request ends without a success.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// The rows are read, but the grant lacks the scope.
    Forbidden,
    /// A statement exceeds `statement_timeout`; the transaction has failed.
    TimedOut,
    /// A lock is not acquired within `lock_timeout`; the transaction has failed.
    Locked,
    /// The client disconnects while its statement runs.
    Disconnected,
}

#[tokio::test]
async fn request_after_a_failed_one_on_the_same_connection_gets_own_rows_only() {
    for ending in [Ending::Forbidden, Ending::TimedOut, Ending::Locked, Ending::Disconnected] {
        let shared = Shared::start().await;
        let limits = match ending {
            Ending::TimedOut => [("statement_timeout", "2s"), ("lock_timeout", "1min")],
            Ending::Locked => [("statement_timeout", "1min"), ("lock_timeout", "200ms")],
            _ => [("statement_timeout", "1min"), ("lock_timeout", "1min")],
        };
        limit_reader(&shared.app.database, &limits).await;
        let alone = [shared.answers(0).await, shared.answers(1).await];
        let process = shared.process().await;
        for (bad, next) in [(0, 1), (1, 0)] {
            end(&shared, ending, bad).await;
            let answers = shared.answers(next).await;
            assert!(answers == alone[next], "{ending:?}: {answers:#?}");
        }
        // A connection whose statement failed is closed: PostgreSQL may have ended it.
        let survives = matches!(ending, Ending::Forbidden);
        assert_eq!(shared.process().await == process, survives, "{ending:?}");
    }
}

/// Sends a request of a tenant that ends in the given way.
async fn end(shared: &Shared, ending: Ending, tenant: usize) {
    let (app, tenant) = (&shared.app, &shared.tenants[tenant]);
    let user = tenant.household.user.user_id;
    let (token, _) =
        app.token_with(user, &[passbook_domain::scope::Scope::PreferencesRead], true, true).await;
    if matches!(ending, Ending::Forbidden) {
        assert_eq!(app.get(LIST, &token).await.status, 403);
        return;
    }
    // Prepares the query.
    app.get(LIST, &tenant.token).await.ok();
    let lock = lock_transactions(&app.database).await;
    match ending {
        Ending::TimedOut => assert_eq!(app.get(LIST, &tenant.token).await.status, 504),
        Ending::Locked => {
            // A prepared query fails after the grant is read. A caller without the scope does not learn of it.
            assert_eq!(app.get(LIST, &token).await.status, 403);
            assert_eq!(app.get(LIST, &tenant.token).await.status, 503);
        }
        _ => {
            let waiting = send_without_waiting(&app.base_url, LIST, &tenant.token).await;
            until_sessions(&app.database, WAITING, 1).await;
            drop(waiting);
            until_sessions(&app.database, WAITING, 0).await;
        }
    }
    release(&lock).await;
}

/// The session settings about a person outside of a transaction, and the number of rows that the views then show.
async fn session_state(reader: &Client) -> String {
    let settings = "select concat_ws('|', nullif(current_setting('app.user_id', true), ''), \
         nullif(current_setting('app.today', true), ''), nullif(current_setting('app.first_day', true), ''), \
         nullif(current_setting('app.last_day', true), ''), \
         nullif(current_setting('app.session_id', true), ''))";
    let settings: String = one(reader, settings).await;
    let rows = "select (select count(*) from passbook_read.current_user_profile) + (select count(*) from passbook_read.transactions) \
         + (select count(*) from passbook_read.budgets) + (select count(*) from passbook_read.grants)";
    let rows: i64 = one(reader, rows).await;
    format!("{settings} {rows}")
}

#[tokio::test]
async fn session_forgets_the_person_after_commit_rollback_and_error() {
    let Shared { app, tenants } = Shared::start().await;
    let reader = app.database.connect(passbook_schema::READER).await;
    let open = QUERIES.iter().find(|query| query.name == "open_session").expect("the query exists");
    let open = reader.prepare(open.sql).await.expect("the query fits the schema");
    let nothing = session_state(&reader).await;
    assert_eq!(nothing, " 0");
    for ending in ["commit", "rollback", "select 1/0; commit"] {
        for (number, tenant) in tenants.iter().enumerate() {
            let user = tenant.household.user.user_id;
            let fixed = (number == 0).then_some(tests::household::day("2001-02-03"));
            let (kind, token) = ("personal_access_token", tenant.token_id.to_string());
            let (no_day, no_range): (Option<jiff::civil::Date>, Option<&str>) = (None, None);
            let (no_number, session): (Option<i32>, _) = (None, Some("session"));
            execute(&reader, "begin isolation level repeatable read, read only").await;
            let parameters: [&(dyn ToSql + Sync); 12] = [
                &user, &kind, &token, &no_day, &no_day, &no_range, &no_number, &no_number, &fixed, &session,
                &true, &true,
            ];
            let row = reader.query_one(&open, &parameters).await.expect("the session opens");
            let (email, today): (String, jiff::civil::Date) = (row.get("email"), row.get("today"));
            assert_eq!(email, tenant.household.user.email, "{ending}");
            assert_eq!(
                today == tests::household::day("2001-02-03"),
                number == 0,
                "a fixed day applies to one request only"
            );
            let strangers = "select count(*) from passbook_read.transactions where user_id <> $1";
            let strangers: i64 = reader.query_one(strangers, &[&user]).await.expect("the query runs").get(0);
            assert_eq!(strangers, 0);
            let ended = reader.batch_execute(ending).await;
            if ended.is_err() {
                execute(&reader, "rollback").await;
            }
            assert_eq!(ended.is_err(), ending.starts_with("select"), "{ending}");
            assert_eq!(session_state(&reader).await, nothing, "after {ending}");
        }
    }
}

const PEOPLE: usize = 20;
const REQUESTS: usize = 200;
/// Maximum number of attempts of one request. A response of 503 means that all connections are in use.
const ATTEMPTS_MAX: usize = 50;

/// A request without parameters.
enum Plain {
    Route(Request),
    Tool(&'static str),
}

/// The list of transactions, and requests for other operations and calls of tools.
fn plain_requests() -> Vec<Plain> {
    let (lists, others): (Vec<Listed>, Vec<Listed>) =
        listed().into_iter().partition(|listed| listed.spec.path == LIST);
    let route = |listed: Listed| Plain::Route(Request::plain(&listed.spec));
    let calls = tools().into_iter().map(|(tool, _)| Plain::Tool(tool));
    let others = others.into_iter().map(route).chain(calls);
    lists.into_iter().map(route).chain(others.step_by(tests::cases(OPERATIONS_STEP, 1))).collect()
}

/// Sends a request until it is answered. Returns the status and the body, of a tool its payload.
async fn send_until_available(app: &App, tenant: &Tenant, request: &Plain) -> String {
    // A request waits for a permit of its user (429) and for a database connection (503) for a limited time.
    let is_busy = |reply: &Reply| [429, 503].contains(&reply.status.as_u16());
    for _ in 0..ATTEMPTS_MAX {
        match request {
            Plain::Route(request) => {
                let reply = app.get(&request.target(), &tenant.token).await;
                if !is_busy(&reply) {
                    return response_text(request, &reply);
                }
            }
            Plain::Tool(tool) => {
                let reply = app.call(Era::Modern, &tenant.token, tool, json!({})).await;
                if !is_busy(&reply) && reply.json()["result"]["isError"] != true {
                    return format!("200 {}", payload(&reply));
                }
            }
        }
    }
    panic!("a request is still not answered after {ATTEMPTS_MAX} attempts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_of_twenty_people_return_own_rows_only() {
    use passbook_domain::category::{ExpenseCategory, IncomeCategory};
    let app = Arc::new(App::start().await);
    app.load(Tenant::rates()).await;
    let mut tenants = Vec::new();
    for (number, factor) in (0..PEOPLE).zip(1..) {
        let tenant = Tenant::new(
            &format!("person{number:02}"),
            factor,
            ExpenseCategory::Tobacco,
            IncomeCategory::Pension,
        );
        app.load(tenant.records()).await;
        tenants.push(Arc::new(tenant));
    }
    let requests = Arc::new(plain_requests());
    let mut alone = Vec::new();
    for tenant in &tenants {
        let mut answers = Vec::new();
        for request in requests.iter() {
            let answer = send_until_available(&app, tenant, request).await;
            assert!(answer.starts_with("200"), "{answer}");
            for other in tenants.iter().filter(|other| other.word != tenant.word) {
                let leaks = answer.contains(&other.word) || answer.contains(&other.id_mark());
                assert!(!leaks, "the response to {} has a mark of {}: {answer}", tenant.word, other.word);
            }
            answers.push(answer);
        }
        alone.push(answers);
    }
    let distinct: std::collections::BTreeSet<&String> = alone.iter().map(|answers| &answers[0]).collect();
    assert_eq!(distinct.len(), PEOPLE, "every person has a different list");
    let mut crowd = JoinSet::new();
    for number in 0..REQUESTS {
        let (app, requests) = (app.clone(), requests.clone());
        let (person, index) = (number % PEOPLE, (number / PEOPLE + number) % requests.len());
        let tenant = tenants[person].clone();
        crowd.spawn(async move {
            let request = &requests[index];
            (person, index, send_until_available(&app, &tenant, request).await)
        });
    }
    let mut count = 0;
    while let Some(answer) = crowd.join_next().await {
        let (person, index, answer) = answer.expect("the request ends without a panic");
        assert_eq!(answer, alone[person][index], "request {index} of person {person}");
        count += 1;
    }
    assert_eq!(count, REQUESTS);
}
