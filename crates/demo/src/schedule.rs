//! The types that describe recurring payments: the days on which they are due, and the amounts.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use passbook_domain::category::ExpenseCategory;

use super::accounts::OwnAccount;
use super::calendar::{Window, business_day_from, day_number, in_month, month_number};
use super::generator::Generator;

/// A standing order, a direct debit or a subscription.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecurringPayment {
    /// Name of the merchant; `None` if the bank reports a title only.
    pub(super) merchant: Option<&'static str>,
    pub(super) title: &'static str,
    pub(super) account: OwnAccount,
    pub(super) category: ExpenseCategory,
    pub(super) cadence: Cadence,
    pub(super) amount: Amount,
}

/// The days on which a payment is due.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cadence {
    /// Due on this day of every month, also when banks are closed.
    Monthly(i8),
    /// Due on this day of every month, or on the next business day.
    MonthlyBanking(i8),
    /// Due on this day of the listed months, or on the next business day.
    InMonths(&'static [i8], i8),
    /// Due monthly on the day of the second number, until it was cancelled the first number of months ago.
    CancelledMonthsAgo(i32, i8),
    Weekly(Weekday),
    /// Due every other week on this weekday.
    Fortnightly(Weekday),
}

/// The amount due, in cents.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    Fixed(i64),
    /// A different amount each time, from the first to the second number of cents.
    Between(i64, i64),
    /// The first number of cents in 2024, which rises by the second number every January.
    EveryJanuary(i64, i64),
    /// Rises by 100 cents every eighteen months, so that any two years contain a rise.
    EuroEveryEighteenMonths(i64),
}

impl Cadence {
    /// Returns the due days within the window, in order.
    pub(super) fn due_days(self, window: Window) -> Vec<Date> {
        let monthly = |day: i8| window.months().map(move |month| in_month(month, day));
        match self {
            Cadence::Monthly(day) => monthly(day).collect(),
            Cadence::MonthlyBanking(day) => monthly(day).map(business_day_from).collect(),
            Cadence::InMonths(months, day) => {
                monthly(day).filter(|due| months.contains(&due.month())).map(business_day_from).collect()
            }
            Cadence::CancelledMonthsAgo(months, day) => {
                let end = window.today - months.months();
                monthly(day).filter(|due| *due < end).collect()
            }
            Cadence::Weekly(weekday) => window.days().filter(|day| day.weekday() == weekday).collect(),
            Cadence::Fortnightly(weekday) => window
                .days()
                .filter(|day| day.weekday() == weekday && day_number(*day).div_euclid(7) % 2 == 0)
                .collect(),
        }
    }
}

impl Amount {
    /// Returns the amount in cents that is due on a day. `stream` seeds the random amounts.
    pub(super) fn cents_on(self, stream: &str, due: Date) -> i64 {
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

/// Returns the number of calendar years since 2024, from 0 to 20. The limit keeps prices plausible for any date.
pub(super) fn years_since_2024(day: Date) -> i64 {
    i64::from(day.year() - 2024).clamp(0, 20)
}
