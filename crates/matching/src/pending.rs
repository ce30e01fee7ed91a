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

use super::line::{FileStatement, Line};
use super::period::Period;
use super::source::Source;

/// Maximum number of days from the day of a pending entry to the day on which it is booked.
pub(crate) const POSTING_DAYS_MAX: i32 = 10;

/// Maximum number of booked rows of a payee or reference that are considered for a pending row.
const CANDIDATES_MAX: usize = 64;

/// A booked row, as far as it can hide a pending one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posted {
    pub(crate) row: u32,
    pub(crate) day: Date,
    pub(crate) cents: i64,
    pub(crate) currency: Currency,
}

/// A pending line and its fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Announced {
    /// The line is a pending row.
    Row,
    /// The line is the same as the pending row of another line.
    SameAs(u32),
    /// The line is booked as this row.
    PostedAs(u32),
    /// A newer file of the source no longer lists the line, or the line lapsed.
    Outdated,
}

/// The statements and lines of one account, as indexes.
#[derive(Clone, Copy)]
pub(crate) struct AccountLines<'a> {
    pub(crate) statements: &'a [FileStatement],
    pub(crate) periods: &'a [Period],
    /// The statements of the account.
    pub(crate) members: &'a [u32],
    pub(crate) sources: &'a [Source],
    pub(crate) all: &'a [Line],
    /// The lines of the account.
    pub(crate) lines: &'a [u32],
    /// Returns the row of a booked line.
    pub(crate) row_of: &'a dyn Fn(u32) -> Option<u32>,
    /// Returns true if no newer line decides the state of the identifier of a line.
    pub(crate) is_current: &'a dyn Fn(u32) -> bool,
}

/// A pending row until it is known whether it ended.
struct Open {
    line: u32,
    fate: Announced,
    /// Equal lines of older statements.
    same: Vec<u32>,
}

/// Returns the fate of each pending line of one account: first those of the newest statements.
pub(crate) fn pending(account: &AccountLines<'_>, posted: &[Posted]) -> Vec<(u32, Announced)> {
    let AccountLines { all, lines, .. } = *account;
    let mut by_statement: HashMap<u32, Vec<u32>> = HashMap::new();
    for &line in lines.iter().filter(|line| all[**line as usize].pending) {
        by_statement.entry(all[line as usize].statement).or_default().push(line);
    }
    let snapshots = snapshots(account, &by_statement);
    let replaced: HashSet<_> = lines
        .iter()
        .map(|line| &all[*line as usize])
        .filter(|line| !line.pending)
        .flat_map(|line| line.replaces().into_iter().chain(line.authoritative()))
        .collect();
    let mut fates: Vec<(u32, Announced)> = by_statement
        .iter()
        .filter(|(statement, _)| !snapshots.contains(statement))
        .flat_map(|(_, lines)| lines.iter().map(|line| (*line, Announced::Outdated)))
        .collect();
    let mut booked = Booked::new(account, posted);
    let mut open: Vec<Open> = Vec::new();
    // The newest snapshot first: its pending rows stand for equal ones of other sources.
    for statement in snapshots.iter().rev() {
        booked.next.clear();
        let mut others: Vec<usize> = (0..open.len()).collect();
        for &line in by_statement.get(statement).into_iter().flatten() {
            let facts = &all[line as usize];
            let is_same = |other: &usize| is_same_entry(&all[open[*other].line as usize], facts);
            if facts.id().is_some_and(|id| replaced.contains(&id.name)) || !(account.is_current)(line) {
                fates.push((line, Announced::Outdated));
            } else if let Some(row) = booked.take(facts) {
                fates.push((line, Announced::PostedAs(row)));
            } else if let Some(at) = others.iter().position(is_same) {
                let other = others.swap_remove(at);
                open[other].same.push(line);
            } else {
                open.push(Open { line, fate: Announced::Row, same: Vec::new() });
            }
        }
    }
    booked.replace_by_reference(&mut open);
    booked.replace_by_payee(&mut open);
    lapse(account, &mut open);
    for Open { line, fate, same } in open {
        let shared = if fate == Announced::Row { Announced::SameAs(line) } else { fate };
        fates.push((line, fate));
        fates.extend(same.into_iter().map(|line| (line, shared)));
    }
    fates
}

