//! The balances that files state, and the comparison of an account's rows with them.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::balance::{
    AccountBalances, BalanceFacts, BalanceFinding, BalanceMoment, DayRows, StatedBalance,
};
use passbook_domain::range::DaySpan;
use passbook_records::statement::{BalanceKind, StatementKind};
use uuid::Uuid;

use super::line::{FileStatement, Line};
use super::period::{Period, periods};
use super::resolve::Resolution;
use super::row::Step;
use super::running_days;

/// The balances of one account's files, and their comparison with the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountReconciliation {
    /// The balances, by day; those of one day from the oldest file to the newest.
    pub stated: Vec<StatedBalance>,
    /// The days of which files list every row, disjoint and in ascending order.
    pub covered: Vec<DaySpan>,
    /// The last balance before the first difference: `None` if no two balances agree.
    pub through: Option<Date>,
    /// Differences between balances and rows.
    pub findings: Vec<BalanceFinding>,
    /// Statements whose own lines do not add up: statement and difference in hundredths.
    pub unbalanced: Vec<(u32, i128)>,
    /// Missing statements of a numbered sequence.
    pub gaps: Vec<Gap>,
    /// Pairs of statements whose equal lines of one day may be the same transactions. Nothing is proven from that day on.
    pub ambiguous: Vec<(u32, u32)>,
    /// The first of these days.
    pub ambiguous_from: Option<Date>,
}

/// Statements that are missing in a numbered sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first missing number.
    pub first: u64,
    /// The last missing number.
    pub last: u64,
    /// Closing day of the statement before.
    pub after: Date,
}

/// Collects the balances of every account's statements, and compares the rows until `today` with them. `is_stored` returns false
/// for the index of a row that a rule leaves out, and `changes_without_rows` true for an account whose value changes without
/// rows, such as a depot.
pub fn reconcile(
    statements: &[FileStatement],
    lines: &[Line],
    resolution: &Resolution,
    is_stored: &dyn Fn(usize) -> bool,
    changes_without_rows: &dyn Fn(Uuid) -> bool,
    today: Date,
) -> BTreeMap<Uuid, AccountReconciliation> {
    let periods = periods(statements, lines);
    let files = Files::new(statements, &periods, lines);
    let mut members: BTreeMap<Uuid, Vec<u32>> = BTreeMap::new();
    for (index, statement) in (0_u32..).zip(statements) {
        members.entry(statement.account).or_default().push(index);
    }
    let mut rows = booked_rows(statements, resolution, is_stored);
    let account = |(account, mut members): (Uuid, Vec<u32>)| {
        members.sort_by_key(|member| periods[*member as usize].order);
        let (stated, covered) = files.balances(&members);
        let own = |pair: &&(u32, u32)| statements[pair.1 as usize].account == account;
        let ambiguous: Vec<(u32, u32)> = resolution.ambiguous.iter().filter(own).copied().collect();
        let first_days = ambiguous.iter().filter_map(|(_, later)| Some(periods[*later as usize].days?.0));
        let ambiguous_from = first_days.min();
        let balances = AccountBalances::new(BalanceFacts {
            changes_without_rows: changes_without_rows(account),
            stated: stated.clone(),
            rows: rows.remove(&account).unwrap_or_default(),
            covered: covered.clone(),
            opened_on: None,
            ambiguous_from,
            today,
        });
        let unbalanced = |member: &u32| {
            let at = *member as usize;
            let difference = periods[at].difference(&statements[at])?;
            (difference != 0).then_some((*member, difference))
        };
        let reconciliation = AccountReconciliation {
            stated,
            covered,
            through: balances.reconciled(),
            findings: balances.findings().to_vec(),
            unbalanced: members.iter().filter_map(unbalanced).collect(),
            gaps: gaps(statements, &resolution.runs, account),
            ambiguous,
            ambiguous_from,
        };
        (account, reconciliation)
    };
    members.into_iter().map(account).collect()
}

/// Returns the booked rows of each account that are stored.
fn booked_rows(
    statements: &[FileStatement],
    resolution: &Resolution,
    is_stored: &dyn Fn(usize) -> bool,
) -> HashMap<Uuid, Vec<DayRows>> {
    let currency: HashMap<Uuid, _> =
        statements.iter().map(|statement| (statement.account, statement.currency)).collect();
    let mut accounts: HashMap<Uuid, Vec<DayRows>> = HashMap::new();
    let rows = resolution.rows.iter().enumerate().filter(|(index, _)| is_stored(*index));
    for (_, row) in rows.filter(|(_, row)| !matches!(row.step, Step::Pending(_))) {
        let account = resolution.account(row);
        let is_own = currency.get(&account) == Some(&row.currency);
        accounts.entry(account).or_default().push(DayRows::row(row.day, row.cents, is_own));
    }
    accounts
}

