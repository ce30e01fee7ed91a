//! Days of which files list only a part, distinguished by the balance after each row.
//!
//! A file may begin or end in the middle of a day. Counts cannot tell whether its rows of that day are those of another file.
//! Running balances can, if the rows of both files join: one continues from a balance that the other has after a row.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;

use super::account::Account;
use super::running_days::in_order;
use super::source::Source;

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
pub(crate) fn balances(
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
