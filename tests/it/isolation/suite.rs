//! Two tenants in one database, with and without each isolation mechanism: each tenant gets the responses that it would
//! get if the other did not exist.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use tests::app::App;
use tests::catalogue::{Listed, listed};
use tests::database::{one, tables};
use tests::http::Reply;
use tests::tenant_pair::Tenant;

use super::protection::{
    Leak, LeakKind, OPEN_SESSION, Predicates, Protection, Served, marks, queries_with_predicates,
    response_text, serve, serve_database, shape, summary,
};
use super::requests::{Request, requests};

/// Number of random combinations of parameters per operation, in an ordinary and in a thorough test run.
const COMBINATIONS: (usize, usize) = (1, 40);
/// Of this number of queries, an ordinary test run removes the predicate of one.
const QUERIES_STEP: usize = 32;
/// Number of cursors of the other tenant that are replayed.
const CURSORS_MAX: usize = 2;
/// Number of requests after which their responses are searched for a leak.
const REQUESTS_AT_ONCE: usize = 16;
/// Both mechanisms, as in a deployment.
const BOTH: Protection = Protection { predicates: Predicates::All, row_security: true };

/// A pair of tenants in one database, with the requests that each of them sends.
struct TenantPair {
    served: Served,
    tenants: [Tenant; 2],
    requests: [Vec<Request>; 2],
}

impl TenantPair {
    /// Loads both tenants and prepares the requests of each.
    async fn start(protection: Protection, combinations: usize) -> TenantPair {
        let served = serve(protection).await;
        let tenants = served.app.add_tenants().await;
        let mut cursors = Vec::new();
        let has_cursor =
            |listed: &Listed| listed.parameters.iter().any(|parameter| parameter.name == "cursor");
        let paged: Vec<&str> = listed().into_iter().filter(has_cursor).map(|listed| listed.spec.id).collect();
        for tenant in &tenants {
            served.app.write(&tenant.import_rows()).await;
        }
        for (tenant, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
            let mut requests = requests(tenant, other, &[], 0);
            requests.retain(|request| request.parameters.len() < 2 && paged.contains(&request.operation));
            cursors.push(next_cursors(&replies(&served.app, tenant, &requests).await));
        }
        let requests = [
            requests(&tenants[0], &tenants[1], &cursors[1], combinations),
            requests(&tenants[1], &tenants[0], &cursors[0], combinations),
        ];
        TenantPair { served, tenants, requests }
    }

    /// All leaks between the two tenants in the responses to the requests that are `wanted`.
    async fn leaks(&self, wanted: impl Fn(&Request) -> bool) -> Vec<Leak> {
        let mut leaks = Vec::new();
        for (me, other) in [(0, 1), (1, 0)] {
            let tenant = &self.tenants[me];
            let requests: Vec<&Request> = self.requests[me].iter().filter(|one| wanted(one)).collect();
            let Some(first) = requests.first() else { continue };
            self.served.proxy.clear_responses();
            let together = replies(&self.served.app, tenant, requests.iter().copied()).await;
            for (request, reply) in requests.iter().zip(&together) {
                self.check_response(&mut leaks, (me, other), request, reply).await;
            }
            if self.rows_left_database(other) {
                leaks.push(Leak::new(first, LeakKind::Row, "or another request of the same person"));
            }
            self.remove(other).await;
            let alone = replies(&self.served.app, tenant, requests.iter().copied()).await;
            self.served.app.load(self.tenants[other].records()).await;
            self.served.app.write(&self.tenants[other].import_rows()).await;
            for ((request, together), alone) in requests.iter().zip(&together).zip(&alone) {
                compare(
                    &mut leaks,
                    request,
                    LeakKind::Existence,
                    &response_text(request, together),
                    &response_text(request, alone),
                );
            }
        }
        leaks
    }

