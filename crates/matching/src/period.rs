//! The period of a statement: the facts that need its lines; and the statements and lines of one account.

use jiff::civil::{Date, Time};
use passbook_records::statement::StatementKind;

use crate::line::{FileStatement, Line, fingerprint};

/// The order of statements: by the time until which they are current, their first day, and their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    /// The day until which the statement is current.
    pub(crate) end: Date,
    /// The time of that day, for a list of changes.
    pub(crate) time: Option<Time>,
    /// True if the person wants rows removed that the file lacks: it is newer than another file of the same time.
    replaces: bool,
    start: Date,
    pub(crate) digest: [u8; 32],
    index: u32,
}

/// Facts of a statement that need its lines.
#[derive(Clone, Debug)]
pub(crate) struct Period {
    pub(crate) order: Order,
    /// First and last booking day of its booked lines.
    pub(crate) days: Option<(Date, Date)>,
    /// Sum of the booked lines in the currency of the account.
    pub(crate) total: i128,
    /// True if a booked line has another currency.
    pub(crate) is_mixed: bool,
    /// Hash of the booked lines, whatever their order is.
    pub(crate) content: u64,
}

impl Period {
    /// Returns the difference between the balances of the statement and its lines, if the statement has both balances.
    pub(crate) fn difference(&self, statement: &FileStatement) -> Option<i128> {
        let (opening, closing) = statement.ends()?;
        Some(i128::from(closing.cents) - i128::from(opening.cents) - self.total)
    }
}

/// Returns the period of each statement.
pub(crate) fn periods(statements: &[FileStatement], lines: &[Line]) -> Vec<Period> {
    let mut periods: Vec<Period> = statements
        .iter()
        .map(|statement| Period {
            order: Order {
                end: Date::ZERO,
                time: None,
                replaces: statement.replace,
                start: Date::ZERO,
                digest: statement.digest,
                index: statement.index,
            },
            days: None,
            total: 0,
            is_mixed: false,
            content: 0,
        })
        .collect();
    let mut last_pending: Vec<Option<Date>> = vec![None; statements.len()];
    for line in lines {
        if line.pending {
            let last = &mut last_pending[line.statement as usize];
            *last = (*last).max(Some(line.day));
            continue;
        }
        let period = &mut periods[line.statement as usize];
        let (first, last) = period.days.unwrap_or((line.day, line.day));
        period.days = Some((first.min(line.day), last.max(line.day)));
        if line.currency == statements[line.statement as usize].currency {
            period.total += line.effect();
        } else {
            period.is_mixed = true;
        }
        let hash = fingerprint(Some(&line.day.to_string()), &line.cents.to_string());
        period.content = period.content.wrapping_add(hash);
    }
    for ((period, statement), pending) in periods.iter_mut().zip(statements).zip(last_pending) {
        let (first, last) = period.days.unzip();
        period.order.end = statement.as_of.or(last).or(statement.to).or(pending).unwrap_or(Date::ZERO);
        period.order.start = statement.from.or(first).unwrap_or(Date::ZERO);
        // The number of a list of changes is its time of day: several lists of one day are in the order of their times.
        let number = statement.number.as_deref().filter(|_| statement.kind == StatementKind::Delta);
        period.order.time = number.and_then(|time| time.parse().ok());
    }
    periods
}

/// One account.
#[derive(Clone, Copy)]
pub(crate) struct Account<'a> {
    pub(crate) statements: &'a [FileStatement],
    pub(crate) periods: &'a [Period],
    pub(crate) all: &'a [Line],
    /// The statements of the account.
    pub(crate) members: &'a [u32],
    /// The lines of the account.
    pub(crate) own: &'a [u32],
}

impl<'a> Account<'a> {
    pub(crate) fn statement(&self, index: u32) -> &'a FileStatement {
        &self.statements[index as usize]
    }

    pub(crate) fn period(&self, index: u32) -> &'a Period {
        &self.periods[index as usize]
    }

    pub(crate) fn line(&self, index: u32) -> &'a Line {
        &self.all[index as usize]
    }

    /// Returns the lines of the account with their indexes.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u32, &'a Line)> + use<'a> {
        let all = self.all;
        self.own.iter().map(|index| (*index, &all[*index as usize]))
    }

    /// Returns true if the balances of a statement agree with its lines.
    pub(crate) fn is_balanced(&self, index: u32) -> bool {
        let period = self.period(index);
        !period.is_mixed && period.difference(self.statement(index)) == Some(0)
    }
}
