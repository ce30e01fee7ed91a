//! Tests of the exact boundaries of the rate limits, with a clock that the test advances.

use std::time::Duration;

use governor::clock::FakeRelativeClock;
use hyper::Response;
use uuid::Uuid;

use super::*;

#[expect(clippy::disallowed_methods, reason = "these tests take the place of authentication")]
fn person(number: u128) -> UserId {
    UserId::from_authenticated(Uuid::from_u128(number))
}

fn credential(user: u128, token: u128) -> Credential {
    Credential::new(person(user), GrantReference::PersonalAccessToken(Uuid::from_u128(token)))
}

fn header(status: &RateLimitStatus, name: &str) -> String {
    let mut response = Response::new(());
    status.clone().add_headers(&mut response);
    response.headers().get(name).map_or("", |value| value.to_str().expect("ASCII")).to_owned()
}

#[test]
fn client_has_its_burst_and_then_its_rate() {
    let clock = FakeRelativeClock::default();
    let rates = Rates::new(300, 120, clock.clone());
    let caller = credential(1, 1);
    for left in (0..40).rev() {
        let charged = rates.charge(&caller, Counted::ClientAndUser);
        assert_eq!(charged.retry_after_seconds, None);
        let expected = format!("\"user\";r={};t=1, \"client\";r={left};t=1", left + 20);
        assert_eq!(header(&charged.status, "ratelimit"), expected);
        assert_eq!(header(&charged.status, "x-ratelimit-remaining"), left.to_string());
    }
    let exceeded = rates.charge(&caller, Counted::ClientAndUser);
    assert_eq!(exceeded.retry_after_seconds, Some(1));
    assert_eq!(header(&exceeded.status, "ratelimit"), "\"client\";r=0;t=1");
    assert_eq!(header(&exceeded.status, "ratelimit-policy"), "\"user\";q=300;w=60, \"client\";q=120;w=60");
    assert_eq!(header(&exceeded.status, "x-ratelimit-limit"), "120");
    clock.advance(Duration::from_millis(500) - Duration::from_nanos(1));
    assert_eq!(rates.charge(&caller, Counted::ClientAndUser).retry_after_seconds, Some(1));
    clock.advance(Duration::from_nanos(1));
    assert_eq!(rates.charge(&caller, Counted::ClientAndUser).retry_after_seconds, None);
    assert_eq!(rates.charge(&caller, Counted::ClientAndUser).retry_after_seconds, Some(1));
}

#[test]
fn clients_share_the_user_burst_and_rejected_requests_are_not_charged_to_it() {
    let rates = Rates::new(300, 120, FakeRelativeClock::default());
    let admitted = |user, token, requests| {
        (0..requests)
            .filter(|_| {
                rates.charge(&credential(user, token), Counted::ClientAndUser).retry_after_seconds.is_none()
            })
            .count()
    };
    assert_eq!(admitted(1, 1, 500), 40);
    assert_eq!(admitted(1, 2, 500), 20);
    let exceeded = rates.charge(&credential(1, 3), Counted::ClientAndUser);
    assert_eq!(header(&exceeded.status, "ratelimit"), "\"user\";r=0;t=1");
    assert_eq!(admitted(2, 4, 40), 40);
}

#[test]
fn new_session_gives_a_client_no_new_quota() {
    let rates = Rates::new(0, 3, FakeRelativeClock::default());
    let in_session = |session: &str| {
        let session_id = passbook_domain::access::SessionId::parse(session).ok();
        let grant = GrantReference::OauthClient { client_id: "assistant".to_owned(), session_id };
        rates.charge(&Credential::new(person(1), grant), Counted::ClientAndUser).retry_after_seconds
    };
    assert_eq!(in_session("first"), None);
    assert_eq!(in_session("second"), Some(20));
}

#[test]
fn request_after_retry_after_succeeds() {
    for (user, client) in [(300, 120), (1, 1), (60, 1), (1, 60), (7, 3), (100_000, 1), (0, 2), (2, 0)] {
        let clock = FakeRelativeClock::default();
        let rates = Rates::new(user, client, clock.clone());
        // Another client uses up the user's quota, so that both limits reject this client.
        for other in 2..30_000 {
            if rates.charge(&credential(1, other), Counted::ClientAndUser).retry_after_seconds.is_some() {
                break;
            }
        }
        let seconds = loop {
            if let Some(seconds) = rates.charge(&credential(1, 1), Counted::ClientAndUser).retry_after_seconds
            {
                break seconds;
            }
        };
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(
            rates.charge(&credential(1, 1), Counted::ClientAndUser).retry_after_seconds,
            None,
            "{user} and {client}"
        );
    }
}

#[test]
fn disabled_limits_add_no_headers() {
    let rates = Rates::new(0, 0, FakeRelativeClock::default());
    for _ in 0..1_000 {
        let charged = rates.charge(&credential(1, 1), Counted::ClientAndUser);
        assert_eq!((charged.retry_after_seconds, charged.status), (None, RateLimitStatus::default()));
    }
}

#[test]
fn full_buckets_are_removed() {
    let clock = FakeRelativeClock::default();
    let bucket = Bucket::new("user", NonZeroU32::new(300).expect("not 0"), USER_BURST_DIVISOR, clock.clone());
    for round in 0..10 {
        for key in 0..10_000 {
            bucket.charge(&(round, key));
        }
        assert_eq!(bucket.keys(), 10_000);
        clock.advance(Duration::from_secs(60));
    }
}