    /// The operations whose responses to either tenant contain marks of the other.
    async fn leaking_operations(&self) -> BTreeSet<&'static str> {
        let mut leaking = BTreeSet::new();
        for (me, other) in [(0, 1), (1, 0)] {
            for request in &self.requests[me] {
                if leaking.contains(request.operation) {
                    continue;
                }
                let reply = get(&self.served.app, &self.tenants[me], request).await;
                if !marks(&self.tenants[other], request, &reply).is_empty() {
                    leaking.insert(request.operation);
                }
            }
        }
        leaking
    }

    /// The first operation that executes each query, by the name of the query. The proxy must remove all predicates, because it
    /// knows only the queries that it has rewritten.
    async fn executing_operations(&self) -> BTreeMap<&'static str, &'static str> {
        let (mut executing, mut others) = (BTreeMap::new(), queries_with_predicates());
        for request in &self.requests[0] {
            get(&self.served.app, &self.tenants[0], request).await;
            for query in others.extract_if(.., |query| self.served.proxy.was_rewritten(query.sql)) {
                executing.insert(query.name, request.operation);
            }
        }
        executing
    }

    /// Returns true if a response leaks data without the predicate of a query. Checks first the operation that executes it.
    async fn has_leak(&self, operation: Option<&str>) -> bool {
        for is_likely in [true, false] {
            let wanted = |request: &Request| (Some(request.operation) == operation) == is_likely;
            if self.has_visible_leak(wanted).await || !self.leaks(wanted).await.is_empty() {
                return true;
            }
        }
        false
    }

    /// Returns true if a response to a request that is `wanted` leaks data that is visible while both tenants exist.
    async fn has_visible_leak(&self, wanted: impl Fn(&Request) -> bool) -> bool {
        let mut leaks = Vec::new();
        for (me, other) in [(0, 1), (1, 0)] {
            self.served.proxy.clear_responses();
            // The simplest requests first: most operations leak without parameters.
            let mut requests: Vec<&Request> = self.requests[me].iter().filter(|one| wanted(one)).collect();
            requests.sort_by_key(|request| request.parameters.len());
            for some in requests.chunks(REQUESTS_AT_ONCE) {
                let replies = replies(&self.served.app, &self.tenants[me], some.iter().copied()).await;
                for (request, reply) in some.iter().zip(&replies) {
                    self.check_response(&mut leaks, (me, other), request, reply).await;
                    if !leaks.is_empty() {
                        return true;
                    }
                }
            }
            if self.rows_left_database(other) {
                return true;
            }
        }
        false
    }

    /// Returns true if a row of a tenant has left the database since the recorded responses were cleared.
    fn rows_left_database(&self, tenant: usize) -> bool {
        let (proxy, tenant) = (&self.served.proxy, &self.tenants[tenant]);
        proxy.response_contains(tenant.word.as_bytes()) || proxy.response_contains(tenant.id_bytes())
    }

    /// Checks one response to `me` for data of `other`.
    async fn check_response(
        &self,
        leaks: &mut Vec<Leak>,
        (me, other): (usize, usize),
        request: &Request,
        reply: &Reply,
    ) {
        let marks = marks(&self.tenants[other], request, reply);
        if !marks.is_empty() {
            leaks.push(Leak::new(request, LeakKind::Mark, format!("{marks:?} in {:?}", reply.body)));
        }
        if let Some(nonexistent) = request.with_nonexistent_values() {
            let expected = get(&self.served.app, &self.tenants[me], &nonexistent).await;
            let expected = response_text(&nonexistent, &expected);
            compare(leaks, request, LeakKind::Identifier, &response_text(request, reply), &expected);
        }
    }

    /// Removes the requests that an ordinary test run sends in one test only, and those with several parameters.
    fn keep_short_requests(&mut self) {
        let parameters_max = tests::cases(1, usize::MAX);
        for requests in &mut self.requests {
            requests
                .retain(|request| request.parameters.len() <= parameters_max && request.is_in_every_test());
        }
    }

    async fn remove(&self, tenant: usize) {
        let user = self.tenants[tenant].household.user.user_id;
        self.served.app.write(&format!("delete from passbook.users where user_id = '{user}'")).await;
    }
}

