//! Payments that come round by themselves: how often, and how much each time.

use domain::category::ExpenseCategory;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::accounts::Place;
use super::bills::BILLS;
use super::calendar::{Window, business_day_from, day_number, in_month, month_number};
use super::generator::Generator;
use super::ledger::{Entry, Ledger};
use super::subscriptions::SUBSCRIPTIONS;

/// A standing order, a direct debit or a subscription.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// None where the bank knows a purpose only.
    pub(super) merchant: Option<&'static str>,
    pub(super) title: &'static str,
    pub(super) place: Place,
    pub(super) category: ExpenseCategory,
    pub(super) rhythm: Rhythm,
    pub(super) amount: Amount,
}

/// When it is due.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rhythm {
    /// On this day of every month, banks open or not.
    Monthly(i8),
    /// On this day of every month, or the next on which banks work.
    MonthlyBanking(i8),
    /// On this day of these months, or the next on which banks work.
    InMonths(&'static [i8], i8),
    /// Monthly until so many months ago, when it was cancelled.
    CancelledMonthsAgo(i32, i8),
    Weekly(Weekday),
    /// Every other week.
    Fortnightly(Weekday),
}

/// How much is due.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    Fixed(i64),
    /// From … to …, different each time.
    Between(i64, i64),
    /// Rises by a sum every January from 2024 on.
    EveryJanuary(i64, i64),
    /// Rises by a euro every eighteen months, so that two years always hold a step.
    EuroEveryEighteenMonths(i64),
}

/// Writes every payment that comes round by itself down.
pub(super) fn write(ledger: &mut Ledger) {
    for standing in BILLS.iter().chain(SUBSCRIPTIONS) {
        for due in standing.rhythm.days(ledger.window) {
            let entry = Entry::expense(
                standing.place,
                due,
                standing.category,
                standing.amount.on(standing.title, due),
            )
            .title(standing.title);
            ledger.add(match standing.merchant {
                Some(name) => entry.merchant(name),
                None => entry,
            });
        }
    }
}

impl Rhythm {
    fn days(self, window: Window) -> Vec<Date> {
        let monthly = |day: i8| window.months().map(move |month| in_month(month, day));
        match self {
            Rhythm::Monthly(day) => monthly(day).collect(),
            Rhythm::MonthlyBanking(day) => monthly(day).map(business_day_from).collect(),
            Rhythm::InMonths(months, day) => {
                monthly(day).filter(|due| months.contains(&due.month())).map(business_day_from).collect()
            }
            Rhythm::CancelledMonthsAgo(months, day) => {
                let end = window.today - months.months();
                monthly(day).filter(|due| *due < end).collect()
            }
            Rhythm::Weekly(weekday) => window.days().filter(|day| day.weekday() == weekday).collect(),
            Rhythm::Fortnightly(weekday) => window
                .days()
                .filter(|day| day.weekday() == weekday && day_number(*day).div_euclid(7) % 2 == 0)
                .collect(),
        }
    }
}

impl Amount {
    fn on(self, stream: &str, due: Date) -> i64 {
        match self {
            Amount::Fixed(cents) => cents,
            Amount::Between(least, most) => Generator::for_day(stream, due).between(least..=most),
            Amount::EveryJanuary(cents, rise) => cents + rise * years_since_2024(due),
            Amount::EuroEveryEighteenMonths(cents) => {
                let begin = Date::constant(2018, 6, 1);
                let steps = (month_number(due) - month_number(begin)).div_euclid(18);
                cents + 100 * steps.clamp(0, 20)
            }
        }
    }
}

/// Whole calendar years since 2024, for prices that rise. Limited, so that no day of any century is absurd.
pub(super) fn years_since_2024(day: Date) -> i64 {
    i64::from(day.year() - 2024).clamp(0, 20)
}
