//! Two twins in one database, in every world: what either is told is what they would be told if the other did not
//! exist.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use tests::app::App;
use tests::catalogue::listed;
use tests::http::Reply;
use tests::tenant_pair::Tenant;

use super::asks::{Ask, asks};
use super::findings::{Betrayal, Finding, form, marks, summary, told};
use super::worlds::{OPEN_SESSION, Predicates, Served, World, questions_with_predicates, serve, serve_over};

/// Combinations of parameters of each operation.
const COMBINATIONS: usize = 40;
/// Cursors of the other that are replayed.
const CURSORS_MAX: usize = 2;
/// Requests under way at a time.
const AT_ONCE: usize = 4;
/// Operations that give nothing of a person away, and why.
const WITHOUT_PERSONAL_ROWS: [(&str, &str); 0] = [];

/// The twins' database, and what each may know of the other.
struct Pair {
    served: Served,
    tenants: [Tenant; 2],
    asks: [Vec<Ask>; 2],
}

impl Pair {
    /// Both twins in one database, each with the requests they will send.
    async fn meet(world: World, combinations: usize) -> Pair {
        let served = serve(world).await;
        let tenants = Tenant::pair();
        served.app.load(Tenant::rates()).await;
        let mut cursors = Vec::new();
        for tenant in &tenants {
            served.app.load(tenant.records()).await;
        }
        for (tenant, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
            let replies = replies(&served.app, tenant, &asks(tenant, other, &[], 0)).await;
            cursors.push(next_cursors(&replies));
        }
        let asks = [
            asks(&tenants[0], &tenants[1], &cursors[1], combinations),
            asks(&tenants[1], &tenants[0], &cursors[0], combinations),
        ];
        Pair { served, tenants, asks }
    }

    /// Everything that either is told of the other.
    async fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (me, other) in [(0, 1), (1, 0)] {
            let (tenant, asks) = (&self.tenants[me], &self.asks[me]);
            self.served.proxy.clear_responses();
            let together = replies(&self.served.app, tenant, asks).await;
            for (ask, reply) in asks.iter().zip(&together) {
                self.look(&mut findings, (me, other), ask, reply).await;
            }
            if self.rows_left(other) {
                findings.push(Finding::new(&asks[0], Betrayal::Row, "or another request of the same person"));
            }
            self.remove(other).await;
            let alone = replies(&self.served.app, tenant, asks).await;
            self.served.app.load(self.tenants[other].records()).await;
            for ((ask, together), alone) in asks.iter().zip(&together).zip(&alone) {
                compare(&mut findings, ask, Betrayal::Existence, &told(ask, together), &told(ask, alone));
            }
        }
        findings
    }

    /// Whether any answer betrays anybody. Most is seen at the first glance, while both are there.
    async fn is_found_out(&self) -> bool {
        let mut findings = Vec::new();
        for (me, other) in [(0, 1), (1, 0)] {
            self.served.proxy.clear_responses();
            // The simplest first: most operations betray themselves at once.
            let mut asks: Vec<&Ask> = self.asks[me].iter().collect();
            asks.sort_by_key(|ask| ask.parameters.len());
            for ask in asks {
                let reply = get(&self.served.app, &self.tenants[me], ask).await;
                self.look(&mut findings, (me, other), ask, &reply).await;
                if !findings.is_empty() {
                    return true;
                }
            }
            if self.rows_left(other) {
                return true;
            }
        }
        !self.findings().await.is_empty()
    }

    /// Whether a row of a twin has left the database since the proxy last forgot.
    fn rows_left(&self, tenant: usize) -> bool {
        let (proxy, tenant) = (&self.served.proxy, &self.tenants[tenant]);
        proxy.response_contains(tenant.word.as_bytes()) || proxy.response_contains(tenant.id_bytes())
    }

    /// What one answer to one of the two says of the other.
    async fn look(&self, findings: &mut Vec<Finding>, (me, other): (usize, usize), ask: &Ask, reply: &Reply) {
        let marks = marks(&self.tenants[other], ask, reply);
        if !marks.is_empty() {
            findings.push(Finding::new(ask, Betrayal::Mark, format!("{marks:?} in {:?}", reply.body)));
        }
        if let Some(nonexistent_neighbor) = ask.for_nobodys() {
            let expected = get(&self.served.app, &self.tenants[me], &nonexistent_neighbor).await;
            let expected = told(&nonexistent_neighbor, &expected);
            compare(findings, ask, Betrayal::Identifier, &told(ask, reply), &expected);
        }
    }

    async fn remove(&self, tenant: usize) {
        let user = self.tenants[tenant].household.user.user_id;
        self.served.app.write(&format!("delete from passbook.users where user_id = '{user}'")).await;
    }
}

fn compare(findings: &mut Vec<Finding>, ask: &Ask, betrayal: Betrayal, found: &str, expected: &str) {
    if found != expected {
        findings.push(Finding::new(ask, betrayal, format!("{found}\n  instead of\n{expected}")));
    }
}

