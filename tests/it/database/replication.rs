//! A primary and its standby, by PostgreSQL's streaming replication: data are read on the standby, grants on the primary.

use hyper::Method;
use passbook_domain::category::ExpenseCategory;
use serde_json::Value;
use tests::app::{App, TODAY, settings};
use tests::database::{execute, one};
use tests::household::Household;
use tests::http::Reply;
use tests::postgres::Postgres;
use tokio_postgres::Client;

use crate::outages::TIMEOUT;

/// A server that reads from a primary and a standby.
struct Replicated {
    primary: Postgres,
    standby: Postgres,
    app: App,
    household: Household,
    token: String,
}

impl Replicated {
    /// Starts everything, with one person and one token. `lag_seconds` is the bound of the standby.
    async fn start(lag_seconds: &str) -> Replicated {
        let primary = Postgres::start("").await;
        let standby = primary.standby().await;
        // The order of the hosts has no meaning, so the standby comes first.
        let url = format!(
            "postgresql://passbook_reader@{},{}/money?target_session_attrs=prefer-standby",
            standby.host(),
            primary.host()
        );
        let mut settings = settings(&[
            ("PASSBOOK_DATABASE_URL", &url),
            ("PASSBOOK_DATABASE_STANDBY_LAG_SECONDS", lag_seconds),
        ]);
        settings.today = Some(TODAY);
        let app = App::start_with_url(settings).await;
        let mut household = Household::new();
        household.expense("2026-11-01", ExpenseCategory::Rent, 120_000, "EUR");
        let mut writer = primary.session("passbook_writer").await;
        tests::app::load_records(&mut writer, household.records()).await;
        let (token, _) = tests::app::create_token(&writer, household.user.user_id).await;
        let replicated = Replicated { primary, standby, app, household, token };
        replicated.until_replayed().await;
        replicated
    }

    /// Waits until the standby has replayed everything that the primary has written.
    async fn until_replayed(&self) {
        let (primary, standby) =
            (self.primary.session("postgres").await, self.standby.session("postgres").await);
        let position: String = text(&primary, "select pg_current_wal_insert_lsn()::text").await;
        let replayed = format!("select (pg_last_wal_replay_lsn() >= '{position}')::text");
        let waiting = tests::until(async || text(&standby, &replayed).await == "true");
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the standby follows");
    }

    async fn pause_replay(&self) {
        let standby = self.standby.session("postgres").await;
        execute(&standby, "select pg_wal_replay_pause()").await;
        let state = "select pg_get_wal_replay_pause_state()";
        let waiting = tests::until(async || text(&standby, state).await == "paused");
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the standby pauses");
    }

    async fn get(&self) -> Reply {
        self.app.get("/v1/transactions", &self.token).await
    }

    /// Stores another transaction on the primary.
    async fn add_transaction(&mut self) {
        self.household.expense("2026-11-02", ExpenseCategory::Groceries, 5_000, "EUR");
        let mut writer = self.primary.session("passbook_writer").await;
        tests::app::load_records(&mut writer, self.household.records()).await;
    }

