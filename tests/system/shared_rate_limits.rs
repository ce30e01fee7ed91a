//! Two servers that count requests together in Redis. The limits are so low that no request is regained while a test runs.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hyper::Method;
use passbook_server::settings::Settings;
use tests::app::{App, TODAY, checked_store, settings};
use tests::database::Database;
use tests::household::Household;
use tests::http::Reply;
use tests::redis::Redis;
use uuid::Uuid;

/// Time limit of a wait. A successful wait takes a fraction of it.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Requests per minute of a client. A third of them may come at once.
const CLIENT: &str = "6";
const BURST: usize = 2;

struct Servers {
    redis: Redis,
    apps: [App; 2],
    person: Uuid,
    /// Number of requests so far. Each comes from another client address, because the look-ups of new tokens are limited
    /// by address.
    requests: AtomicU32,
}

impl Servers {
    /// Starts Redis and two servers with one database, and waits until both count in Redis.
    async fn start() -> Servers {
        let redis = Redis::start();
        let limits = [
            ("PASSBOOK_RATE_LIMIT_USER", "0"),
            ("PASSBOOK_RATE_LIMIT_CLIENT", CLIENT),
            ("PASSBOOK_RATE_LIMIT_STORE", &redis.url()),
            ("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1"),
        ];
        let settings = Settings { today: Some(TODAY), ..settings(&limits) };
        let one = App::start_with(Database::fresh().await, settings.clone()).await;
        let store = checked_store(&settings, one.database.configuration(passbook_schema::READER)).await;
        let two = App::serve(Database::fresh().await, settings, store).await;
        let household = Household::new();
        one.load(household.records()).await;
        let person = household.user.user_id;
        let servers = Servers { redis, apps: [one, two], person, requests: AtomicU32::new(0) };
        servers.until_shared().await;
        servers
    }

    async fn token(&self) -> String {
        self.apps[0].token(self.person).await
    }

    /// Waits until both servers count in Redis.
    async fn until_shared(&self) {
        for app in 0..2 {
            let counting = async {
                loop {
                    assert_eq!(self.redis.execute("FLUSHALL").as_deref(), Some("+OK"));
                    self.get(app, &self.token().await).await.ok();
                    if self.redis.execute("DBSIZE").as_deref() == Some(":1") {
                        break;
                    }
                }
            };
            tokio::time::timeout(TIMEOUT, counting).await.expect("the server connects to Redis");
        }
    }

    async fn get(&self, app: usize, token: &str) -> Reply {
        let [_, b, c, d] = self.requests.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let headers =
            [("authorization", &*format!("Bearer {token}")), ("x-forwarded-for", &format!("10.{b}.{c}.{d}"))];
        self.apps[app].send(Method::GET, "/v1/me", &headers).await
    }

    async fn status(&self, app: usize, token: &str) -> u16 {
        self.get(app, token).await.status.as_u16()
    }

    /// Checks that each server admits a burst of its own.
    async fn assert_counted_alone(&self) {
        let token = self.token().await;
        for app in 0..2 {
            for _ in 0..BURST {
                assert_eq!(self.status(app, &token).await, 200);
            }
            assert_eq!(self.status(app, &token).await, 429, "the limit of server {app}");
        }
    }

    /// Checks that both servers together admit one burst.
    async fn assert_counted_together(&self) {
        let token = self.token().await;
        for request in 0..BURST {
            assert_eq!(self.status(request % 2, &token).await, 200);
        }
        for app in 0..2 {
            let reply = self.get(app, &token).await;
            reply.assert_error(429, "RATE_LIMITED", "");
            let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
            assert!((1..=10).contains(&seconds), "{seconds}");
            assert_eq!(reply.header("ratelimit"), format!("\"client\";r=0;t={seconds}"));
        }
    }
}

#[tokio::test]
async fn two_servers_with_a_store_enforce_one_limit() {
    let servers = Servers::start().await;
    servers.assert_counted_together().await;
    let other = servers.token().await;
    let reply = servers.get(1, &other).await;
    reply.ok();
    assert_eq!(reply.header("ratelimit"), "\"client\";r=1;t=10", "each token has its own bucket");
}

#[tokio::test]
async fn each_server_enforces_its_limit_while_the_store_is_down() {
    let mut servers = Servers::start().await;
    servers.redis.kill();
    servers.assert_counted_alone().await;
    servers.redis.resume();
    servers.until_shared().await;
    servers.assert_counted_together().await;
}

#[tokio::test]
async fn store_that_does_not_answer_holds_up_no_request() {
    let servers = Servers::start().await;
    servers.redis.signal("STOP");
    servers.assert_counted_alone().await;
    servers.redis.signal("CONT");
    servers.until_shared().await;
}