/// The statements of all files with their lines.
struct Files<'a> {
    statements: &'a [FileStatement],
    periods: &'a [Period],
    /// The booked lines of each statement in the currency of its account, in the order of the file.
    lines: HashMap<u32, Vec<&'a Line>>,
}

impl<'a> Files<'a> {
    fn new(statements: &'a [FileStatement], periods: &'a [Period], lines: &'a [Line]) -> Files<'a> {
        let mut of: HashMap<u32, Vec<&Line>> = HashMap::new();
        for line in lines.iter().filter(|line| !line.pending) {
            if line.currency == statements[line.statement as usize].currency {
                of.entry(line.statement).or_default().push(line);
            }
        }
        Files { statements, periods, lines: of }
    }

    /// Returns the balances of an account's statements, which are in the order of their age, and the covered days.
    fn balances(&self, members: &[u32]) -> (Vec<StatedBalance>, Vec<DaySpan>) {
        let (mut stated, mut covered) = (Vec::new(), Vec::new());
        let mut shared = Shared::default();
        for &member in members {
            let [opening, closing] = self.ends(member);
            let before = self.statements[member as usize].balance(BalanceKind::Opening);
            let is_changed = |(_, cents): &(Date, i64)| before.is_none_or(|before| before.cents != *cents);
            shared.add(opening, closing.filter(is_changed));
        }
        for &member in members {
            let running = running_days::balances(self.lines(member));
            let is_running = !running.is_empty();
            stated.extend(running);
            stated.extend(self.stated(member, &shared, is_running));
            covered.extend(self.covered(member));
        }
        stated.sort_by_key(|balance| balance.day);
        (stated, merged(covered))
    }

    fn lines(&self, statement: u32) -> &[&'a Line] {
        self.lines.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// Returns the balances that a statement states itself. Opening and closing balance of a statement with running balances
    /// are computed from these.
    fn stated(&self, member: u32, shared: &Shared, is_running: bool) -> Vec<StatedBalance> {
        let (statement, period) = (&self.statements[member as usize], &self.periods[member as usize]);
        let [own_opening, own_closing] = self.ends(member);
        let is_both = own_opening.is_some() && own_opening == own_closing;
        let mut stated = Vec::new();
        let end_of_day = |day, cents| StatedBalance { day, cents, moment: BalanceMoment::EndOfDay };
        if let Some(opening) = statement.balance(BalanceKind::Opening).filter(|_| !is_running) {
            // The stated day is the first day of the statement or the day before. If the statement before ends with this balance,
            // nothing new is stated.
            let first = statement.from.or(period.days.map(|days| days.0)).unwrap_or(opening.day);
            let day = previous(first).min(opening.day);
            if !shared.ends_with(opening.day, opening.cents) {
                stated.push(end_of_day(day, opening.cents));
            }
        }
        if let Some(closing) = statement.balance(BalanceKind::Closing).filter(|_| !is_running)
            && !shared.begins_at((closing.day, closing.cents), is_both)
        {
            stated.push(end_of_day(closing.day, closing.cents));
        }
        if let Some(interim) = statement.balance(BalanceKind::Interim) {
            let (day, cents) = (interim.day, interim.cents);
            let listed = self.lines(member).iter().filter(|line| line.day == day).map(|line| line.effect());
            let moment = BalanceMoment::Instant { listed_cents: clamped(listed.sum()) };
            stated.push(StatedBalance { day, cents, moment });
        }
        stated
    }

    /// Returns the opening balance of a statement with the day of its first line, and its closing balance with its day.
    fn ends(&self, member: u32) -> [Option<(Date, i64)>; 2] {
        let statement = &self.statements[member as usize];
        let first = self.periods[member as usize].days.map(|days| days.0);
        let opening =
            first.zip(statement.balance(BalanceKind::Opening)).map(|(first, opening)| (first, opening.cents));
        [opening, statement.balance(BalanceKind::Closing).map(|closing| (closing.day, closing.cents))]
    }

    /// Returns the days of which a statement lists every row: its stated period, until the day before a balance of a moment and
    /// the day until which it is current; or the days between its first and its last line.
    fn covered(&self, member: u32) -> Option<DaySpan> {
        let (statement, period) = (&self.statements[member as usize], &self.periods[member as usize]);
        let instant = statement.balance(BalanceKind::Interim).map(|interim| interim.day);
        let days = match (statement.from.zip(statement.to), period.days) {
            (Some((first, last)), _) => Some((first, last)),
            (None, Some((first, last))) if is_sequence(statement) => {
                let closing = statement.balance(BalanceKind::Closing).map_or(last, |closing| closing.day);
                Some((first, last.max(closing)))
            }
            (None, days) => days.map(|(first, last)| (next(first), previous(last))),
        };
        let (first, last) = days?;
        let last = instant.map_or(last, |day| last.min(previous(day)));
        let last = statement.as_of.map_or(last, |day| last.min(day));
        (first <= last).then_some(DaySpan { first, last })
    }
}

/// The balances with which the statements of an account begin and end.
#[derive(Default)]
struct Shared {
    /// Opening balances, with the first day that has lines.
    openings: HashMap<(Date, i64), usize>,
    /// Closing balances of statements whose lines change the balance.
    closings: BTreeMap<Date, Vec<i64>>,
}

impl Shared {
    fn add(&mut self, opening: Option<(Date, i64)>, closing: Option<(Date, i64)>) {
        opening.into_iter().for_each(|key| *self.openings.entry(key).or_default() += 1);
        closing.into_iter().for_each(|(day, cents)| self.closings.entry(day).or_default().push(cents));
    }

    /// True if another statement goes on on the day of a closing balance, which is then one of a part of the day. `is_both`: the
    /// statement itself begins with the balance on the same day.
    fn begins_at(&self, closing: (Date, i64), is_both: bool) -> bool {
        self.openings.get(&closing).is_some_and(|count| *count > usize::from(is_both))
    }

    /// True if one of the last statements until a day ends with an opening balance: on the day itself, or before.
    fn ends_with(&self, day: Date, cents: i64) -> bool {
        self.closings.range(..=day).rev().take(2).any(|(_, closings)| closings.contains(&cents))
    }
}

/// True for a statement that lists everything between its balances.
fn is_sequence(statement: &FileStatement) -> bool {
    statement.ends().is_some() && statement.kind == StatementKind::Sequence
}

/// Joins ranges of days that touch or overlap.
fn merged(mut ranges: Vec<DaySpan>) -> Vec<DaySpan> {
    ranges.sort_by_key(|range| (range.first, range.last));
    let mut merged: Vec<DaySpan> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.first <= next(last.last)) {
            Some(last) => last.last = last.last.max(range.last),
            None => merged.push(range),
        }
    }
    merged
}