#[test]
fn unauthorized_response_has_no_rate_limit_headers() {
    let status = Rates::new(300, 120, FakeRelativeClock::default())
        .charge(&credential(1, 1), Counted::ClientAndUser)
        .status;
    let mut response = Response::new(());
    *response.status_mut() = hyper::StatusCode::UNAUTHORIZED;
    status.add_headers(&mut response);
    assert!(response.headers().is_empty());
}

#[tokio::test(start_paused = true)]
async fn request_above_the_concurrency_limit_waits_for_a_permit() {
    let limiter = RateLimiter::new(300, 120);
    let permits = limiter.permits.clone();
    let mut held = Vec::new();
    for _ in 0..CONCURRENT_REQUESTS_MAX {
        held.push(limiter.acquire_permit(person(1)).await.expect("a permit is free"));
    }
    let started = tokio::time::Instant::now();
    let error = limiter.acquire_permit(person(1)).await.expect_err("no permit is released");
    assert_eq!(started.elapsed().as_secs(), PERMIT_TIMEOUT_SECONDS);
    assert!(error.to_string().contains("1 second"), "{error}");
    drop(limiter.acquire_permit(person(2)).await.expect("each user has permits"));
    let waiting = limiter.acquire_permit(person(1));
    let releasing = async {
        tokio::task::yield_now().await;
        // They were slow, so the next one has to wait for the end of all of them.
        held.clear();
    };
    let (admission, ()) = tokio::join!(waiting, releasing);
    let admission = admission.expect("a permit was released in time");
    assert_eq!(permits.users(), 1);
    drop(admission);
    assert_eq!(permits.users(), 0);
}

#[tokio::test(start_paused = true)]
async fn user_gets_permits_for_half_of_the_database_connections() {
    for (connections, permits) in [(1, 1), (8, 4), (9, 4), (32, 16), (1000, CONCURRENT_REQUESTS_MAX)] {
        let limiter = RateLimiter::new(0, 0).with_database_connections(connections);
        let mut held = Vec::new();
        while let Ok(admission) = limiter.acquire_permit(person(1)).await {
            held.push(admission);
        }
        assert_eq!(held.len(), permits, "{connections} connections");
    }
}

/// A store that answers with these charges, or cannot be reached, and remembers the limits.
#[derive(Debug, Default)]
struct FakeStore {
    charges: Option<Vec<SharedCharge>>,
    limits: std::sync::Mutex<Vec<SharedLimit>>,
}

impl SharedRateLimits for FakeStore {
    fn charge<'a>(&'a self, limits: &'a [SharedLimit]) -> SharedCharges<'a> {
        *self.limits.lock().expect("no panic") = limits.to_vec();
        Box::pin(std::future::ready(self.charges.clone()))
    }
}

async fn charge_with(store: FakeStore) -> (Charged, Vec<SharedLimit>, u64) {
    let store = Arc::new(store);
    let limiter = RateLimiter::new(300, 120).with_shared(store.clone());
    let charged = limiter.charge(&credential(1, 1), Counted::ClientAndUser).await;
    let limits = store.limits.lock().expect("no panic").clone();
    (charged, limits, limiter.requests_unshared())
}

#[tokio::test]
async fn store_counts_the_client_before_the_user_and_decides() {
    let left = |remaining| SharedCharge { is_exceeded: false, remaining, wait: Duration::ZERO };
    let (charged, limits, unshared) =
        charge_with(FakeStore { charges: Some(vec![left(7), left(3)]), ..FakeStore::default() }).await;
    assert_eq!((charged.retry_after_seconds, unshared), (None, 0));
    assert_eq!(header(&charged.status, "ratelimit"), "\"user\";r=3;t=1, \"client\";r=7;t=1");
    let user = Uuid::from_u128(1);
    let expected = [
        SharedLimit {
            key: format!("passbook:{{{user}}}:token:{user}"),
            interval: Duration::from_millis(500),
            burst: 40,
        },
        SharedLimit {
            key: format!("passbook:{{{user}}}:user"),
            interval: Duration::from_millis(200),
            burst: 60,
        },
    ];
    assert_eq!(limits, expected);

    let exceeded = SharedCharge { is_exceeded: true, remaining: 0, wait: Duration::from_millis(2100) };
    let client = FakeStore { charges: Some(vec![exceeded]), ..FakeStore::default() };
    let (charged, ..) = charge_with(client).await;
    assert_eq!((charged.exceeded, charged.retry_after_seconds), (Some("client"), Some(3)));
    let user = FakeStore { charges: Some(vec![left(0), exceeded]), ..FakeStore::default() };
    let (charged, ..) = charge_with(user).await;
    assert_eq!((charged.exceeded, charged.retry_after_seconds), (Some("user"), Some(3)));
}

#[tokio::test]
async fn process_counts_alone_while_the_store_cannot_be_reached() {
    let (charged, _, unshared) = charge_with(FakeStore::default()).await;
    assert_eq!((charged.retry_after_seconds, unshared), (None, 1));
    assert_eq!(header(&charged.status, "ratelimit"), "\"user\";r=59;t=1, \"client\";r=39;t=1");
}

#[tokio::test]
async fn request_beyond_the_limit_of_the_process_is_rejected_whatever_the_store_allows() {
    let left = SharedCharge { is_exceeded: false, remaining: 9, wait: Duration::ZERO };
    let store = Arc::new(FakeStore { charges: Some(vec![left]), ..FakeStore::default() });
    let limiter = RateLimiter::new(0, 3).with_shared(store);
    for exceeded in [None, Some("client")] {
        let charged = limiter.charge(&credential(1, 1), Counted::ClientAndUser).await;
        assert_eq!(charged.exceeded, exceeded);
    }
}
