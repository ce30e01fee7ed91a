//! The balance of an account at the end of any day, from the balances that its sources state and its booked rows.
//!
//! A stated balance is compared with the next one: the rows between them explain the difference, or they do not. Between
//! two balances that agree, every day is exact. Everywhere else a balance is an estimate, and where nothing is known there
//! is none.

mod neighbours;
#[cfg(test)]
mod tests;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use crate::range::DaySpan;
use neighbours::{Doubt, Span, Stated};

pub use neighbours::{BalanceFinding, BalanceMoment, FindingKind, StatedBalance};

/// The known facts about the balance of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceFacts {
    /// True if the value changes without rows: investments, loans, other assets, and accounts with holdings.
    pub changes_without_rows: bool,
    /// The balances that files and loaders state, by day; those of one day from the oldest source to the newest.
    pub stated: Vec<StatedBalance>,
    /// The booked rows, several entries for a day or one with their sum, in any order. Those after today do not count.
    pub rows: Vec<DayRows>,
    /// The days of which a source has every row: disjoint, and in ascending order.
    pub covered: Vec<DaySpan>,
    /// The day on which the account was opened: the balance before is 0. `stated` has 0 on the evening before.
    pub opened_on: Option<Date>,
    /// The first day whose rows files may state twice. Nothing is reconciled from this day on.
    pub ambiguous_from: Option<Date>,
    /// The current day of the account's owner.
    pub today: Date,
}

/// Booked rows of an account on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRows {
    /// The day.
    pub day: Date,
    /// The sum of the rows in the currency of the account, in hundredths; expenses are negative.
    pub cents: i64,
    /// True if a row is in another currency. Such rows are not part of the sum.
    pub has_other_currency: bool,
}

impl DayRows {
    /// Returns one booked row. `cents` is its effect on the balance, in hundredths of its own currency.
    pub const fn row(day: Date, cents: i64, is_in_currency_of_account: bool) -> DayRows {
        let cents = if is_in_currency_of_account { cents } else { 0 };
        DayRows { day, cents, has_other_currency: !is_in_currency_of_account }
    }
}

/// The balance of an account at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayBalance {
    /// The balance in hundredths.
    pub cents: i64,
    /// True if rows may be missing, or may be superfluous, between the day and the balance from which this one follows.
    pub estimated: bool,
}

/// The balances of an account on all days.
#[derive(Clone, Debug)]
pub struct AccountBalances {
    facts: BalanceFacts,
    /// Sums of all rows until a day, by day.
    sums: Vec<(Date, i128)>,
    /// The balances in use, one for each day that has one.
    stated: Vec<Stated>,
    /// The days between each balance and the next one.
    spans: Vec<Span>,
    doubts: Vec<Doubt>,
    findings: Vec<BalanceFinding>,
}

impl AccountBalances {
    /// Compares the stated balances of an account with its rows.
    pub fn new(mut facts: BalanceFacts) -> AccountBalances {
        facts.rows.retain(|rows| rows.day <= facts.today);
        facts.rows.sort_by_key(|rows| rows.day);
        let mut sum = 0;
        let add = |rows: &DayRows| {
            sum += i128::from(rows.cents);
            (rows.day, sum)
        };
        let sums = facts.rows.iter().map(add).collect();
        let mut balances = AccountBalances {
            facts,
            sums,
            stated: Vec::new(),
            spans: Vec::new(),
            doubts: Vec::new(),
            findings: Vec::new(),
        };
        balances.choose_stated();
        balances.compare_neighbours();
        balances
    }

    /// Returns the gaps, breaks and doubted or unused balances, by day.
    pub fn findings(&self) -> &[BalanceFinding] {
        &self.findings
    }

    /// Returns the day of the last stated balance before the first gap, break, doubt or ambiguous day. `None` if no two balances
    /// agree, or if the value changes without rows.
    pub fn reconciled(&self) -> Option<Date> {
        if self.facts.changes_without_rows || !self.spans.contains(&Span::Agrees) {
            return None;
        }
        let doubted = self.doubts.first().map(|doubt| doubt.after);
        let differs = self.spans.iter().position(|span| *span != Span::Agrees).map(|at| self.stated[at].day);
        let last = self.stated.last()?.day;
        let last = [doubted, differs].into_iter().flatten().fold(last, Date::min);
        let Some(ambiguous) = self.facts.ambiguous_from.filter(|ambiguous| *ambiguous <= last) else {
            return Some(last);
        };
        let before = self.stated.partition_point(|stated| stated.day < ambiguous);
        self.stated[..before].last().filter(|_| before > 1).map(|stated| stated.day)
    }

