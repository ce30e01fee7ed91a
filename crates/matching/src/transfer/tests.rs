//! Pairs of legs, with one example for each tier.

use super::*;
use jiff::civil::date;

const ONE: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);
const THIRD: Uuid = Uuid::from_u128(3);

fn leg(account: Uuid, day: i8, cents: i64, is_marked: bool) -> Leg {
    let (row, currency) = (0, Currency::EUR);
    Leg { row, account, day: date(2026, 1, day), cents, currency, stated: None, counter: None, is_marked }
}

fn pairs(legs: &[Leg]) -> Vec<(usize, usize, Tier)> {
    pair(legs).pairs.iter().map(|pair| (pair.out, pair.into, pair.tier)).collect()
}

#[test]
fn marked_legs_pair_within_four_days() {
    for (day, expected) in [(5, 1), (6, 0)] {
        let legs = [leg(ONE, 1, -500, true), leg(OTHER, day, 500, true)];
        assert_eq!(pair(&legs).pairs.len(), expected, "{day}");
    }
    assert_eq!(pairs(&[leg(ONE, 1, -500, true), leg(OTHER, 2, 500, false)]), [(0, 1, Tier::OneMarked)]);
}

#[test]
fn rows_without_evidence_never_pair() {
    assert_eq!(pairs(&[leg(ONE, 1, -500, false), leg(OTHER, 1, 500, false)]), []);
}

#[test]
fn ambiguous_legs_do_not_pair_and_are_listed() {
    let legs = [leg(ONE, 1, -500, true), leg(OTHER, 2, 500, true), leg(THIRD, 2, 500, true)];
    let found = pair(&legs);
    assert_eq!((found.pairs.len(), found.unpaired), (0, vec![0, 1, 2]));
    assert_eq!(candidates(&legs, 0, 5), [1, 2]);
}

#[test]
fn named_account_decides_before_marks() {
    let mut legs = [leg(ONE, 1, -500, true), leg(OTHER, 2, 500, true), leg(THIRD, 9, 500, false)];
    legs[0].counter = Some(THIRD);
    assert_eq!(pairs(&legs), [(0, 2, Tier::Named)]);
}

#[test]
fn equal_transfers_of_a_day_are_interchangeable() {
    let two = |account, day, cents| [leg(account, day, cents, true), leg(account, day, cents, true)];
    let legs = [two(ONE, 1, -500), two(OTHER, 2, 500)].concat();
    assert_eq!(pairs(&legs), [(0, 2, Tier::BothMarked), (1, 3, Tier::BothMarked)]);
}

#[test]
fn stated_amount_pairs_two_currencies() {
    let dollars = Currency::parse("USD").unwrap();
    let mut legs = [leg(ONE, 1, -1_000, true), leg(OTHER, 1, 1_085, true)];
    legs[1].currency = dollars;
    assert_eq!(pairs(&legs), []);
    legs[0].stated = Some((-1_085, dollars));
    assert_eq!(pairs(&legs), [(0, 1, Tier::BothMarked)]);
}