/// Returns the newest statement of each source that says which entries are pending, and every list of changes, the
/// oldest first. A pending entry of a list of changes stays until a later list withdraws it.
fn snapshots(account: &AccountLines<'_>, by_statement: &HashMap<u32, Vec<u32>>) -> Vec<u32> {
    let AccountLines { statements, periods, members, .. } = *account;
    let mut newest: BTreeMap<&str, u32> = BTreeMap::new();
    let mut snapshots = Vec::new();
    for &member in members {
        let statement = &statements[member as usize];
        if statement.kind == StatementKind::Delta {
            snapshots.push(member);
        } else if statement.lists_pending || by_statement.contains_key(&member) {
            let known = newest.entry(&statement.origin).or_insert(member);
            if periods[member as usize].order > periods[*known as usize].order {
                *known = member;
            }
        }
    }
    snapshots.extend(newest.into_values());
    snapshots.sort_by_key(|statement| periods[*statement as usize].order);
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
    account: &'a AccountLines<'a>,
    posted: HashMap<u32, Posted>,
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
    fn new(account: &'a AccountLines<'a>, posted: &[Posted]) -> Booked<'a> {
        let mut by_amount: HashMap<_, BTreeMap<Date, Vec<u32>>> = HashMap::new();
        for row in posted {
            let days = by_amount.entry((row.cents, row.currency)).or_default();
            days.entry(row.day).or_default().push(row.row);
        }
        let mut statements_of: HashMap<u32, Vec<u32>> = HashMap::new();
        for &line in account.lines {
            if let Some(row) = (account.row_of)(line) {
                statements_of.entry(row).or_default().push(account.all[line as usize].statement);
            }
        }
        let posted = posted.iter().map(|row| (row.row, *row)).collect();
        let (next, used) = (HashMap::new(), HashSet::new());
        Booked { account, posted, by_amount, next, used, statements_of }
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
        open: &[Open],
        key: impl Fn(&Line) -> Option<K>,
    ) -> HashMap<K, BTreeSet<(Date, u32)>> {
        let AccountLines { all, lines, row_of, .. } = *self.account;
        let keys = open.iter().filter(|one| one.fate == Announced::Row);
        let mut rows: HashMap<K, BTreeSet<(Date, u32)>> =
            keys.filter_map(|one| Some((key(&all[one.line as usize])?, BTreeSet::new()))).collect();
        if rows.is_empty() {
            return rows;
        }
        for line in lines {
            let Some(rows) = key(&all[*line as usize]).and_then(|key| rows.get_mut(&key)) else { continue };
            rows.extend(row_of(*line).and_then(|row| self.posted.get(&row)).map(|row| (row.day, row.row)));
        }
        rows
    }

    /// Ends open lines whose reference a booked row has.
    fn replace_by_reference(&mut self, open: &mut [Open]) {
        let key = |line: &Line| line.id().map(|id| id.name);
        let rows: HashMap<Uuid, _> = self.rows_by(open, key);
        for one in open.iter_mut() {
            let line = &self.account.all[one.line as usize];
            let Some(days) = key(line).and_then(|key| rows.get(&key)) else { continue };
            let mut near = near(days, line).take(CANDIDATES_MAX);
            if let Some(row) = near.find(|row| self.is_free(*row, line)) {
                self.used.insert(row);
                one.fate = Announced::PostedAs(row);
            }
        }
    }

    /// Ends open lines for which only one booked row of the payee can stand, if that row can stand for no other open line.
    fn replace_by_payee(&mut self, open: &mut [Open]) {
        let key = |line: &Line| (line.payee != 0).then_some(line.payee);
        let rows: HashMap<u32, _> = self.rows_by(open, key);
        let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, one) in open.iter().enumerate().filter(|(_, one)| one.fate == Announced::Row) {
            let line = &self.account.all[one.line as usize];
            let Some(days) = key(line).and_then(|key| rows.get(&key)) else { continue };
            let near: Vec<u32> = near(days, line).take(CANDIDATES_MAX + 1).collect();
            let is_candidate = |row: &&u32| {
                let facts = &self.posted[*row];
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
        let newer = NewerFiles::new(self, pairs.iter().map(|(_, number)| open[*number].line));
        for (row, number) in pairs {
            if newer.replace(row, &self.account.all[open[number].line as usize]) {
                open[number].fate = Announced::PostedAs(row);
            }
        }
    }

    /// Returns true if a row hides no pending line, and the statement of a pending line does not list the row.
    fn is_free(&self, row: u32, line: &Line) -> bool {
        !self.used.contains(&row) && !self.statements(row).contains(&line.statement)
    }
}

