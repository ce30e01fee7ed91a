//! Patterns of the balances that a loader gives beside all rows, without and with a fault.

use passbook_domain::balance::{BalanceFacts, BalanceMoment, DayRows, StatedBalance};
use passbook_domain::range::DaySpan;

use super::account::{Account, DAYS, date};

/// A pattern: its name, the days with a balance, and what differs from a perfect load.
pub(super) struct Pattern {
    pub(super) name: &'static str,
    has_balance: fn(i64) -> bool,
    change: fn(&mut BalanceFacts),
}

const LAST: i64 = DAYS - 1;

/// Returns true for the ends of months of the simulation, which have 30 days.
fn is_month_end(day: i64) -> bool {
    day % 30 == 29
}

fn unchanged(_: &mut BalanceFacts) {}

/// The patterns of section B of the research on truth, in its order.
pub(super) const PATTERNS: [Pattern; 13] = [
    Pattern { name: "none", has_balance: |_| false, change: unchanged },
    Pattern {
        name: "none, rows declared complete, and the present balance",
        has_balance: |day| day == LAST,
        change: declare,
    },
    Pattern { name: "first day", has_balance: |day| day == 0, change: unchanged },
    Pattern { name: "first and last day", has_balance: |day| day == 0 || day == LAST, change: unchanged },
    Pattern { name: "last day", has_balance: |day| day == LAST, change: unchanged },
    Pattern { name: "ends of months", has_balance: is_month_end, change: unchanged },
    Pattern { name: "every seventh day", has_balance: |day| day % 7 == 0 || day == LAST, change: unchanged },
    Pattern { name: "every day", has_balance: |_| true, change: unchanged },
    Pattern {
        name: "ends of months, one wrong",
        has_balance: is_month_end,
        change: |facts| facts.stated[2].cents += 12_345,
    },
    Pattern { name: "ends of months, one row missing", has_balance: is_month_end, change: lose_row },
    Pattern {
        name: "ends of months, newest balance ten days old",
        has_balance: |day| day == LAST - 10 || (is_month_end(day) && day < LAST),
        change: unchanged,
    },
    Pattern { name: "ends of months, rows after today", has_balance: is_month_end, change: plan_row },
    Pattern {
        name: "account opened on the first day, and the present balance",
        has_balance: |day| day == LAST,
        change: open,
    },
];

impl Pattern {
    /// Returns the facts of an account that is loaded in this way.
    pub(super) fn facts(&self, account: &Account) -> BalanceFacts {
        let stated = (0..DAYS).filter(|day| (self.has_balance)(*day)).map(|day| StatedBalance {
            day: date(day),
            cents: account.balance(day),
            moment: BalanceMoment::EndOfDay,
        });
        let rows = account.bookings.iter().map(|one| DayRows::row(date(one.day), one.cents, true));
        let mut facts = BalanceFacts {
            changes_without_rows: false,
            stated: stated.collect(),
            rows: rows.collect(),
            covered: Vec::new(),
            opened_on: None,
            ambiguous_from: None,
            today: date(LAST),
        };
        (self.change)(&mut facts);
        facts
    }
}

fn declare(facts: &mut BalanceFacts) {
    facts.covered = vec![DaySpan { first: date(0), last: date(LAST) }];
}

fn open(facts: &mut BalanceFacts) {
    // The account has a balance on the evening before, which the simulation does not start with.
    let rows: i64 = facts.rows.iter().map(|row| row.cents).sum();
    let before = facts.stated[0].cents - rows;
    facts.rows.push(DayRows::row(date(0), before, true));
    facts.opened_on = Some(date(0));
    facts.stated.insert(0, StatedBalance { day: date(-1), cents: 0, moment: BalanceMoment::EndOfDay });
}

fn lose_row(facts: &mut BalanceFacts) {
    facts.rows.remove(facts.rows.len() / 2);
}

fn plan_row(facts: &mut BalanceFacts) {
    facts.rows.push(DayRows::row(date(LAST + 5), -50_000, true));
}
