//! Balances of a statement whose rows state the balance after each row, as CSV exports do.

use jiff::civil::Date;
use passbook_records::statement::{Balance, BalanceKind, Entry, LineState, Statement};

/// The rows of one statement so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunningBalance {
    first: Option<BookedRow>,
    last: Option<BookedRow>,
    /// True if a row contradicts the order, the oldest row first.
    is_not_ascending: bool,
    /// True if a row contradicts the order, the newest row first.
    is_not_descending: bool,
    /// True if a booked row has no balance.
    is_incomplete: bool,
}

#[derive(Clone, Copy, Debug)]
struct BookedRow {
    day: Date,
    effect: i64,
    balance: i64,
}

impl RunningBalance {
    /// Adds the next entry.
    pub fn add(&mut self, entry: &Entry) {
        if entry.status == LineState::Pending {
            return;
        }
        let Some(balance) = entry.balance_after else {
            self.is_incomplete = true;
            return;
        };
        let row = BookedRow { day: entry.booked, effect: entry.effect(), balance };
        if let Some(last) = self.last {
            self.is_not_ascending |= last.balance.saturating_add(row.effect) != row.balance;
            self.is_not_descending |= row.balance.saturating_add(last.effect) != last.balance;
        }
        self.first = self.first.or(Some(row));
        self.last = Some(row);
    }

    /// Adds opening and closing balance to a statement that states neither, if every row agrees with its neighbours.
    pub fn complete(self, statement: &mut Statement) {
        let states = |kind| statement.balances.iter().any(|balance| balance.kind == kind);
        if self.is_incomplete || states(BalanceKind::Opening) || states(BalanceKind::Closing) {
            return;
        }
        let Some((first, last)) = self.first.zip(self.last) else { return };
        let (oldest, newest) = match (self.is_not_ascending, self.is_not_descending) {
            (false, true) => (first, last),
            (true, false) => (last, first),
            (false, false) if first.day < last.day || first.balance == last.balance => (first, last),
            (false, false) if first.day > last.day => (last, first),
            // The rows of one day add up in both orders, and end with different balances.
            (false, false) | (true, true) => return,
        };
        let opening = oldest.balance.saturating_sub(oldest.effect);
        let balance = |kind, day, cents| Balance { kind, day, cents, currency: None };
        statement.balances.push(balance(BalanceKind::Opening, oldest.day, opening));
        statement.balances.push(balance(BalanceKind::Closing, newest.day, newest.balance));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use passbook_records::statement::{AccountReference, Format, StatementKind};

    fn balances(rows: &[(i8, i64, i64)]) -> Vec<(BalanceKind, Date, i64)> {
        let mut statement = Statement::new(Format::Csv, StatementKind::Window, AccountReference::default());
        let mut running = RunningBalance::default();
        for (day, cents, balance) in rows {
            let mut entry = Entry::new(1, date(2026, 1, *day), *cents);
            entry.balance_after = Some(*balance);
            running.add(&entry);
        }
        running.complete(&mut statement);
        statement.balances.iter().map(|balance| (balance.kind, balance.day, balance.cents)).collect()
    }

    #[test]
    fn both_orders_of_rows_are_understood() {
        let expected =
            [(BalanceKind::Opening, date(2026, 1, 1), 100), (BalanceKind::Closing, date(2026, 1, 3), 85)];
        assert_eq!(balances(&[(1, -10, 90), (2, -20, 70), (3, 15, 85)]), expected);
        assert_eq!(balances(&[(3, 15, 85), (2, -20, 70), (1, -10, 90)]), expected);
        assert_eq!(
            balances(&[(3, 15, 85), (2, -15, 70)]),
            [(BalanceKind::Opening, date(2026, 1, 2), 85), (BalanceKind::Closing, date(2026, 1, 3), 85)]
        );
        assert_eq!(balances(&[(1, -10, 90), (2, -20, 71)]), []);
        assert_eq!(balances(&[(1, 15, 85), (1, -15, 70)]), []);
    }
}
