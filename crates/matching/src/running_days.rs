//! The balances of days from rows that state the balance after each of them, as CSV exports do.
//!
//! Balances also distinguish the rows of days of which files list only a part. A file may begin or end in the middle of a
//! day. Counts cannot tell whether its rows of that day are those of another file. Running balances can, if the rows of
//! both files join: one continues from a balance that the other has after a row.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use passbook_domain::balance::{BalanceMoment, StatedBalance};

use crate::line::Line;
use crate::period::Account;
use crate::source::Source;

/// The rows of one day that add up in one direction.
struct Day {
    date: Date,
    /// The balance before the first row.
    before: i128,
    /// The balance after the last row.
    after: i128,
    /// The sum of the rows.
    total: i128,
}

/// Returns the balance after the last row of each day, in ascending order. It is that of the end of the day if the rows of the
/// next day continue from it, else that of a moment. `lines` are in the order of the file, whose days may ascend or descend.
/// Empty if a row has no balance.
pub(crate) fn balances(lines: &[&Line]) -> Vec<StatedBalance> {
    if lines.iter().any(|line| line.balance_after().is_none()) {
        return Vec::new();
    }
    let mut days: Vec<Option<Day>> = lines.chunk_by(|one, other| one.day == other.day).map(day).collect();
    if lines.first().zip(lines.last()).is_some_and(|(first, last)| first.day > last.day) {
        days.reverse();
    }
    let mut stated = Vec::new();
    for (at, day) in days.iter().enumerate() {
        let Some(day) = day else { continue };
        let next = days.get(at + 1).and_then(Option::as_ref);
        let is_end = next.is_some_and(|next| next.date > day.date && next.before == day.after);
        let (Ok(cents), Ok(listed_cents)) = (i64::try_from(day.after), i64::try_from(day.total)) else {
            continue;
        };
        let moment = if is_end { BalanceMoment::EndOfDay } else { BalanceMoment::Instant { listed_cents } };
        stated.push(StatedBalance { day: day.date, cents, moment });
    }
    stated
}

/// Returns a day whose rows add up; `None` if they do not.
fn day(rows: &[&Line]) -> Option<Day> {
    let ordered = in_order(rows.iter().copied())?;
    let (first, last) = (ordered.first()?, ordered.last()?);
    Some(Day {
        date: rows.first()?.day,
        before: first.1 - first.0,
        after: last.1,
        total: ordered.iter().map(|(effect, _)| effect).sum(),
    })
}

/// Returns effect and balance of each line in the order in which they add up: that of the file or the opposite one. `None` if
/// they add up in neither, or if a line has no balance.
fn in_order<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Option<Vec<(i128, i128)>> {
    let row = |line: &Line| Some((line.effect(), i128::from(line.balance_after()?)));
    let rows: Vec<(i128, i128)> = lines.into_iter().map(row).collect::<Option<_>>()?;
    let reversed = rows.iter().rev().copied().collect();
    let adds_up = |rows: &Vec<(i128, i128)>| rows.windows(2).all(|pair| pair[0].1 + pair[1].0 == pair[1].1);
    [rows, reversed].into_iter().find(adds_up)
}

/// Maximum number of positions at which the rows of two files are tried to join.
const POSITIONS_MAX: usize = 64;

/// Rows of one day in the order in which they add up.
struct Rows {
    /// The balance before the first row.
    before: i128,
    /// Effect of each row, and balance after it.
    rows: Vec<(i128, i128)>,
}

impl Rows {
    /// Returns the rows of some lines; `None` if they add up neither from first to last nor from last to first.
    fn new(account: &Account<'_>, lines: &[u32]) -> Option<Rows> {
        let rows = in_order(lines.iter().map(|line| account.line(*line)))?;
        let (effect, after) = *rows.first()?;
        Some(Rows { before: after - effect, rows })
    }

    /// Adds the rows of another file that begin within these rows or directly after them. Returns false if they do not.
    fn join(&mut self, other: &Rows) -> bool {
        let balances = std::iter::once(self.before).chain(self.rows.iter().map(|(_, after)| *after));
        let positions = balances.enumerate().filter(|(_, balance)| *balance == other.before);
        // The first position has the most rows in common.
        let found = positions
            .map(|(at, _)| at)
            .take(POSITIONS_MAX)
            .find(|at| self.rows[*at..].iter().zip(&other.rows).all(|(one, other)| one == other));
        if let Some(at) = found {
            let common = self.rows.len() - at;
            self.rows.extend(other.rows.iter().skip(common));
        }
        found.is_some()
    }
}

/// Returns the balance after each line of a day that a file lists in part, as far as the files of the day join: lines with
/// different balances are different transactions. `sources` are those of the account, and `numbers` those of the sources by
/// statement.
pub(crate) fn partial_balances(
    account: &Account<'_>,
    sources: &[Source],
    numbers: &HashMap<u32, u32>,
) -> HashMap<u32, i64> {
    if !account.lines().any(|(_, line)| line.balance_after().is_some()) {
        return HashMap::new();
    }
    let ends: BTreeSet<Date> =
        sources.iter().flat_map(|source| &source.ranges).flat_map(|range| [range.0, range.1]).collect();
    let mut days: BTreeMap<Date, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for (line, facts) in account.lines().filter(|(_, facts)| !facts.pending && ends.contains(&facts.day)) {
        let file = numbers[&facts.statement];
        if !sources[file as usize].is_run {
            days.entry(facts.day).or_default().entry(file).or_default().push(line);
        }
    }
    let mut balances = HashMap::new();
    for files in days.into_values().filter(|files| files.len() > 1) {
        let mut joined: Option<Rows> = None;
        for lines in files.into_values() {
            let Some(mut rows) = Rows::new(account, &lines) else { continue };
            let mut is_joined = true;
            joined = Some(match joined {
                None => rows,
                Some(mut known) => {
                    let continues = known.join(&rows);
                    is_joined = continues || rows.join(&known);
                    if is_joined && !continues { rows } else { known }
                }
            });
            if is_joined {
                let balance = |line: &u32| Some((*line, account.line(*line).balance_after()?));
                balances.extend(lines.iter().filter_map(balance));
            }
        }
    }
    balances
}
