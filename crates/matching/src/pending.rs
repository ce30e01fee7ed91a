//! Pending rows: those of the newest file of each source, without those that are booked since.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::statement::StatementKind;

use super::line::{FileStatement, Line};
use super::period::Period;

/// Maximum number of days from the day of a pending entry to the day on which it is booked.
pub(crate) const POSTING_DAYS_MAX: i32 = 10;

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
    /// A newer file of the source no longer lists the line.
    Outdated,
}

/// The statements and lines of one account, as indexes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountLines<'a> {
    pub(crate) statements: &'a [FileStatement],
    pub(crate) periods: &'a [Period],
    /// The statements of the account.
    pub(crate) members: &'a [u32],
    pub(crate) all: &'a [Line],
    /// The lines of the account.
    pub(crate) lines: &'a [u32],
}

/// Returns the fate of each pending line of one account. `has_line` returns true if a row has a line of a statement, and
/// `is_current` if no newer line decides the state of the line's identifier.
pub(crate) fn pending(
    account: &AccountLines<'_>,
    posted: &[Posted],
    has_line: &dyn Fn(u32, u32) -> bool,
    is_current: &dyn Fn(u32) -> bool,
) -> Vec<(u32, Announced)> {
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
    let mut free = Free::new(posted);
    let mut rows: Vec<u32> = Vec::new();
    // The newest snapshot first: its pending rows stand for equal ones of other sources.
    for statement in snapshots.iter().rev() {
        let mut others: Vec<u32> = rows.clone();
        for &line in by_statement.get(statement).into_iter().flatten() {
            let facts = &all[line as usize];
            if facts.id().is_some_and(|id| replaced.contains(&id.name)) || !is_current(line) {
                fates.push((line, Announced::Outdated));
            } else if let Some(row) = free.take(facts, &|row| !has_line(row, *statement)) {
                fates.push((line, Announced::PostedAs(row)));
            } else if let Some(at) =
                others.iter().position(|other| is_same_entry(&all[*other as usize], facts))
            {
                fates.push((line, Announced::SameAs(others.remove(at))));
            } else {
                rows.push(line);
                fates.push((line, Announced::Row));
            }
        }
    }
    fates.sort_unstable_by_key(|(line, _)| *line);
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

/// The booked rows that hide no pending line yet, by amount and day.
struct Free(HashMap<(i64, Currency), BTreeMap<Date, Vec<u32>>>);

impl Free {
    fn new(posted: &[Posted]) -> Free {
        let mut free: HashMap<_, BTreeMap<Date, Vec<u32>>> = HashMap::new();
        for row in posted {
            let days = free.entry((row.cents, row.currency)).or_default();
            days.entry(row.day).or_default().push(row.row);
        }
        Free(free)
    }

    /// Removes and returns the first row in the days after a pending line that is accepted.
    fn take(&mut self, line: &Line, accepts: &dyn Fn(u32) -> bool) -> Option<u32> {
        let days = self.0.get_mut(&(line.cents, line.currency))?;
        let end = line.day.saturating_add(jiff::Span::new().days(POSTING_DAYS_MAX));
        days.range_mut(line.day..=end).find_map(|(_, rows)| {
            let at = rows.iter().position(|row| accepts(*row))?;
            Some(rows.remove(at))
        })
    }
}
