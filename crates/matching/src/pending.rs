//! Pending rows: those of the newest file of each source, without those that ended.
//!
//! A pending row ends when a row of its amount is booked. A booked row of another amount replaces it if the bank gives both
//! the same reference, or if it is the only row of the payee that a newer file can mean. Otherwise the pending row
//! lapses when a file covers the day [`POSTING_DAYS_MAX`] days later.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::statement::StatementKind;
use uuid::Uuid;

use crate::authoritative::Authoritative;
use crate::line::Line;
use crate::period::Account;
use crate::row::{MatchedRow, Outcome, Step};
use crate::source::Source;

/// Maximum number of days from the day of a pending entry to the day on which it is booked.
pub(crate) const POSTING_DAYS_MAX: i32 = 10;

/// Maximum number of booked rows of a payee or reference that are considered for a pending row.
const CANDIDATES_MAX: usize = 64;

/// The sources and booked rows of one account.
#[derive(Clone, Copy)]
pub(crate) struct BookedRows<'a> {
    pub(crate) sources: &'a [Source],
    /// The number of the source of each statement.
    pub(crate) source_numbers: &'a HashMap<u32, u32>,
    /// The identifiers at the source.
    pub(crate) authoritative: &'a Authoritative,
    /// The rows of all accounts, and the number of the first row of this account.
    pub(crate) rows: &'a [MatchedRow],
    pub(crate) first_row: usize,
    pub(crate) outcomes: &'a [Outcome],
}

impl BookedRows<'_> {
    /// Returns the row of a booked line.
    fn row_of(&self, line: u32) -> Option<u32> {
        match self.outcomes[line as usize] {
            Outcome::Row(row) => Some(row),
            _ => None,
        }
    }

    fn row(&self, row: u32) -> &MatchedRow {
        &self.rows[row as usize]
    }
}

/// A pending entry.
pub(crate) struct Announced {
    pub(crate) line: u32,
    /// Equal lines of older statements.
    pub(crate) same: Vec<u32>,
    /// The outcome of an entry that ended; `None` for a pending row.
    pub(crate) end: Option<Outcome>,
}

impl Announced {
    fn new(line: u32, end: Option<Outcome>) -> Announced {
        Announced { line, same: Vec::new(), end }
    }
}

/// Returns the pending entries of one account: first those that ended at once, then those of the newest statements.
pub(crate) fn pending(account: &Account<'_>, booked: BookedRows<'_>) -> Vec<Announced> {
    let mut by_statement: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, line) in account.lines().filter(|(_, line)| line.pending) {
        by_statement.entry(line.statement).or_default().push(index);
    }
    let snapshots = snapshots(account, &by_statement);
    let replaced: HashSet<_> = account
        .lines()
        .filter(|(_, line)| !line.pending)
        .flat_map(|(_, line)| line.replaces().into_iter().chain(line.authoritative()))
        .collect();
    let is_current = |line: u32| {
        account.line(line).authoritative().is_none()
            || booked.authoritative.row(line).is_some_and(|(_, _, deciding)| deciding == line)
    };
    let mut ended: Vec<Announced> = by_statement
        .iter()
        .filter(|(statement, _)| !snapshots.contains(statement))
        .flat_map(|(_, lines)| lines.iter().map(|line| Announced::new(*line, Some(Outcome::Outdated))))
        .collect();
    let mut booked = Booked::new(account, booked);
    let mut open: Vec<Announced> = Vec::new();
    // The newest snapshot first: its pending rows stand for equal ones of other sources.
    for statement in snapshots.iter().rev() {
        booked.next.clear();
        let mut others: Vec<usize> = (0..open.len()).collect();
        for &line in by_statement.get(statement).into_iter().flatten() {
            let facts = account.line(line);
            let is_same = |other: &usize| is_same_entry(account.line(open[*other].line), facts);
            if facts.id().is_some_and(|id| replaced.contains(&id)) || !is_current(line) {
                ended.push(Announced::new(line, Some(Outcome::Outdated)));
            } else if let Some(row) = booked.take(facts) {
                ended.push(Announced::new(line, Some(Outcome::Posted(row))));
            } else if let Some(at) = others.iter().position(is_same) {
                let other = others.swap_remove(at);
                open[other].same.push(line);
            } else {
                open.push(Announced::new(line, None));
            }
        }
    }
    booked.replace_by_reference(&mut open);
    booked.replace_by_payee(&mut open);
    booked.lapse(&mut open);
    ended.extend(open);
    ended
}

