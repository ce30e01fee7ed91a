//! The balances of days from rows that state the balance after each of them, as CSV exports do.

use jiff::civil::Date;
use passbook_domain::balance::{BalanceMoment, StatedBalance};

use super::line::Line;

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
pub(crate) fn in_order<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Option<Vec<(i128, i128)>> {
    let row = |line: &Line| Some((line.effect(), i128::from(line.balance_after()?)));
    let rows: Vec<(i128, i128)> = lines.into_iter().map(row).collect::<Option<_>>()?;
    let reversed = rows.iter().rev().copied().collect();
    let adds_up = |rows: &Vec<(i128, i128)>| rows.windows(2).all(|pair| pair[0].1 + pair[1].0 == pair[1].1);
    [rows, reversed].into_iter().find(adds_up)
}