/// The sources that list a booked row but not the pending line that the row may replace.
struct NewerFiles<'a> {
    booked: &'a Booked<'a>,
    /// The source of each statement.
    source_of: HashMap<u32, usize>,
    /// Amounts and days that a source lists.
    listed: HashSet<(i64, Currency, Date, usize)>,
}

impl<'a> NewerFiles<'a> {
    /// Reads what the sources list of the amounts of `pending` lines.
    fn new(booked: &'a Booked<'a>, pending: impl Iterator<Item = u32>) -> NewerFiles<'a> {
        let AccountLines { sources, all, lines, .. } = *booked.account;
        let amount = |line: &u32| (all[*line as usize].cents, all[*line as usize].currency);
        let amounts: HashSet<_> = pending.map(|line| amount(&line)).collect();
        let numbered = sources.iter().enumerate();
        let source_of: HashMap<u32, usize> = numbered
            .flat_map(|(number, source)| source.statements.iter().map(move |statement| (*statement, number)))
            .collect();
        let near = lines.iter().filter(|line| amounts.contains(&amount(line)));
        let listed = near.filter_map(|line| {
            let (line, (cents, currency)) = (&all[*line as usize], amount(line));
            Some((cents, currency, line.day, *source_of.get(&line.statement)?))
        });
        NewerFiles { booked, listed: listed.collect(), source_of }
    }

    /// Returns true if only newer files than that of a pending line have a row, and one of them covers the day of the line
    /// without listing the line.
    fn replace(&self, row: u32, line: &Line) -> bool {
        let AccountLines { periods, sources, .. } = *self.booked.account;
        let end = |statement: u32| periods[statement as usize].order.end;
        let statements = self.booked.statements(row);
        let lists = |source: usize| {
            let mut days = (-POSTING_DAYS_MAX..=POSTING_DAYS_MAX).map(|days| after(line, days));
            days.any(|day| self.listed.contains(&(line.cents, line.currency, day, source)))
        };
        statements.iter().all(|statement| end(*statement) > end(line.statement))
            && statements.iter().filter_map(|statement| self.source_of.get(statement)).any(|source| {
                self.source_of.get(&line.statement) != Some(source)
                    && sources[*source].covers(line.day)
                    && !lists(*source)
            })
    }
}

/// Ends the open lines that are not booked after [`POSTING_DAYS_MAX`] days, as far as files that are not older show.
fn lapse(account: &AccountLines<'_>, open: &mut [Open]) {
    let AccountLines { periods, sources, all, .. } = *account;
    let mut known: HashMap<(u32, Date), bool> = HashMap::new();
    for one in open.iter_mut().filter(|one| one.fate == Announced::Row) {
        let line = &all[one.line as usize];
        let order = periods[line.statement as usize].order;
        let covers = |source: &Source| {
            let is_newer = source.order > order || !source.statements.contains(&line.statement);
            is_newer && source.order.end >= order.end && source.covers(after(line, POSTING_DAYS_MAX))
        };
        if *known.entry((line.statement, line.day)).or_insert_with(|| sources.iter().any(covers)) {
            one.fate = Announced::Outdated;
        }
    }
}