async fn get(app: &App, tenant: &Tenant, ask: &Ask) -> Reply {
    app.get(&ask.target(), &tenant.token).await
}

/// The answers, several being waited for at a time.
async fn replies(app: &App, tenant: &Tenant, asks: &[Ask]) -> Vec<Reply> {
    stream::iter(asks).map(|ask| get(app, tenant, ask)).buffered(AT_ONCE).collect().await
}

/// Cursors that were given out, spread over all answers that have one.
fn next_cursors(replies: &[Reply]) -> Vec<Value> {
    let given = replies.iter().filter(|reply| reply.status.is_success());
    let all: Vec<Value> =
        given.filter_map(|reply| reply.json().pointer("/pagination/nextCursor").cloned()).collect();
    let step = all.len().div_ceil(CURSORS_MAX).max(1);
    all.into_iter().step_by(step).collect()
}

/// Operations whose answers are about the person who asks.
fn personal() -> impl Iterator<Item = &'static str> {
    let listed = listed().into_iter().map(|listed| listed.spec.id);
    listed.filter(|id| !WITHOUT_PERSONAL_ROWS.iter().any(|(without, _)| without == id))
}

/// The suite in a world where at least one wall stands.
async fn holds(world: World) {
    let pair = Pair::meet(world, COMBINATIONS).await;
    let findings = pair.findings().await;
    assert!(findings.is_empty(), "{world:?}: {}", summary(&findings));
    for question in questions_with_predicates() {
        let rewritten = pair.served.proxy.was_rewritten(question.sql);
        let expected = world.predicates == Predicates::None;
        assert_eq!(rewritten, expected, "{world:?}: {} is asked, and as it should be", question.name);
    }
}

#[tokio::test]
async fn with_both_walls_nobody_is_told_of_another() {
    holds(World { predicates: Predicates::All, row_security: true }).await;
}

#[tokio::test]
async fn row_level_security_suffices_when_every_question_forgets_its_user() {
    holds(World { predicates: Predicates::None, row_security: true }).await;
}

#[tokio::test]
async fn the_predicates_suffice_when_row_level_security_is_off() {
    holds(World { predicates: Predicates::All, row_security: false }).await;
}

#[tokio::test]
async fn without_either_wall_every_operation_shows_rows_of_another() {
    let pair = Pair::meet(World { predicates: Predicates::None, row_security: false }, 0).await;
    let findings = pair.findings().await;
    let foreign = |finding: &&Finding| finding.betrayal == Betrayal::Mark;
    let leaking: BTreeSet<&str> = findings.iter().filter(foreign).map(|finding| finding.operation).collect();
    let expected: BTreeSet<&str> = personal().collect();
    assert_eq!(leaking, expected, "the suite must see every operation leak: {}", summary(&findings));
}

#[tokio::test]
async fn each_question_that_forgets_its_user_alone_is_found_out() {
    let mut pair = Pair::meet(World { predicates: Predicates::All, row_security: false }, 0).await;
    let questions = questions_with_predicates();
    let names = questions.iter().map(|question| question.name).chain([OPEN_SESSION]);
    for name in names {
        let world = World { predicates: Predicates::AllBut(name), row_security: false };
        pair.served = serve_over(pair.served.app.database.clone(), world).await;
        assert!(pair.is_found_out().await, "nobody notices that {name} is not held to its user");
    }
}

#[tokio::test]
async fn the_twins_have_something_to_betray() {
    let pair = Pair::meet(World { predicates: Predicates::All, row_security: true }, COMBINATIONS).await;
    let app = &pair.served.app;
    let [rich, poor] = &pair.tenants;
    for listed in listed() {
        let ask = pair.asks[0].iter().find(|ask| ask.operation == listed.spec.id).expect("it is asked");
        let (riches, poverty) = (get(app, rich, ask).await, get(app, poor, ask).await);
        assert_eq!(form(&riches.ok()), form(&poverty.ok()), "{}: both have the same rows", ask.target());
        let exempt = WITHOUT_PERSONAL_ROWS.iter().any(|(id, _)| *id == ask.operation);
        assert_eq!(marks(rich, ask, &riches).is_empty(), exempt, "{}: {:?}", ask.target(), riches.body);
    }
    assert!(pair.rows_left(0) && pair.rows_left(1), "rows are seen when they leave the database");
    for (tenant, asks) in pair.tenants.iter().zip(&pair.asks) {
        let replies = replies(app, tenant, asks).await;
        let good = replies.iter().filter(|reply| reply.status.is_success()).count();
        assert!(good * 2 > replies.len(), "{good} of {} requests are answered", replies.len());
        assert!(asks.iter().any(|ask| ask.parameters.iter().any(|(name, _)| *name == "cursor")));
    }
}