fn compare(leaks: &mut Vec<Leak>, request: &Request, kind: LeakKind, found: &str, expected: &str) {
    if found != expected {
        leaks.push(Leak::new(request, kind, format!("{found}\n  instead of\n{expected}")));
    }
}

async fn get(app: &App, tenant: &Tenant, request: &Request) -> Reply {
    app.get(&request.target(), &tenant.token).await
}

/// The responses, in the order of the requests.
async fn replies<'a>(
    app: &App,
    tenant: &Tenant,
    requests: impl IntoIterator<Item = &'a Request>,
) -> Vec<Reply> {
    stream::iter(requests).then(|request| get(app, tenant, request)).collect().await
}

/// A selection of cursors, evenly spread over all responses that have one.
fn next_cursors(replies: &[Reply]) -> Vec<Value> {
    let given = replies.iter().filter(|reply| reply.status.is_success());
    let all: Vec<Value> =
        given.filter_map(|reply| reply.json().pointer("/pagination/nextCursor").cloned()).collect();
    let step = all.len().div_ceil(CURSORS_MAX).max(1);
    all.into_iter().step_by(step).collect()
}

fn combinations() -> usize {
    tests::cases(COMBINATIONS.0, COMBINATIONS.1)
}

/// Runs the suite with at least one isolation mechanism switched on.
async fn assert_no_leak(protection: Protection) {
    let mut pair = TenantPair::start(protection, combinations()).await;
    // An ordinary run sends all requests in one test only: the one in which every query must run without its predicate.
    if protection.predicates == Predicates::All {
        pair.keep_short_requests();
    }
    let leaks = pair.leaks(|_| true).await;
    assert!(leaks.is_empty(), "{protection:?}: {}", summary(&leaks));
    for query in queries_with_predicates() {
        let rewritten = pair.served.proxy.was_rewritten(query.sql);
        let expected = protection.predicates == Predicates::None;
        assert_eq!(
            rewritten, expected,
            "{protection:?}: {} was executed with the wrong predicates",
            query.name
        );
    }
}

#[tokio::test]
async fn no_leak_with_predicates_and_row_level_security() {
    assert_no_leak(BOTH).await;
}

#[tokio::test]
async fn no_leak_with_row_level_security_alone() {
    assert_no_leak(Protection { predicates: Predicates::None, row_security: true }).await;
}

#[tokio::test]
async fn no_leak_with_predicates_alone() {
    assert_no_leak(Protection { predicates: Predicates::All, row_security: false }).await;
}

#[tokio::test]
async fn every_operation_leaks_without_predicates_and_row_level_security() {
    let mut pair =
        TenantPair::start(Protection { predicates: Predicates::None, row_security: false }, 0).await;
    // Every operation leaks with one parameter already.
    pair.keep_short_requests();
    let expected: BTreeSet<&str> = listed().into_iter().map(|listed| listed.spec.id).collect();
    assert_eq!(pair.leaking_operations().await, expected, "the suite must see every operation leak");
}

#[tokio::test]
async fn leak_is_detected_when_a_single_query_loses_its_predicate() {
    let without_both = Protection { predicates: Predicates::None, row_security: false };
    let executing = TenantPair::start(without_both, 0).await.executing_operations().await;
    let mut pair =
        TenantPair::start(Protection { predicates: Predicates::All, row_security: false }, 0).await;
    let queries = queries_with_predicates();
    let names = queries.iter().map(|query| query.name).chain([OPEN_SESSION]);
    for name in names.step_by(tests::cases(QUERIES_STEP, 1)) {
        let protection = Protection { predicates: Predicates::AllBut(name), row_security: false };
        pair.served = serve_database(pair.served.app.database.clone(), protection).await;
        assert!(
            pair.has_leak(executing.get(name).copied()).await,
            "no leak was detected although {name} has no user predicate"
        );
    }
}

