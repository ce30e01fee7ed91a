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

/// The rows of one day in an order in which they add up.
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
/// Rows of a day that add up from first to last and from last to first are in the order in which they continue from the day
/// before, or the next day from them; else in the order of the days of the file. Of a single day this is unknown, and nothing is
/// stated. Empty if a row has no balance.
pub(crate) fn balances(lines: &[&Line]) -> Vec<StatedBalance> {
    if lines.iter().any(|line| line.balance_after().is_none()) {
        return Vec::new();
    }
    let mut days: Vec<Vec<Day>> = lines.chunk_by(|one, other| one.day == other.day).map(orders).collect();
    if lines.first().zip(lines.last()).is_some_and(|(first, last)| first.day > last.day) {
        days.reverse();
        days.iter_mut().for_each(|orders| orders.reverse());
    }
    let mut stated: Vec<StatedBalance> = Vec::new();
    for (at, orders) in days.iter().enumerate() {
        let next = days.get(at + 1).map_or(&[][..], Vec::as_slice);
        let before = at.checked_sub(1).and(stated.last()).map(|before| i128::from(before.cents));
        let is_end = |day: &&Day| next.iter().any(|next| next.date > day.date && next.before == day.after);
        let continues = orders.iter().find(|day| before == Some(day.before));
        let first = orders.first().filter(|_| orders.len() == 1 || days.len() > 1);
        let Some(day) = continues.or_else(|| orders.iter().find(is_end)).or(first) else { continue };
        let is_end = is_end(&day);
        let (Ok(cents), Ok(listed_cents)) = (i64::try_from(day.after), i64::try_from(day.total)) else {
            continue;
        };
        let moment = if is_end { BalanceMoment::EndOfDay } else { BalanceMoment::Instant { listed_cents } };
        stated.push(StatedBalance { day: day.date, cents, moment });
    }
    stated
}

/// Returns a day in each order in which its rows add up: that of the file, and the opposite one if it ends with another balance.
fn orders(rows: &[&Line]) -> Vec<Day> {
    let day = |ordered: Vec<(i128, i128)>| {
        let (first, last) = (ordered.first()?, ordered.last()?);
        let total = ordered.iter().map(|(effect, _)| effect).sum();
        Some(Day { date: rows.first()?.day, before: first.1 - first.0, after: last.1, total })
    };
    let mut orders: Vec<Day> = in_orders(rows.iter().copied()).filter_map(day).collect();
    orders.dedup_by_key(|day| day.after);
    orders
}

/// Returns effect and balance of each line in the orders in which they add up: that of the file and the opposite one. Empty if
/// they add up in neither, or if a line has no balance.
fn in_orders<'a>(lines: impl IntoIterator<Item = &'a Line>) -> impl Iterator<Item = Vec<(i128, i128)>> {
    let row = |line: &Line| Some((line.effect(), i128::from(line.balance_after()?)));
    let rows: Option<Vec<(i128, i128)>> = lines.into_iter().map(row).collect();
    let adds_up = |rows: &Vec<(i128, i128)>| rows.windows(2).all(|pair| pair[0].1 + pair[1].0 == pair[1].1);
    let orders = rows.map(|rows| [rows.iter().rev().copied().collect(), rows]);
    orders.into_iter().flat_map(|[reversed, rows]| [rows, reversed]).filter(adds_up)
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
        let rows = in_orders(lines.iter().map(|line| account.line(*line))).next()?;
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