    /// Waits until requests are answered from the standby: it has sessions that execute queries of this test.
    async fn until_standby_is_read(&self) {
        let standby = self.standby.session("postgres").await;
        let sessions = "select count(*)::text from pg_stat_activity where application_name = 'passbook-server' \
                        and query like '%commit%'";
        let waiting = async {
            while text(&standby, sessions).await == "0" {
                self.get().await.ok();
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the standby is read");
    }
}

async fn text(client: &Client, query: &str) -> String {
    one(client, query).await
}

fn count(reply: &Value) -> usize {
    reply["transactions"].as_array().expect("a list").len()
}

#[tokio::test]
async fn data_come_from_the_standby_and_the_grant_from_the_primary() {
    let mut replicated = Replicated::start("60").await;
    replicated.until_standby_is_read().await;
    replicated.pause_replay().await;
    replicated.add_transaction().await;
    assert_eq!(count(&replicated.get().await.ok()), 1, "the standby has not replayed the second transaction");
    // A new token is found at once, although the standby does not know it.
    let writer = replicated.primary.session("passbook_writer").await;
    let (new, _) = tests::app::create_token(&writer, replicated.household.user.user_id).await;
    assert_eq!(count(&replicated.app.get("/v1/transactions", &new).await.ok()), 1);
    // The copy of the grant on the standby is still live.
    execute(&writer, "update passbook.personal_access_tokens set revoked_at = now()").await;
    assert_eq!(replicated.get().await.status, 401, "a grant that is revoked on the primary");
    assert_eq!(replicated.app.get("/v1/transactions", &new).await.status, 401);
}

#[tokio::test]
async fn person_whom_the_standby_does_not_know_yet_is_served_by_the_primary() {
    let replicated = Replicated::start("60").await;
    replicated.until_standby_is_read().await;
    replicated.pause_replay().await;
    let mut other = Household::new();
    other.expense("2026-11-03", ExpenseCategory::Rent, 1, "EUR");
    let mut writer = replicated.primary.session("passbook_writer").await;
    tests::app::load_records(&mut writer, other.records()).await;
    let (token, _) = tests::app::create_token(&writer, other.user.user_id).await;
    assert_eq!(count(&replicated.app.get("/v1/transactions", &token).await.ok()), 1);
}

#[tokio::test]
async fn standby_that_lags_beyond_the_bound_is_left_out() {
    let mut replicated = Replicated::start("1").await;
    replicated.until_standby_is_read().await;
    replicated.pause_replay().await;
    replicated.add_transaction().await;
    let current = async { while count(&replicated.get().await.ok()) != 2 {} };
    tokio::time::timeout(TIMEOUT, current).await.expect("the primary is read");
    // It stays left out as long as it lags.
    for _ in 0..20 {
        assert_eq!(count(&replicated.get().await.ok()), 2);
    }
    // It catches up, and is read again.
    let standby = replicated.standby.session("postgres").await;
    execute(&standby, "select pg_wal_replay_resume()").await;
    replicated.until_replayed().await;
    replicated.until_standby_is_read().await;
}

#[tokio::test]
async fn killed_standby_costs_no_request() {
    let mut replicated = Replicated::start("60").await;
    replicated.until_standby_is_read().await;
    replicated.standby.signal("KILL");
    for _ in 0..100 {
        assert_eq!(count(&replicated.get().await.ok()), 1);
    }
    replicated.standby.wait();
    for _ in 0..100 {
        assert_eq!(count(&replicated.get().await.ok()), 1);
    }
    replicated.standby.resume().await;
    replicated.until_standby_is_read().await;
}

#[tokio::test]
async fn frozen_standby_costs_no_request() {
    let replicated = Replicated::start("60").await;
    replicated.until_standby_is_read().await;
    // The sessions of the standby too, which are child processes.
    replicated.standby.signal_all("STOP");
    for _ in 0..20 {
        assert_eq!(count(&replicated.get().await.ok()), 1);
    }
    replicated.standby.signal_all("CONT");
    replicated.until_standby_is_read().await;
}

#[tokio::test]
async fn failover_refuses_requests_until_the_standby_is_promoted() {
    let mut replicated = Replicated::start("60").await;
    replicated.until_standby_is_read().await;
    replicated.primary.kill();
    // The standby has data and a live grant, but nobody knows whether the grant is still live.
    for _ in 0..20 {
        let reply = replicated.get().await;
        reply.assert_error(503, "UNAVAILABLE", "");
    }
    assert_eq!(replicated.app.send(Method::GET, "/ready", &[]).await.status, 503);
    let cluster = replicated.standby.cluster();
    replicated.standby.run("pg_ctl", &["promote", "-D", cluster.to_str().expect("UTF-8")]);
    let served = tests::until(async || {
        let reply = replicated.get().await;
        assert!(reply.status == 200 || reply.status == 503, "never another answer");
        reply.status == 200 && count(&reply.json()) == 1
    });
    tokio::time::timeout(TIMEOUT, served).await.expect("the new primary is found");
    // A revocation on the new primary counts at once.
    let writer = replicated.standby.session("passbook_writer").await;
    execute(&writer, "update passbook.personal_access_tokens set revoked_at = now()").await;
    assert_eq!(replicated.get().await.status, 401);
    // The old primary returns as it was. It has a live grant, but the timeline of the new primary is higher.
    replicated.primary.resume().await;
    for _ in 0..50 {
        assert_eq!(replicated.get().await.status, 401);
    }
}
