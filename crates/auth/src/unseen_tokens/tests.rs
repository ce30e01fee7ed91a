//! Tests of the exact boundaries, with a clock that the test advances, and of the memory that a flood can take.

use std::net::Ipv4Addr;

use super::*;
use crate::clock::TestClock;

fn address(number: u32) -> Option<IpAddr> {
    Some(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

fn hash(number: u64) -> TokenHash {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    TokenHash::new(bytes)
}

fn unseen() -> (Arc<TestClock>, UnseenTokens) {
    let clock = Arc::new(TestClock::default());
    (clock.clone(), UnseenTokens::new(clock))
}

/// Returns the seconds of `Retry-After`; `None` if the check is allowed.
fn charge(unseen: &UnseenTokens, client: Option<IpAddr>) -> Option<u64> {
    match unseen.charge(client) {
        Ok(()) => None,
        Err(Error::TooManyUnseen { retry_after_seconds }) => Some(retry_after_seconds),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn address_has_fifty_checks_at_once_and_then_ten_a_second() {
    let (clock, unseen) = unseen();
    let allowed = |count: usize| (0..count).filter(|_| charge(&unseen, address(1)).is_none()).count();
    assert_eq!(allowed(200), 50);
    assert_eq!(charge(&unseen, address(1)), Some(1));
    clock.advance(Duration::from_millis(100) - Duration::from_nanos(1));
    assert_eq!(allowed(1), 0);
    clock.advance(Duration::from_nanos(1));
    assert_eq!(allowed(2), 1);
    clock.advance(Duration::from_secs(1));
    assert_eq!(allowed(200), 10);
    clock.advance(Duration::from_secs(5));
    assert_eq!(allowed(200), 50);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(allowed(200), 50, "the burst does not grow");
}

#[test]
fn addresses_do_not_share_their_checks_and_no_address_has_no_limit() {
    let (_, unseen) = unseen();
    let allowed = |client| (0..200).filter(|_| charge(&unseen, client).is_none()).count();
    assert_eq!((allowed(address(1)), allowed(address(2)), allowed(None)), (50, 50, 200));
}

#[test]
fn unknown_token_is_looked_up_again_after_five_seconds() {
    let (clock, unseen) = unseen();
    assert!(!unseen.is_unknown(&hash(1)));
    unseen.insert_unknown(hash(1));
    clock.advance(Duration::from_secs(5) - Duration::from_nanos(1));
    assert!(unseen.is_unknown(&hash(1)) && !unseen.is_unknown(&hash(2)));
    clock.advance(Duration::from_nanos(1));
    assert!(!unseen.is_unknown(&hash(1)));
}

#[test]
fn million_unknown_tokens_take_bounded_memory() {
    let (clock, unseen) = unseen();
    let mut most = 0;
    for number in 0..1_000_000 {
        unseen.insert_unknown(hash(number));
        most = most.max(unseen.unknown.lock().expect("no panic").len());
        clock.advance(Duration::from_micros(10));
    }
    assert_eq!(most, UNKNOWN_MAX);
    assert!(unseen.unknown.lock().expect("no panic").capacity() < 4 * UNKNOWN_MAX);
}

#[test]
fn addresses_with_their_whole_burst_are_removed() {
    let (clock, unseen) = unseen();
    for round in 0..20 {
        for number in 0..5_000 {
            assert_eq!(charge(&unseen, address(round * 5_000 + number)), None);
        }
        assert_eq!(unseen.addresses.len(), 5_000);
        clock.advance(Duration::from_secs(SWEEP_SECONDS));
    }
}
