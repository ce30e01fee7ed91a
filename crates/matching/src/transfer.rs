//! Pairs the two legs of transfers between own accounts.
//!
//! Legs pair in tiers, the best evidence first. In a tier, a pair is made only if neither leg has another candidate.
//! Legs of equal account, day and amount are interchangeable, so they pair if their numbers agree. Rows without any
//! evidence never pair: they are only listed.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

/// Maximum number of days between two legs.
pub const LEG_DAYS_MAX: i32 = 4;
/// Maximum number of days between two legs if a leg names the account of the other.
pub const NAMED_LEG_DAYS_MAX: i32 = 10;

/// A row that may be a leg.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Index of the row.
    pub row: u32,
    /// The account.
    pub account: Uuid,
    /// The booking day.
    pub day: Date,
    /// Signed hundredths of `currency`.
    pub cents: i64,
    /// Currency of the amount.
    pub currency: Currency,
    /// The amount in the currency of the other side, if the row states it.
    pub stated: Option<(i64, Currency)>,
    /// The own account that the row names as the other side.
    pub counter: Option<Uuid>,
    /// True if a code, a rule or an own name marks the row as a transfer between own accounts.
    pub is_marked: bool,
}

/// The evidence of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// A leg names the account of the other.
    Named,
    /// Both legs are marked.
    BothMarked,
    /// One leg is marked.
    OneMarked,
}

impl Tier {
    /// Every tier, the best evidence first.
    pub const ALL: [Tier; 3] = [Tier::Named, Tier::BothMarked, Tier::OneMarked];

    /// Returns the evidence in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Tier::Named => "a leg names the account of the other leg",
            Tier::BothMarked => "both legs are marked as transfers",
            Tier::OneMarked => "one leg is marked as a transfer",
        }
    }
}

/// Two rows of one transfer, as indexes in the legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The leg on which money went out.
    pub out: usize,
    /// The leg on which money came in.
    pub into: usize,
    /// The evidence.
    pub tier: Tier,
}

/// The result of pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The transfers.
    pub pairs: Vec<Pair>,
    /// Legs that are marked or name an own account, and that have no pair.
    pub unpaired: Vec<usize>,
}

/// Pairs legs.
pub fn pair(legs: &[Leg]) -> Pairs {
    // A leg whose amount no leg with evidence has is left out from the start.
    let evident = EvidentSizes::of(legs.iter());
    let relevant: Vec<bool> = legs.iter().map(|leg| evident.contains_any_of(leg)).collect();
    let mut paired: Vec<bool> = relevant.iter().map(|relevant| !relevant).collect();
    let mut pairs = Vec::new();
    let index = Index::new(legs, &relevant);
    for tier in Tier::ALL {
        let groups = Groups::new(legs, &index, &paired, tier);
        for (out, into) in groups.unique() {
            let mut into = into.iter();
            for &out in out {
                let into = *into.next().expect("both groups are equally large");
                paired[out] = true;
                paired[into] = true;
                pairs.push(Pair { out, into, tier });
            }
        }
    }
    let unpaired = (0..legs.len()).filter(|leg| !paired[*leg] && legs[*leg].has_evidence()).collect();
    Pairs { pairs, unpaired }
}

impl Leg {
    /// Returns true if something says that the row is a transfer between own accounts.
    pub fn has_evidence(&self) -> bool {
        self.is_marked || self.counter.is_some()
    }

    /// Returns the sizes of the amounts that the other leg may have.
    fn sizes(&self) -> impl Iterator<Item = u64> + use<> {
        let stated = self.stated.map(|(cents, _)| cents.unsigned_abs());
        std::iter::once(self.cents.unsigned_abs()).chain(stated)
    }
}

/// The sizes of all legs with evidence. Only a leg with one of these sizes can be part of a pair.
pub(crate) struct EvidentSizes(HashSet<u64>);

impl EvidentSizes {
    pub(crate) fn of(legs: impl Iterator<Item = impl Borrow<Leg>>) -> EvidentSizes {
        let evident = legs.filter(|leg| leg.borrow().has_evidence());
        EvidentSizes(evident.flat_map(|leg| leg.borrow().sizes()).collect())
    }