#[tokio::test]
async fn fixture_fills_every_operation_for_both_tenants_with_marked_rows() {
    let mut pair = TenantPair::start(BOTH, tests::cases(0, COMBINATIONS.1)).await;
    pair.keep_short_requests();
    let app = &pair.served.app;
    let [tenant, other] = &pair.tenants;
    for listed in listed() {
        let request = pair.requests[0]
            .iter()
            .find(|request| request.operation == listed.spec.id)
            .expect("every operation is requested");
        let (first, second) = (get(app, tenant, request).await, get(app, other, request).await);
        assert_eq!(
            shape(&first.ok()),
            shape(&second.ok()),
            "{}: both tenants must have the same rows",
            request.target()
        );
        assert!(!marks(tenant, request, &first).is_empty(), "{}: {:?}", request.target(), first.body);
    }
    assert!(
        pair.rows_left_database(0) && pair.rows_left_database(1),
        "the proxy must see rows of both tenants"
    );
    for (tenant, requests) in pair.tenants.iter().zip(&pair.requests) {
        let replies = replies(app, tenant, requests).await;
        let good = replies.iter().filter(|reply| reply.status.is_success()).count();
        assert!(good * 2 > replies.len(), "only {good} of {} requests succeed", replies.len());
        assert!(requests.iter().any(|request| request.parameters.iter().any(|(name, _)| *name == "cursor")));
    }
}

/// Text columns without a mark: their values are from a closed list or made by the database.
const WITHOUT_MARK: [&str; 19] = [
    "category",
    "category_kind",
    "currency",
    "date_order",
    "kind",
    "last_four",
    "measure",
    "original_currency",
    "preferred_currency",
    "side",
    "status",
    "time_zone",
    "type",
    "unconverted_currency",
    // The identifier of a tenant's own client, which contains the mark in the table of clients.
    "client_id",
    // Derived from a text that has the mark.
    "merchant_key",
    "refunded_category",
    "refunded_merchant_key",
    // The span of a total: day, month, year or all.
    "period",
];

/// The text columns of a table that are not generated.
const TEXTS: &str = "select a.attname::text from pg_attribute as a \
     where a.attrelid = ('passbook.' || $1)::regclass and a.atttypid = 'text'::regtype and a.attgenerated = '' \
     and not a.attisdropped";

#[tokio::test]
async fn fixture_fills_every_personal_table_for_both_tenants() {
    let app = App::start().await;
    let tenants = app.add_tenants().await;
    for tenant in &tenants {
        app.write(&tenant.import_rows()).await;
    }
    let superuser = app.database.connect("postgres").await;
    let tables = tables(&superuser).await.into_iter().filter(|(_, is_personal)| *is_personal);
    let tables: Vec<String> = tables.map(|(table, _)| table).collect();
    assert!(tables.len() > 15, "the query must find all tables");
    for table in &tables {
        let texts = superuser.query(TEXTS, &[table]).await.expect("the columns are read");
        let mut counts = Vec::new();
        for tenant in &tenants {
            let user = tenant.household.user.user_id;
            let own = format!("select count(*) from passbook.{table} where user_id = '{user}'");
            let rows = one::<i64>(&superuser, &own).await;
            assert!(rows > 0, "{table} has no row of {}", tenant.word);
            counts.push(rows);
            for column in texts.iter().map(|row| row.get::<_, &str>(0)) {
                let marked = format!("{own} and lower({column}) like '%{}%'", tenant.word);
                let has = one::<i64>(&superuser, &marked).await > 0;
                assert!(
                    has || WITHOUT_MARK.contains(&column),
                    "{table}.{column} has no mark of {}",
                    tenant.word
                );
            }
        }
        assert_eq!(counts[0], counts[1], "{table}: the tenants have the same rows");
    }
}
