//! Chooses the balance of each day for which sources state one, and compares each with the next one.

use jiff::civil::Date;

use super::{AccountBalances, next, previous};

/// The days between two stated balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// The rows explain the difference of the balances.
    Agrees,
    /// There is no row, and no source covers all days: rows are missing.
    Gap,
    /// A source covers the days, or there are rows, and they do not explain the difference.
    Break,
    /// The value changes without rows.
    Valued,
}

/// Balances that differ although those on both sides agree with each other. The days between these two are estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) after: Date,
    pub(super) before: Date,
}

/// A difference between stated balances and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BalanceFinding {
    /// The day of the balance before the difference.
    pub after: Date,
    /// The day of the balance that differs.
    pub through: Date,
    /// The kind of difference.
    pub kind: FindingKind,
    /// The amount by which the balance is higher than the one before and the rows add up to, in hundredths.
    pub cents: i128,
}

/// The kind of difference between stated balances and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Rows are missing in days that no file covers.
    Gap,
    /// Rows are missing, superfluous or wrong.
    Break,
    /// A balance differs from those on both sides, which agree with each other.
    Doubted,
    /// Another balance of the same day is used.
    Unused,
}

/// Balances that agree in a row.
struct Segment {
    first: usize,
    last: usize,
    offset: i128,
}

impl Segment {
    fn len(&self) -> usize {
        self.last - self.first + 1
    }
}

impl AccountBalances {
    /// Finds doubted balances and removes single ones, and classifies the days between the others.
    pub(super) fn compare_neighbours(&mut self) {
        if !self.facts.changes_without_rows {
            self.remove_doubted();
        }
        for at in 1..self.stated.len() {
            let span = self.span(at - 1, at);
            self.spans.push(span);
            let kind = match span {
                Span::Agrees | Span::Valued => continue,
                Span::Gap => FindingKind::Gap,
                Span::Break => FindingKind::Break,
            };
            let (before, after) = (self.stated[at - 1], self.stated[at]);
            let cents = after.offset - before.offset;
            self.findings.push(BalanceFinding { kind, after: before.day, through: after.day, cents });
        }
        self.findings.sort_unstable();
    }

    fn span(&self, before: usize, after: usize) -> Span {
        let (before, after) = (self.stated[before], self.stated[after]);
        if before.offset == after.offset {
            Span::Agrees
        } else if self.facts.changes_without_rows {
            Span::Valued
        } else if self.has_rows(before.day, after.day) || self.is_covered(next(before.day), after.day) {
            Span::Break
        } else {
            Span::Gap
        }
    }

    fn remove_doubted(&mut self) {
        let mut segments: Vec<Segment> = Vec::new();
        for (at, stated) in self.stated.iter().enumerate() {
            match segments.last_mut().filter(|segment| segment.offset == stated.offset) {
                Some(segment) => segment.last = at,
                None => segments.push(Segment { first: at, last: at, offset: stated.offset }),
            }
        }
        let mut unused = Vec::new();
        for three in segments.windows(3) {
            let [before, doubted, after] = three else { continue };
            if before.offset != after.offset || doubted.len() > before.len().max(after.len()) {
                continue;
            }
            let (last, first) = (self.stated[before.last], self.stated[after.first]);
            self.doubts.push(Doubt { after: last.day, before: first.day });
            self.findings.extend(self.stated[doubted.first..=doubted.last].iter().map(|stated| {
                BalanceFinding {
                    kind: FindingKind::Doubted,
                    after: last.day,
                    through: stated.day,
                    cents: doubted.offset - before.offset,
                }
            }));
            unused.extend((doubted.len() == 1).then_some(doubted.first));
        }
        let mut at = 0;
        self.stated.retain(|_| {
            at += 1;
            unused.binary_search(&(at - 1)).is_err()
        });
    }
}

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