    /// Returns true for a leg with evidence, and for a leg with the amount of one.
    pub(crate) fn contains_any_of(&self, leg: &Leg) -> bool {
        leg.sizes().any(|size| self.0.contains(&size))
    }
}

/// Returns the rows that could be the other leg of a leg, whatever the evidence is: at most `limit`.
pub fn candidates(legs: &[Leg], leg: usize, limit: usize) -> Vec<usize> {
    let one = &legs[leg];
    let fits = |other: &usize| {
        let other = &legs[*other];
        one.account != other.account && amounts_fit(one, other) && distance(one, other) <= NAMED_LEG_DAYS_MAX
    };
    let mut found: Vec<usize> = (0..legs.len()).filter(fits).collect();
    found.sort_by_key(|other| (distance(one, &legs[*other]), *other));
    found.truncate(limit);
    found
}

/// The incoming legs by amount and day.
struct Index(HashMap<(i64, Currency), BTreeMap<Date, Vec<usize>>>);

impl Index {
    fn new(legs: &[Leg], relevant: &[bool]) -> Index {
        let mut index: HashMap<_, BTreeMap<Date, Vec<usize>>> = HashMap::new();
        for (number, leg) in
            legs.iter().enumerate().filter(|(number, leg)| relevant[*number] && leg.cents > 0)
        {
            let own = (leg.cents, leg.currency);
            let stated = leg.stated.map(|(cents, currency)| (cents.saturating_abs(), currency));
            for key in [Some(own), stated.filter(|stated| *stated != own)].into_iter().flatten() {
                index.entry(key).or_default().entry(leg.day).or_default().push(number);
            }
        }
        Index(index)
    }

    /// Returns the incoming legs of an amount in the days around a day.
    fn around(&self, key: (i64, Currency), day: Date, days: i32) -> impl Iterator<Item = usize> {
        let span = jiff::Span::new().days(days);
        let (first, last) = (day.saturating_sub(span), day.saturating_add(span));
        let days = self.0.get(&key).map(move |days| days.range(first..=last));
        days.into_iter().flatten().flat_map(|(_, legs)| legs.iter().copied())
    }
}

/// Legs that are interchangeable: equal account, day, amount and evidence.
type Key = (Uuid, Date, i64, Currency, Option<Uuid>, bool, Option<(i64, Currency)>);

/// The groups of unpaired legs of one tier, and their possible partners.
struct Groups<'a> {
    members: BTreeMap<Key, Vec<usize>>,
    legs: &'a [Leg],
    /// Keys of the incoming groups that an outgoing group can pair with.
    partners: BTreeMap<Key, Vec<Key>>,
    /// Number of outgoing groups that can pair with an incoming group.
    claims: BTreeMap<Key, usize>,
}

fn key(leg: &Leg) -> Key {
    (leg.account, leg.day, leg.cents, leg.currency, leg.counter, leg.is_marked, leg.stated)
}