fn clamped(cents: i128) -> i64 {
    i64::try_from(cents).unwrap_or(if cents < 0 { i64::MIN } else { i64::MAX })
}

fn next(day: Date) -> Date {
    day.saturating_add(1.day())
}

fn previous(day: Date) -> Date {
    day.saturating_sub(1.day())
}

/// Returns the gaps between the numbered runs of an account.
fn gaps(statements: &[FileStatement], runs: &[Vec<u32>], account: Uuid) -> Vec<Gap> {
    let own = |run: &&Vec<u32>| statements[run[0] as usize].account == account;
    let mut ends: Vec<_> = runs
        .iter()
        .filter(own)
        .filter_map(|run| {
            let (first, last) = (&statements[run[0] as usize], &statements[*run.last()? as usize]);
            let day = |statement: &FileStatement| Some(statement.balance(BalanceKind::Closing)?.day);
            Some((day(first)?, first.number_and_part()?.0, day(last)?, last.number_and_part()?.0))
        })
        .collect();
    ends.sort_unstable();
    // A statement whose lines do not add up is in no run, but it is not missing.
    let own = statements.iter().filter(|statement| statement.account == account);
    let present: HashSet<u64> = own.filter_map(|statement| Some(statement.number_and_part()?.0)).collect();
    ends.windows(2)
        .filter(|pair| pair[1].1 > pair[0].3 + 1)
        .map(|pair| Gap { first: pair[0].3 + 1, last: pair[1].1 - 1, after: pair[0].2 })
        .filter(|gap| !present.iter().any(|number| (gap.first..=gap.last).contains(number)))
        .collect()
}
