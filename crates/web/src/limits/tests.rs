//! The exact boundaries, by a clock that the test moves.

use std::time::Duration;

use governor::clock::FakeRelativeClock;
use hyper::Response;
use uuid::Uuid;

use super::*;

#[expect(clippy::disallowed_methods, reason = "these tests stand for the authentication")]
fn person(number: u128) -> UserId {
    UserId::from_authenticated(Uuid::from_u128(number))
}

fn credential(user: u128, token: u128) -> Credential {
    Credential::new(person(user), GrantReference::PersonalAccessToken(Uuid::from_u128(token)))
}

fn header(standing: &Standing, name: &str) -> String {
    let mut response = Response::new(());
    standing.clone().tell(&mut response);
    response.headers().get(name).map_or("", |value| value.to_str().expect("ASCII")).to_owned()
}

#[test]
fn a_client_has_a_burst_and_then_its_rate() {
    let clock = FakeRelativeClock::default();
    let rates = Rates::new(300, 120, clock.clone());
    let caller = credential(1, 1);
    for left in (0..40).rev() {
        let charged = rates.charge(&caller);
        assert_eq!(charged.retry_after_seconds, None);
        let expected = format!("\"user\";r={};t=1, \"client\";r={left};t=1", left + 20);
        assert_eq!(header(&charged.standing, "ratelimit"), expected);
        assert_eq!(header(&charged.standing, "x-ratelimit-remaining"), left.to_string());
    }
    let refused = rates.charge(&caller);
    assert_eq!(refused.retry_after_seconds, Some(1));
    assert_eq!(header(&refused.standing, "ratelimit"), "\"client\";r=0;t=1");
    assert_eq!(header(&refused.standing, "ratelimit-policy"), "\"user\";q=300;w=60, \"client\";q=120;w=60");
    assert_eq!(header(&refused.standing, "x-ratelimit-limit"), "120");
    clock.advance(Duration::from_millis(500) - Duration::from_nanos(1));
    assert_eq!(rates.charge(&caller).retry_after_seconds, Some(1));
    clock.advance(Duration::from_nanos(1));
    assert_eq!(rates.charge(&caller).retry_after_seconds, None);
    assert_eq!(rates.charge(&caller).retry_after_seconds, Some(1));
}

#[test]
fn clients_share_their_users_burst_and_refused_requests_are_not_charged_to_it() {
    let rates = Rates::new(300, 120, FakeRelativeClock::default());
    let admitted = |user, token, requests| {
        (0..requests).filter(|_| rates.charge(&credential(user, token)).retry_after_seconds.is_none()).count()
    };
    assert_eq!(admitted(1, 1, 500), 40);
    assert_eq!(admitted(1, 2, 500), 20);
    let refused = rates.charge(&credential(1, 3));
    assert_eq!(header(&refused.standing, "ratelimit"), "\"user\";r=0;t=1");
    assert_eq!(admitted(2, 4, 40), 40);
}

#[test]
fn signing_in_again_makes_no_new_client() {
    let rates = Rates::new(0, 3, FakeRelativeClock::default());
    let in_session = |session: &str| {
        let session_id = domain::access::SessionId::parse(session).ok();
        let grant = GrantReference::OauthClient { client_id: "assistant".to_owned(), session_id };
        rates.charge(&Credential::new(person(1), grant)).retry_after_seconds
    };
    assert_eq!(in_session("first"), None);
    assert_eq!(in_session("second"), Some(20));
}

#[test]
fn whoever_waits_as_told_gets_through() {
    for (user, client) in [(300, 120), (1, 1), (60, 1), (1, 60), (7, 3), (100_000, 1), (0, 2), (2, 0)] {
        let clock = FakeRelativeClock::default();
        let rates = Rates::new(user, client, clock.clone());
        // Another client uses up what the user has, so that this one is refused by either limit.
        for other in 2..30_000 {
            if rates.charge(&credential(1, other)).retry_after_seconds.is_some() {
                break;
            }
        }
        let seconds = loop {
            if let Some(seconds) = rates.charge(&credential(1, 1)).retry_after_seconds {
                break seconds;
            }
        };
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(rates.charge(&credential(1, 1)).retry_after_seconds, None, "{user} and {client}");
    }
}

#[test]
fn no_limit_says_nothing() {
    let rates = Rates::new(0, 0, FakeRelativeClock::default());
    for _ in 0..1_000 {
        let charged = rates.charge(&credential(1, 1));
        assert_eq!((charged.retry_after_seconds, charged.standing), (None, Standing::default()));
    }
}

#[test]
fn full_buckets_are_forgotten() {
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
fn a_refused_token_learns_nothing_of_the_limits() {
    let standing = Rates::new(300, 120, FakeRelativeClock::default()).charge(&credential(1, 1)).standing;
    let mut response = Response::new(());
    *response.status_mut() = hyper::StatusCode::UNAUTHORIZED;
    standing.tell(&mut response);
    assert!(response.headers().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_seventeenth_request_waits_for_a_place() {
    let limits = Limits::new(300, 120);
    let places = limits.places.clone().expect("users are limited");
    let mut standing = Standing::default();
    let mut held = Vec::new();
    for _ in 0..CONCURRENT_REQUESTS_MAX {
        held.push(limits.admit(&credential(1, 1), &mut standing).await.expect("there is a place"));
    }
    let (one, other) = (credential(1, 1), credential(1, 2));
    let mut other_standing = Standing::default();
    let begun = tokio::time::Instant::now();
    let refused = limits.admit(&one, &mut standing).await.expect_err("nobody leaves");
    assert_eq!(begun.elapsed().as_secs(), WAIT_SECONDS_MAX);
    assert!(refused.to_string().contains("1 second"), "{refused}");
    drop(limits.admit(&credential(2, 3), &mut standing).await.expect("others have their own places"));
    let waiting = limits.admit(&other, &mut other_standing);
    let leaving = async {
        tokio::task::yield_now().await;
        held.pop();
    };
    let (admitted, ()) = tokio::join!(waiting, leaving);
    drop(admitted.expect("one left in time"));
    assert_eq!(places.users(), 1);
    held.clear();
    assert_eq!(places.users(), 0);
}