/// Returns the newest statement of each source that says which entries are pending, and every list of changes, the
/// oldest first. A pending entry of a list of changes stays until a later list withdraws it.
fn snapshots(account: &Account<'_>, by_statement: &HashMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut newest: BTreeMap<&str, u32> = BTreeMap::new();
    let mut snapshots = Vec::new();
    for &member in account.members {
        let statement = account.statement(member);
        if statement.kind == StatementKind::Delta {
            snapshots.push(member);
        } else if statement.lists_pending || by_statement.contains_key(&member) {
            let known = newest.entry(&statement.origin).or_insert(member);
            if account.period(member).order > account.period(*known).order {
                *known = member;
            }
        }
    }
    snapshots.extend(newest.into_values());
    snapshots.sort_by_key(|statement| account.period(*statement).order);
    snapshots
}

fn is_same_entry(one: &Line, other: &Line) -> bool {
    let days = (one.day - other.day).get_days().abs();
    one.statement != other.statement
        && (one.cents, one.currency) == (other.cents, other.currency)
        && days <= POSTING_DAYS_MAX
}

/// Returns the day a number of days after a line.
fn after(line: &Line, days: i32) -> Date {
    line.day.saturating_add(jiff::Span::new().days(days))
}

/// Returns the rows of the days on which a pending line can be booked.
fn near(rows: &BTreeSet<(Date, u32)>, line: &Line) -> impl Iterator<Item = u32> {
    rows.range((line.day, 0)..=(after(line, POSTING_DAYS_MAX), u32::MAX)).map(|(_, row)| *row)
}

/// The booked rows of an account, and the pending lines that they hide.
struct Booked<'a> {
    account: &'a Account<'a>,
    facts: BookedRows<'a>,
    /// The rows by amount and day.
    by_amount: HashMap<(i64, Currency), BTreeMap<Date, Vec<u32>>>,
    /// Number of rows of an amount and day that the lines of the present statement have used. A row hides one pending line
    /// of each statement.
    next: HashMap<(i64, Currency, Date), usize>,
    /// The rows that hide a pending line.
    used: HashSet<u32>,
    /// The statements that have a line of a row.
    statements_of: HashMap<u32, Vec<u32>>,
}

impl<'a> Booked<'a> {
    fn new(account: &'a Account<'a>, facts: BookedRows<'a>) -> Booked<'a> {
        let mut by_amount: HashMap<_, BTreeMap<Date, Vec<u32>>> = HashMap::new();
        let rows = (0_u32..).zip(facts.rows).skip(facts.first_row);
        for (index, row) in rows.filter(|(_, row)| row.step != Step::Fee) {
            let days = by_amount.entry((row.cents, row.currency)).or_default();
            days.entry(row.day).or_default().push(index);
        }
        let mut statements_of: HashMap<u32, Vec<u32>> = HashMap::new();
        for (index, line) in account.lines() {
            if let Some(row) = facts.row_of(index) {
                statements_of.entry(row).or_default().push(line.statement);
            }
        }
        Booked { account, facts, by_amount, next: HashMap::new(), used: HashSet::new(), statements_of }
    }

    /// Returns the statements that have a line of a row.
    fn statements(&self, row: u32) -> &[u32] {
        self.statements_of.get(&row).map_or(&[], Vec::as_slice)
    }

    /// Returns the first row of the amount in the days after a pending line that its statement does not list as booked.
    fn take(&mut self, line: &Line) -> Option<u32> {
        let days = self.by_amount.get(&(line.cents, line.currency))?;
        for (day, rows) in days.range(line.day..=after(line, POSTING_DAYS_MAX)) {
            let next = self.next.entry((line.cents, line.currency, *day)).or_default();
            let listed = |row: &u32| {
                self.statements_of.get(row).is_some_and(|statements| statements.contains(&line.statement))
            };
            *next += rows[*next..].iter().take_while(|row| listed(row)).count();
            if let Some(row) = rows.get(*next) {
                *next += 1;
                self.used.insert(*row);
                return Some(*row);
            }
        }
        None
    }

    /// Returns the booked rows of lines with the key of an open line, by key, in the order of the days.
    fn rows_by<K: Copy + Eq + std::hash::Hash>(
        &self,
        open: &[Announced],
        key: impl Fn(&Line) -> Option<K>,
    ) -> HashMap<K, BTreeSet<(Date, u32)>> {
        let keys = open.iter().filter(|one| one.end.is_none());
        let mut rows: HashMap<K, BTreeSet<(Date, u32)>> =
            keys.filter_map(|one| Some((key(self.account.line(one.line))?, BTreeSet::new()))).collect();
        if rows.is_empty() {
            return rows;
        }
        for (index, line) in self.account.lines() {
            let Some(rows) = key(line).and_then(|key| rows.get_mut(&key)) else { continue };
            rows.extend(self.facts.row_of(index).map(|row| (self.facts.row(row).day, row)));
        }
        rows
    }

    /// Ends open lines whose reference a booked row has.
    fn replace_by_reference(&mut self, open: &mut [Announced]) {
        let rows: HashMap<Uuid, _> = self.rows_by(open, Line::id);
        for one in open.iter_mut() {
            let line = self.account.line(one.line);
            let Some(days) = line.id().and_then(|id| rows.get(&id)) else { continue };
            let mut near = near(days, line).take(CANDIDATES_MAX);
            if let Some(row) = near.find(|row| self.is_free(*row, line)) {
                self.used.insert(row);
                one.end = Some(Outcome::Posted(row));
            }
        }
    }

    /// Ends open lines for which only one booked row of the payee can stand, if that row can stand for no other open line.
    fn replace_by_payee(&mut self, open: &mut [Announced]) {
        let key = |line: &Line| (line.payee != 0).then_some(line.payee);
        let rows: HashMap<u32, _> = self.rows_by(open, key);
        let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, one) in open.iter().enumerate().filter(|(_, one)| one.end.is_none()) {
            let line = self.account.line(one.line);
            let Some(days) = key(line).and_then(|key| rows.get(&key)) else { continue };
            let near: Vec<u32> = near(days, line).take(CANDIDATES_MAX + 1).collect();
            let is_candidate = |row: &&u32| {
                let facts = self.facts.row(**row);
                facts.currency == line.currency
                    && facts.cents.signum() == line.cents.signum()
                    && self.is_free(**row, line)
            };
            let candidates: Vec<&u32> = near.iter().filter(is_candidate).take(2).collect();
            if near.len() <= CANDIDATES_MAX && candidates.len() == 1 {
                found.entry(*candidates[0]).or_default().push(number);
            }
        }
        let pairs = found.into_iter().filter(|(_, numbers)| numbers.len() == 1);
        let pairs: Vec<(u32, usize)> = pairs.map(|(row, numbers)| (row, numbers[0])).collect();
        let listed = self.listed(pairs.iter().map(|(_, number)| open[*number].line));
        for (row, number) in pairs {
            if self.replaces(row, self.account.line(open[number].line), &listed) {
                open[number].end = Some(Outcome::Posted(row));
            }
        }
    }

