//! Tests of fingerprints, and of the look-ups that a flood of unknown personal access tokens causes.

use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use passbook_domain::ports::{BoxFuture, ReadError};

use super::*;
use crate::clock::TestClock;

/// A directory that knows the tokens of `known` and counts its look-ups.
struct CountingDirectory {
    known: Vec<TokenHash>,
    look_ups: AtomicUsize,
}

impl TokenDirectory for CountingDirectory {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        self.look_ups.fetch_add(1, Ordering::Relaxed);
        let owner = TokenOwner { token: Uuid::from_u128(1), user: Uuid::from_u128(2) };
        Box::pin(std::future::ready(Ok(self.known.contains(&hash).then_some(owner))))
    }
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing here waits"),
    }
}

fn hash(number: u64) -> TokenHash {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    TokenHash::new(bytes)
}

fn address(last: u8) -> Option<IpAddr> {
    Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
}

fn fixture(known: Vec<TokenHash>) -> (Arc<TestClock>, Arc<CountingDirectory>, Authenticator) {
    let clock = Arc::new(TestClock::default());
    let directory = Arc::new(CountingDirectory { known, look_ups: AtomicUsize::new(0) });
    let config = AuthenticatorConfig { token_prefix: "pbk_".to_owned() };
    let authenticator = Authenticator::new(config, directory.clone()).with_clock(clock.clone());
    (clock, directory, authenticator)
}

/// A hundred thousand tokens within ten seconds: the burst of 50, and 10 for each second.
#[test]
fn flood_of_unknown_tokens_of_one_address_causes_150_look_ups_and_harms_no_other_address() {
    const SEEN: u64 = u64::MAX;
    const HONEST: u64 = u64::MAX - 1;
    let (clock, directory, authenticator) = fixture(vec![hash(SEEN), hash(HONEST)]);
    let find = |number, client| ready(authenticator.token_owner(hash(number), client));
    find(SEEN, address(1)).expect("the token is known");
    let (mut unknown, mut limited) = (0, 0);
    for number in 0..100_000 {
        match find(number, address(1)) {
            Err(Error::Unknown) => unknown += 1,
            Err(Error::TooManyUnseen { retry_after_seconds: 1 }) => limited += 1,
            other => panic!("{other:?}"),
        }
        clock.advance(Duration::from_micros(100));
    }
    // The look-up of the known token belongs to the burst. The last check comes back at the end of the tenth second.
    assert_eq!((unknown, limited), (148, 99_852));
    assert_eq!(directory.look_ups.load(Ordering::Relaxed), 149);
    find(HONEST, address(2)).expect("another address has its own burst");
    find(SEEN, address(1)).expect("a token that was seen needs no look-up");
    assert_eq!(directory.look_ups.load(Ordering::Relaxed), 150);
}

#[test]
fn unknown_token_that_repeats_is_looked_up_once_in_five_seconds() {
    let (clock, directory, authenticator) = fixture(Vec::new());
    for (microseconds, look_ups) in [(0, 1), (0, 1), (4_999_999, 1), (1, 2), (0, 2)] {
        clock.advance(Duration::from_micros(microseconds));
        // No address, so that the cache alone limits the look-ups.
        let found = ready(authenticator.token_owner(hash(1), None));
        assert!(matches!(found, Err(Error::Unknown)), "{found:?}");
        assert_eq!(directory.look_ups.load(Ordering::Relaxed), look_ups);
    }
}

#[test]
fn limited_token_is_not_recorded_as_unknown() {
    let (clock, _, authenticator) = fixture(vec![hash(1)]);
    for number in 100..150 {
        ready(authenticator.token_owner(hash(number), address(1))).expect_err("the token is unknown");
    }
    let limited = ready(authenticator.token_owner(hash(1), address(1)));
    assert!(matches!(limited, Err(Error::TooManyUnseen { .. })), "{limited:?}");
    clock.advance(Duration::from_micros(100_000));
    ready(authenticator.token_owner(hash(1), address(1))).expect("the token is known");
}

/// A directory that answers when the test releases it.
struct SlowDirectory {
    look_ups: AtomicUsize,
    released: tokio::sync::Semaphore,
}

impl TokenDirectory for SlowDirectory {
    fn find(&self, _: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        self.look_ups.fetch_add(1, Ordering::Relaxed);
        Box::pin(async {
            self.released.acquire().await.expect("the semaphore is never closed").forget();
            Ok(Some(TokenOwner { token: Uuid::from_u128(1), user: Uuid::from_u128(2) }))
        })
    }
}

#[test]
fn parallel_requests_with_one_unseen_token_share_a_look_up() {
    let directory =
        Arc::new(SlowDirectory { look_ups: AtomicUsize::new(0), released: tokio::sync::Semaphore::new(0) });
    let config = AuthenticatorConfig { token_prefix: "pbk_".to_owned() };
    let authenticator = Authenticator::new(config, directory.clone());
    let mut waiting: Vec<_> =
        (0..200).map(|_| Box::pin(authenticator.token_owner(hash(1), address(1)))).collect();
    let mut context = Context::from_waker(Waker::noop());
    for request in &mut waiting {
        assert!(request.as_mut().poll(&mut context).is_pending());
    }
    assert_eq!(directory.look_ups.load(Ordering::Relaxed), 1);
    // The client of the first request goes away: the next request looks the token up.
    drop(waiting.remove(0));
    assert!(waiting[0].as_mut().poll(&mut context).is_pending());
    assert_eq!(directory.look_ups.load(Ordering::Relaxed), 2);
    directory.released.add_permits(1);
    for mut request in waiting {
        assert!(matches!(request.as_mut().poll(&mut context), Poll::Ready(Ok(_))));
    }
    assert_eq!(directory.look_ups.load(Ordering::Relaxed), 2);
    assert_eq!(authenticator.unseen.look_ups.tokens(), 0);
}

#[test]
fn fingerprint_is_the_start_of_the_hash_of_the_token_alone() {
    // The SHA-256 of "test" starts with 9f86d081884c.
    for header in ["Bearer test", "bearer  test "] {
        let fingerprint = Fingerprint::of_header(header.as_bytes()).expect("a token");
        assert_eq!(fingerprint.to_string(), "9f86d081884c");
    }
    assert_eq!(Fingerprint::of_header(b"test"), None);
    assert_eq!(Fingerprint::of_header(&[0xff, b' ', b'a']), None);
}