    /// Returns the day of the newest stated balance in use until today; `None` without one.
    pub fn as_of(&self) -> Option<Date> {
        self.stated.last().map(|stated| stated.day)
    }

    /// Returns the days since the newest covered day, stated balance or row, 0 also if it is later than today; `None` without any.
    pub fn days_since_newest(&self) -> Option<i32> {
        let facts = &self.facts;
        let stated = facts.stated.iter().map(|stated| stated.day).max();
        let newest =
            [stated, facts.rows.last().map(|rows| rows.day), facts.covered.last().map(|days| days.last)];
        let since = |newest| facts.today.since(newest).map_or(i32::MAX, |since: jiff::Span| since.get_days());
        newest.into_iter().flatten().max().map(|newest| since(newest).max(0))
    }

    /// Returns the first day from which on every balance is known, as an estimate at least; `None` if none is known.
    pub fn known_since(&self) -> Option<Date> {
        if self.facts.opened_on.is_some() {
            return Some(Date::MIN);
        }
        let oldest = self.stated.first()?;
        if self.facts.changes_without_rows {
            return Some(oldest.day);
        }
        let last = if oldest.is_end_of_day { oldest.day } else { previous(oldest.day) };
        let covered = self.facts.covered.iter().find(|days| days.first <= last && last <= days.last);
        let covered =
            covered.filter(|days| self.is_complete(days.first, last)).map(|days| previous(days.first));
        let first_row = self.facts.rows.first().map(|rows| rows.day);
        Some([covered, first_row].into_iter().flatten().fold(oldest.day, Date::min))
    }

    /// Returns the first day from which on the account's balance is known, or is not needed because the account is closed; `None`
    /// if there is no such day until today.
    pub fn complete_from(&self, closed_on: Option<Date>) -> Option<Date> {
        match (self.known_since(), closed_on) {
            (Some(known), Some(closed)) => Some(known.min(closed)),
            (known, closed) => known.or(closed.filter(|closed| *closed <= self.facts.today)),
        }
    }

    /// Returns the balance at the end of a day, or of today for a later day; `None` if it is unknown, or if it exceeds 64 bits.
    pub fn on(&self, day: Date) -> Option<DayBalance> {
        let day = day.min(self.facts.today);
        let next = self.stated.partition_point(|stated| stated.day <= day);
        let (cents, exact) = match next {
            0 => self.before_oldest(day)?,
            next if next == self.stated.len() => self.since_newest(day)?,
            next => self.between(next - 1, day),
        };
        Some(DayBalance { cents: i64::try_from(cents).ok()?, estimated: !exact })
    }

    /// Returns the balance before the oldest stated one, and whether it is exact.
    fn before_oldest(&self, day: Date) -> Option<(i128, bool)> {
        if self.facts.opened_on.is_some_and(|opened| day < opened) {
            return Some((0, true));
        }
        let oldest = self.stated.first()?;
        if self.facts.changes_without_rows {
            return None;
        }
        // The rows of the day of an instant are part of its balance as far as its own file lists them. A source that has every
        // row of the day before leads to it.
        let last = if oldest.is_end_of_day { oldest.day } else { previous(oldest.day) };
        let is_complete = self.is_complete(next(day).min(last), last);
        let is_confirmed = self.spans.first() != Some(&Span::Break);
        let exact = is_complete && is_confirmed && !self.has_other_currency(oldest.day, oldest.day);
        let is_known = is_complete || self.facts.rows.first().is_some_and(|first| first.day <= day);
        is_known.then(|| (oldest.cents - self.rows(day, oldest.day), exact))
    }

