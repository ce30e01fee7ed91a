//! The comparison of each stated balance with the next one.

use jiff::civil::Date;

use super::{AccountBalances, next};

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
