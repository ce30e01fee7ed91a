//! Days that a statement cannot know yet: the year, or the order of day and month, may be wrong.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_statements::{Entry, LineState};

/// Maximum number of days between the end of a statement and a booking day. Banks book a few days ahead.
const DAYS_AHEAD_MAX: i32 = 31;

/// The latest booking day of a statement, with its line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LatestDay(Option<(Date, u64)>);

impl LatestDay {
    pub(super) fn add(&mut self, entry: &Entry) {
        let is_later = self.0.is_none_or(|(day, _)| day < entry.booked);
        if is_later && entry.status == LineState::Booked {
            self.0 = Some((entry.booked, entry.line));
        }
    }

    /// Returns the notice about a booking day in the future, or long after the last day of the statement. `today` is
    /// the day in UTC: where it is already tomorrow, tomorrow is no future.
    pub(super) fn notice(self, end: Option<Date>, today: Date) -> Option<String> {
        let (day, line) = self.0?;
        let end = end.map(|end| end.saturating_add(DAYS_AHEAD_MAX.days()));
        let reason = match end {
            _ if day > today.saturating_add(1.day()) => "in the future",
            Some(end) if day > end => "after the end of the statement",
            _ => return None,
        };
        Some(format!("line {line}: {day} is {reason}: check its year, and the order of day and month"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn booking_day_after_today_or_long_after_the_statement_is_noticed() {
        let today = date(2026, 1, 31);
        for (day, end, reason) in [
            (date(2026, 2, 1), None, None),
            (date(2026, 2, 2), None, Some("in the future")),
            (date(2026, 1, 31), Some(date(2025, 12, 31)), None),
            (date(2026, 1, 31), Some(date(2025, 12, 30)), Some("after the end of the statement")),
        ] {
            let mut latest = LatestDay::default();
            [Entry::new(7, day, 1), Entry::new(8, date(2025, 12, 1), 1)]
                .iter()
                .for_each(|entry| latest.add(entry));
            latest.add(&Entry { status: LineState::Pending, ..Entry::new(9, date(2099, 1, 1), 1) });
            let start = reason.map(|reason| format!("line 7: {day} is {reason}: "));
            let notice = latest.notice(end, today);
            assert_eq!(notice.is_some(), start.is_some(), "{day}");
            assert!(notice.unwrap_or_default().starts_with(&start.unwrap_or_default()), "{day}");
        }
    }
}
