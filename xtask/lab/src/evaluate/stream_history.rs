//! The history of a true stream: due days, payments, amounts and the end.

use jiff::civil::Date;
use passbook_domain::recurring::{Cadence, RecurringStatus};

use super::calendar::{between, in_month, next_banking_day, plus, previous_banking_day};
use super::profile::Profile;
use super::rows::Row;
use super::spelling::Spelling;
use super::stream_kinds::{Amount, Booking, Schedule, StreamKind};
use crate::random::Random;

/// Number of days that a bank may need to book a payment, weekends and holidays included.
const PROCESSING_DAYS: i64 = 4;
/// Number of days after which a stream has ended because of a single missing payment.
const GIVEN_UP_DAYS: i64 = 92;
/// Number of days before the first and after the last row for which due days are generated.
const MARGIN_DAYS: i64 = 420;

/// A due day with the day of its payment. The second is `None` if it was not paid.
#[derive(Clone, Copy, Debug)]
struct Due {
    due: Date,
    paid: Option<Date>,
}

/// The due days and prices of one kind of stream in one household.
#[derive(Clone, Debug)]
pub(super) struct StreamHistory {
    pub(super) kind: &'static StreamKind,
    schedule: Schedule,
    spelling: Spelling,
    dues: Vec<Due>,
    cents: i64,
    /// Price changes, each with its first day and the new price in thousandths of the first price.
    steps: Vec<(Date, i64)>,
    /// Price of the first payment in cents, if the stream begins with a trial month.
    trial: Option<i64>,
}

impl StreamHistory {
    pub(super) fn begin(kind: &'static StreamKind, profile: &Profile, random: &mut Random) -> StreamHistory {
        let schedule = *random.pick(kind.schedules);
        let spelling = Spelling::new(*random.pick(kind.payees), profile);
        let mut history = StreamHistory {
            kind,
            schedule,
            spelling,
            dues: Vec::new(),
            cents: 0,
            steps: Vec::new(),
            trial: None,
        };
        history.cents = history.price(random);
        let old = random.percent(68);
        let begins =
            if old { plus(profile.first, -MARGIN_DAYS) } else { plus(profile.first, random.between(0, 600)) };
        let ends = random.percent(16).then(|| plus(profile.first, random.between(150, 780)));
        let pause = random.percent(5).then(|| {
            let from = plus(profile.first, random.between(60, 500));
            (from, plus(from, history.period() * random.between(2, 4)))
        });
        // 12 % of the streams miss 4 % of their payments.
        let skips = if random.percent(12) { 4 } else { 0 };
        history.steps = history.price_steps(profile, random);
        history.trial =
            (!old && kind.booking.is_card() && random.percent(30)).then(|| *random.pick(&[0, 100]));
        for due in history.due_days(profile, random) {
            let gone = due < begins
                || ends.is_some_and(|end| due >= end)
                || pause.is_some_and(|(from, to)| due >= from && due < to)
                || random.percent(skips);
            let paid = history.booked(due, random);
            history.dues.push(Due { due, paid: (!gone).then_some(paid) });
        }
        history
    }

    pub(super) fn cadence(&self) -> Cadence {
        match self.schedule {
            Schedule::Months(1) | Schedule::LastBankingDay | Schedule::Days(28 | 30) => Cadence::Monthly,
            Schedule::Months(3) => Cadence::Quarterly,
            Schedule::Months(6) => Cadence::SemiAnnually,
            Schedule::Months(_) => Cadence::Annually,
            Schedule::TwiceAMonth(..) => Cadence::SemiMonthly,
            Schedule::Days(7) => Cadence::Weekly,
            Schedule::Days(_) => Cadence::Biweekly,
        }
    }

    /// Returns the true status, which follows from the schedule and the payments up to today.
    pub(super) fn status(&self, profile: &Profile) -> RecurringStatus {
        let allowed = PROCESSING_DAYS + self.kind.booking.lateness();
        let came = |due: &Due| due.paid.is_some_and(|paid| paid >= profile.first && paid <= profile.today);
        let after = self.dues.iter().rposition(came).map_or(0, |last| last + 1);
        let late = |due: &&Due| plus(due.due, allowed) < profile.today;
        let missing: Vec<&Due> = self.dues[after..].iter().take_while(late).collect();
        match missing[..] {
            [] => RecurringStatus::Active,
            [one] if between(one.due, profile.today) <= GIVEN_UP_DAYS + allowed => RecurringStatus::Overdue,
            _ => RecurringStatus::Ended,
        }
    }

    /// Returns the rows of the stream's payments, and of bonus payments by the same payee.
    pub(super) fn rows(&self, random: &mut Random, profile: &Profile) -> Vec<Row> {
        let bonus = matches!(self.kind.amount, Amount::Pay) && random.percent(35);
        let mut trial = self.trial;
        let mut rows = Vec::new();
        for day in self.dues.iter().filter_map(|due| due.paid) {
            let account = if self.kind.booking.is_card() { profile.card(day) } else { "Checking" };
            let cents = trial.take().unwrap_or_else(|| self.amount_on(day, random));
            let row = Row::new(day, cents, self.kind.category, profile, account, &self.spelling, random);
            rows.push(Row { stream: Some(0), ..row });
            if bonus && day.month() == 12 {
                let cents = self.cents * random.between(40, 160) / 100;
                rows.push(Row::new(day, cents, self.kind.category, profile, account, &self.spelling, random));
            }
        }
        rows
    }