    /// Returns the balance from the newest stated one on, and whether it is exact.
    fn since_newest(&self, day: Date) -> Option<(i128, bool)> {
        let at = self.stated.len().checked_sub(1)?;
        let newest = self.stated[at];
        // A balance that differs from its only neighbour is confirmed by none.
        let is_confirmed = self.spans.last() != Some(&Span::Break);
        if self.facts.changes_without_rows {
            return Some((newest.cents, self.is_carried(newest, day)));
        }
        let exact = if day == newest.day {
            self.is_exact_on_own_day(at) || (!newest.is_end_of_day && is_confirmed && self.ends_here(day))
        } else {
            let first = if newest.is_end_of_day { next(newest.day) } else { newest.day };
            is_confirmed && !newest.is_uncertain && self.is_complete(first, day)
        };
        Some((newest.cents + self.rows(newest.day, day), exact && !newest.is_uncertain))
    }

    /// True if the day of an instant has no rows after it: it is today, or a source has all rows of the day.
    fn ends_here(&self, day: Date) -> bool {
        day == self.facts.today || self.is_complete(day, day)
    }

    /// Returns the balance from a stated one to the next, and whether it is exact.
    fn between(&self, at: usize, day: Date) -> (i128, bool) {
        let before = self.stated[at];
        if self.facts.changes_without_rows && self.spans[at] != Span::Agrees {
            return (before.cents, self.is_carried(before, day));
        }
        // Later doubts end later too.
        let doubt = self.doubts.partition_point(|doubt| doubt.after < day).checked_sub(1);
        let is_doubted = doubt.is_some_and(|doubt| day < self.doubts[doubt].before);
        let agrees = self.spans[at] == Span::Agrees;
        let exact = agrees || (day == before.day && self.is_exact_on_own_day(at));
        let is_uncertain = day == before.day && before.is_uncertain;
        (before.cents + self.rows(before.day, day), exact && !is_doubted && !is_uncertain)
    }

    /// True for an end of day that agrees with the balance before, or that touches no break.
    fn is_exact_on_own_day(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.spans.get(before));
        let after = self.spans.get(at);
        let touches_break = [before, after].contains(&Some(&Span::Break));
        self.stated[at].is_end_of_day && (before == Some(&Span::Agrees) || !touches_break)
    }

    /// True if a value that changes without rows is still that of an end of day: on the day, or on the weekend after it.
    fn is_carried(&self, from: Stated, day: Date) -> bool {
        let is_weekend = |day: Date| matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
        let mut days = next(from.day).series(1.day()).take_while(|other| *other <= day);
        let is_current = from.is_end_of_day || from.day == self.facts.today;
        is_current && !from.is_uncertain && days.all(is_weekend) && !self.has_rows(from.day, day)
    }

    /// The sum of the rows after one day until another.
    fn rows(&self, after: Date, until: Date) -> i128 {
        let sum = |day: Date| {
            let end = self.sums.partition_point(|(other, _)| *other <= day);
            end.checked_sub(1).map_or(0, |last| self.sums[last].1)
        };
        sum(until) - sum(after)
    }

    /// True if a day from the first to the last has a row in another currency.
    fn has_other_currency(&self, first: Date, last: Date) -> bool {
        let rows = &self.facts.rows;
        let first = rows.partition_point(|rows| rows.day < first);
        rows[first..].iter().take_while(|rows| rows.day <= last).any(|rows| rows.has_other_currency)
    }

    fn has_rows(&self, after: Date, until: Date) -> bool {
        let rows = &self.facts.rows;
        let first = rows.partition_point(|rows| rows.day <= after);
        rows.get(first).is_some_and(|rows| rows.day <= until)
    }

    /// True if a source has every row of the days, and none is in another currency. True for no days.
    fn is_complete(&self, first: Date, last: Date) -> bool {
        first > last || self.is_covered(first, last) && !self.has_other_currency(first, last)
    }

    /// True if sources have every row of the days.
    fn is_covered(&self, first: Date, last: Date) -> bool {
        let covered = &self.facts.covered;
        let at = covered.partition_point(|covered| covered.last < first);
        covered.get(at).is_some_and(|covered| covered.first <= first && last <= covered.last)
    }
}

fn next(day: Date) -> Date {
    day.saturating_add(1.day())
}

fn previous(day: Date) -> Date {
    day.saturating_sub(1.day())
}