    /// Returns true if a row hides no pending line, and the statement of a pending line does not list the row.
    fn is_free(&self, row: u32, line: &Line) -> bool {
        !self.used.contains(&row) && !self.statements(row).contains(&line.statement)
    }

    /// Returns the amounts and days that each source lists of the amounts of `pending` lines.
    fn listed(&self, pending: impl Iterator<Item = u32>) -> HashSet<(i64, Currency, Date, u32)> {
        let amounts: HashSet<_> =
            pending.map(|line| self.account.line(line)).map(|line| (line.cents, line.currency)).collect();
        let lines = self.account.lines().map(|(_, line)| line);
        lines
            .filter(|line| amounts.contains(&(line.cents, line.currency)))
            .map(|line| (line.cents, line.currency, line.day, self.facts.source_numbers[&line.statement]))
            .collect()
    }

    /// Returns true if only newer files than that of a pending line have a row, and one of them covers the day of the line
    /// without listing the line.
    fn replaces(&self, row: u32, line: &Line, listed: &HashSet<(i64, Currency, Date, u32)>) -> bool {
        let BookedRows { sources, source_numbers, .. } = self.facts;
        let end = |statement: u32| self.account.period(statement).order.end;
        let statements = self.statements(row);
        let lists = |source: u32| {
            let mut days = (-POSTING_DAYS_MAX..=POSTING_DAYS_MAX).map(|days| after(line, days));
            days.any(|day| listed.contains(&(line.cents, line.currency, day, source)))
        };
        statements.iter().all(|statement| end(*statement) > end(line.statement))
            && statements.iter().map(|statement| source_numbers[statement]).any(|source| {
                source_numbers[&line.statement] != source
                    && sources[source as usize].covers(line.day)
                    && !lists(source)
            })
    }

    /// Ends the open lines that are not booked after [`POSTING_DAYS_MAX`] days, as far as files that are not older show.
    fn lapse(&self, open: &mut [Announced]) {
        let mut known: HashMap<(u32, Date), bool> = HashMap::new();
        for one in open.iter_mut().filter(|one| one.end.is_none()) {
            let line = self.account.line(one.line);
            let order = self.account.period(line.statement).order;
            let covers = |source: &Source| {
                let is_newer = source.order > order || !source.statements.contains(&line.statement);
                is_newer && source.order.end >= order.end && source.covers(after(line, POSTING_DAYS_MAX))
            };
            let is_covered = || self.facts.sources.iter().any(covers);
            if *known.entry((line.statement, line.day)).or_insert_with(is_covered) {
                one.end = Some(Outcome::Outdated);
            }
        }
    }
}