impl<'a> Groups<'a> {
    fn new(legs: &'a [Leg], index: &Index, paired: &[bool], tier: Tier) -> Groups<'a> {
        let mut members: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (number, leg) in legs.iter().enumerate().filter(|(number, _)| !paired[*number]) {
            members.entry(key(leg)).or_default().push(number);
        }
        let days = if tier == Tier::Named { NAMED_LEG_DAYS_MAX } else { LEG_DAYS_MAX };
        let mut partners: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        let mut claims: BTreeMap<Key, usize> = BTreeMap::new();
        for (out_key, out) in members.iter().filter(|(_, out)| legs[out[0]].cents < 0) {
            let leg = &legs[out[0]];
            let own = (leg.cents.saturating_neg(), leg.currency);
            let stated = leg.stated.map(|(cents, currency)| (cents.saturating_abs(), currency));
            let keys = [Some(own), stated.filter(|stated| *stated != own)];
            let mut found: Vec<Key> = Vec::new();
            for other in keys.into_iter().flatten().flat_map(|key| index.around(key, leg.day, days)) {
                let into = &legs[other];
                let may_pair = leg.has_evidence() || into.has_evidence();
                if !paired[other] && may_pair && fits(leg, into, tier) && !found.contains(&key(into)) {
                    found.push(key(into));
                }
            }
            found.iter().for_each(|into| *claims.entry(*into).or_default() += 1);
            partners.insert(*out_key, found);
        }
        Groups { members, legs, partners, claims }
    }

    /// Returns the pairs of groups that have no other candidate and the same number of legs.
    fn unique(&self) -> impl Iterator<Item = (&[usize], &[usize])> {
        self.partners.iter().filter_map(|(out, found)| {
            let [into] = found.as_slice() else { return None };
            let (out, into) =
                (&self.members[out], self.members.get(into).filter(|_| self.claims[into] == 1)?);
            debug_assert!(self.legs[out[0]].cents < 0, "money goes out on the first leg");
            (out.len() == into.len()).then_some((out.as_slice(), into.as_slice()))
        })
    }
}

fn distance(one: &Leg, other: &Leg) -> i32 {
    (one.day - other.day).get_days().abs()
}

/// Returns true if the amounts are opposite, in one currency or as one of the rows states.
fn amounts_fit(one: &Leg, other: &Leg) -> bool {
    if (one.cents < 0) == (other.cents < 0) {
        return false;
    }
    let states = |leg: &Leg, other: &Leg| {
        leg.stated.is_some_and(|(cents, currency)| {
            currency == other.currency && cents.saturating_abs() == other.cents.saturating_abs()
        })
    };
    let equal = one.currency == other.currency && one.cents == other.cents.saturating_neg();
    equal || states(one, other) || states(other, one)
}

/// Returns true if two legs can be a pair of a tier.
fn fits(out: &Leg, into: &Leg, tier: Tier) -> bool {
    let agrees = |leg: &Leg, other: &Leg| leg.counter.is_none_or(|counter| counter == other.account);
    if out.account == into.account || !amounts_fit(out, into) || !agrees(out, into) || !agrees(into, out) {
        return false;
    }
    let named = out.counter.is_some() || into.counter.is_some();
    match tier {
        Tier::Named => named && distance(out, into) <= NAMED_LEG_DAYS_MAX,
        Tier::BothMarked => out.is_marked && into.is_marked && distance(out, into) <= LEG_DAYS_MAX,
        Tier::OneMarked => (out.is_marked || into.is_marked) && distance(out, into) <= LEG_DAYS_MAX,
    }
}

#[cfg(test)]
mod tests {
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
    fn evident_legs_of_two_accounts_pair_within_four_days_if_no_other_fits() {
        let (out, unmarked) = (leg(ONE, 1, -500, true), leg(ONE, 1, -500, false));
        let (both, one) = ([(0, 1, Tier::BothMarked)], [(0, 1, Tier::OneMarked)]);
        for (case, legs, expected) in [
            ("two marks, four days", vec![out.clone(), leg(OTHER, 5, 500, true)], &both[..]),
            ("two marks, five days", vec![out.clone(), leg(OTHER, 6, 500, true)], &[]),
            ("one mark, a day", vec![out.clone(), leg(OTHER, 2, 500, false)], &one),
            ("one mark, four days", vec![out.clone(), leg(OTHER, 5, 500, false)], &one),
            ("one mark, five days", vec![out.clone(), leg(OTHER, 6, 500, false)], &[]),
            ("one account", vec![out.clone(), leg(ONE, 2, 500, true)], &[]),
            ("two fit one", vec![out, leg(OTHER, 2, -500, true), leg(THIRD, 3, 500, true)], &[]),
            ("no evidence", vec![unmarked, leg(OTHER, 1, 500, false)], &[]),
        ] {
            assert_eq!(pairs(&legs), expected, "{case}");
        }
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
        let mut legs = [leg(ONE, 1, -500, true), leg(OTHER, 2, 500, true)];
        legs[1].counter = Some(THIRD);
        assert_eq!(pairs(&legs), []);
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
}
