//! Rows of one payee in the form that the detection works on.

use std::collections::BTreeSet;

use super::calendar::DayNumber;

/// A transaction of one payee, reduced to its day and amount. Rows are ordered by day, then by amount, then by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) day: DayNumber,
    /// Magnitude in hundredths of the payee's currency, greater than 0.
    pub(super) cents: i64,
    /// Index of the transaction in the sorted list of all transactions. It identifies the row.
    pub(super) index: usize,
}

/// Returns the day number of each row, in the order of `rows`.
pub(super) fn days(rows: &[Row]) -> Vec<DayNumber> {
    rows.iter().map(|row| row.day).collect()
}

/// Splits `rows` into one row per day and the remaining rows. Of several rows on one day, it chooses the row whose
/// amount is nearest to the median amount of all rows: two rows on a day are not two payments of one stream.
///
/// `rows` must be sorted by day. Both results are sorted by day.
pub(super) fn one_row_per_day(rows: &[Row]) -> (Vec<Row>, Vec<Row>) {
    let mut amounts: Vec<i64> = rows.iter().map(|row| row.cents).collect();
    amounts.sort_unstable();
    let Some(median) = amounts.get(amounts.len() / 2) else { return (Vec::new(), Vec::new()) };
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for day in rows.chunk_by(|row, next| row.day == next.day) {
        let nearest = day.iter().min_by_key(|row| (row.cents.abs_diff(*median), row.cents, row.index));
        chosen.extend(nearest);
        others.extend(day.iter().filter(|row| Some(*row) != nearest));
    }
    (chosen, others)
}

/// Returns the rows whose index is not in `used`, in their order.
pub(super) fn unused_rows(rows: &[Row], used: &BTreeSet<usize>) -> Vec<Row> {
    rows.iter().filter(|row| !used.contains(&row.index)).copied().collect()
}