    fn price(&self, random: &mut Random) -> i64 {
        let (least, most) = self.kind.cents;
        let cents = random.between(least, most);
        match self.kind.amount {
            // Typical prices end in `.99`, `.00` or `.50`, such as 9.99, 10 or 12.50.
            Amount::Price | Amount::Abroad if cents > 400 && least != most => {
                cents / 100 * 100 + random.pick(&[0, 50, 90, 95, 99])
            }
            _ => cents,
        }
    }

    fn price_steps(&self, profile: &Profile, random: &mut Random) -> Vec<(Date, i64)> {
        match self.kind.amount {
            Amount::Price if self.kind.cents.0 != self.kind.cents.1 => {
                let first = random
                    .percent(38)
                    .then(|| (plus(profile.first, random.between(60, 720)), random.between(1030, 1240)));
                let second = random
                    .percent(8)
                    .then(|| (plus(profile.first, random.between(400, 740)), random.between(1250, 1420)));
                first.into_iter().chain(second).collect()
            }
            Amount::Pay => {
                let month = i8::try_from(random.between(1, 12)).expect("a month");
                let raised = |year| Date::constant(year, month, 1);
                vec![(raised(2025), random.between(1010, 1040)), (raised(2026), random.between(1042, 1090))]
            }
            _ => Vec::new(),
        }
    }

    fn amount_on(&self, day: Date, random: &mut Random) -> i64 {
        let step = self.steps.iter().rev().find(|(since, _)| day >= *since);
        let price = step.map_or(self.cents, |(_, thousandths)| self.cents * thousandths / 1000);
        match self.kind.amount {
            Amount::Price | Amount::Pay => price,
            Amount::Usage(percent) => random.around(price, percent),
            Amount::Abroad => random.around(price, 3),
            Amount::Seasonal => {
                // Heating costs more from November to March.
                let winter = [60, 55, 40, 15, -15, -35, -40, -40, -25, 0, 30, 50];
                let month = usize::try_from(day.month() - 1).expect("a month");
                random.around(price + price * winter[month] / 100, 8)
            }
        }
    }

    /// Returns the approximate number of days between two payments.
    fn period(&self) -> i64 {
        match self.schedule {
            Schedule::Months(months) => i64::from(months) * 30,
            Schedule::LastBankingDay => 30,
            Schedule::TwiceAMonth(..) => 15,
            Schedule::Days(days) => days,
        }
    }

    /// Returns every due day, from [`MARGIN_DAYS`] days before the first row to [`MARGIN_DAYS`] days after the last.
    fn due_days(&self, profile: &Profile, random: &mut Random) -> Vec<Date> {
        let (from, to) = (plus(profile.first, -MARGIN_DAYS), plus(profile.today, MARGIN_DAYS));
        let months = i32::try_from(between(from, to) / 30).expect("a few years");
        let day = match random.between(1, 100) {
            1..=30 => 1,
            31..=42 => random.between(29, 31),
            _ => random.between(2, 28),
        };
        let day = i8::try_from(day).expect("a day of the month");
        match self.schedule {
            Schedule::Months(every) => {
                let offset = i32::try_from(random.between(0, i64::from(every) - 1)).expect("a month");
                (0..=months / every).map(|count| in_month(from, offset + count * every, day)).collect()
            }
            Schedule::LastBankingDay => (0..=months).map(|later| in_month(from, later, 31)).collect(),
            Schedule::TwiceAMonth(one, two) => (0..=months)
                .flat_map(|later| [in_month(from, later, one), in_month(from, later, two)])
                .collect(),
            Schedule::Days(days) => {
                let offset = random.between(0, days - 1);
                (0..=between(from, to) / days).map(|count| plus(from, offset + count * days)).collect()
            }
        }
    }

    /// Returns the day on which the payment for a due day is booked.
    fn booked(&self, due: Date, random: &mut Random) -> Date {
        match self.kind.booking {
            Booking::Card => plus(due, *random.pick(&[0, 0, 0, 0, 0, 0, 0, 1, 1, 2])),
            Booking::DirectDebit => next_banking_day(due),
            Booking::PaidIn => previous_banking_day(due),
            Booking::ByHand(days) => next_banking_day(plus(due, random.between(-days / 2, days))),
        }
    }
}

impl Booking {
    pub(super) fn is_card(self) -> bool {
        matches!(self, Booking::Card)
    }

    /// Returns the usual number of days by which a payment is late.
    fn lateness(self) -> i64 {
        match self {
            Booking::Card => 2,
            Booking::DirectDebit | Booking::PaidIn => 0,
            Booking::ByHand(days) => days,
        }
    }
}
