//! The balance of each day for which sources state one.

use jiff::civil::Date;

use super::neighbours::{BalanceFinding, FindingKind};
use super::{AccountBalances, previous};

/// A balance that a file or a loader states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedBalance {
    /// The day of the balance.
    pub day: Date,
    /// The balance in hundredths.
    pub cents: i64,
    /// The moment of the day.
    pub moment: BalanceMoment,
}

/// The moment of a day for which a balance is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceMoment {
    /// The end of the day: all rows of the day are part of the balance.
    EndOfDay,
    /// A moment within the day. The rows of the day that the same source lists are part of the balance.
    Instant {
        /// The sum of these rows, in hundredths.
        listed_cents: i64,
    },
}

/// The balance of a day, in the form in which balances are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) day: Date,
    /// The balance at the end of the day.
    pub(super) cents: i128,
    /// The balance less all rows until the day. Balances with the same offset agree.
    pub(super) offset: i128,
    /// False if rows of other sources may follow on the same day.
    pub(super) is_end_of_day: bool,
    /// True if several balances of the day differ, and the neighbours do not decide between them.
    pub(super) is_uncertain: bool,
}

impl AccountBalances {
    /// Chooses one balance for each day: an end of day before instants, and of several the one that agrees with its
    /// neighbours, or else the newest.
    pub(super) fn choose_stated(&mut self) {
        let days = self.candidates();
        for (at, candidates) in days.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &days[before]);
            let neighbours: Vec<&Vec<Stated>> = before.into_iter().chain(days.get(at + 1)).collect();
            let agrees = |stated: &&Stated| {
                let is_among =
                    |others: &&Vec<Stated>| others.iter().any(|other| other.offset == stated.offset);
                !neighbours.is_empty() && neighbours.iter().all(is_among)
            };
            let Some(newest) = candidates.last() else { continue };
            let agreeing: Vec<&Stated> = candidates.iter().filter(agrees).collect();
            let chosen = match agreeing[..] {
                _ if candidates.len() == 1 => *newest,
                [only] => *only,
                _ => Stated { is_uncertain: true, ..*newest },
            };
            self.stated.push(chosen);
            let unused = candidates.iter().filter(|other| other.offset != chosen.offset);
            self.findings.extend(unused.map(|unused| BalanceFinding {
                kind: FindingKind::Unused,
                after: unused.day,
                through: unused.day,
                cents: unused.offset - chosen.offset,
            }));
        }
    }

    /// The different balances of each day, from the oldest source to the newest.
    fn candidates(&self) -> Vec<Vec<Stated>> {
        let mut stated = self.facts.stated.clone();
        stated.retain(|stated| stated.day <= self.facts.today);
        stated.sort_by_key(|stated| stated.day);
        let of_day = |stated: &[StatedBalance]| {
            let has_end = stated.iter().any(|stated| stated.moment == BalanceMoment::EndOfDay);
            let mut different: Vec<Stated> = Vec::new();
            for stated in stated.iter().map(|stated| self.comparable(stated)) {
                if stated.is_end_of_day == has_end {
                    different.retain(|other| other.offset != stated.offset);
                    different.push(stated);
                }
            }
            different
        };
        stated.chunk_by(|one, other| one.day == other.day).map(of_day).collect()
    }

    fn comparable(&self, stated: &StatedBalance) -> Stated {
        let day = stated.day;
        let (is_end_of_day, later) = match stated.moment {
            BalanceMoment::EndOfDay => (true, 0),
            BalanceMoment::Instant { listed_cents } => {
                (false, self.rows(previous(day), day) - i128::from(listed_cents))
            }
        };
        let cents = i128::from(stated.cents) + later;
        let offset = cents - self.rows(Date::MIN, day);
        Stated { day, cents, offset, is_end_of_day, is_uncertain: false }
    }
}
