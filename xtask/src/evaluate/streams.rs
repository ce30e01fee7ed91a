//! The life of a stream: when it is due, when it is truly paid, what it costs, and how it ends.

use domain::recurring::{Cadence, RecurringStatus};
use jiff::civil::Date;

use super::calendar::{between, in_month, next_banking_day, plus, previous_banking_day};
use super::dice::Dice;
use super::household::{Home, Row};
use super::kinds::{Amount, Booking, Kind, Rhythm};
use super::spelling::Spelling;

/// Days that a bank may take beside the payer's own lateness, weekends and holidays included.
const PROCESSING_DAYS: i64 = 4;
/// A payment that comes twice a year or less is given up after a quarter of a year.
const GIVEN_UP_DAYS: i64 = 92;
/// Days the schedule is followed before the first row and after the last.
const MARGIN_DAYS: i64 = 420;

/// One due day, and whether money moved.
#[derive(Clone, Copy, Debug)]
struct Due {
    due: Date,
    paid: Option<Date>,
}

/// One kind of stream in one household.
#[derive(Clone, Debug)]
pub(super) struct Life {
    pub(super) kind: &'static Kind,
    rhythm: Rhythm,
    spelling: Spelling,
    dues: Vec<Due>,
    cents: i64,
    /// From these days on the price is so many thousandths of the first.
    steps: Vec<(Date, i64)>,
    /// A first month at a trial price.
    trial: Option<i64>,
}

impl Life {
    pub(super) fn begin(kind: &'static Kind, home: &Home, dice: &mut Dice) -> Life {
        let rhythm = *dice.pick(kind.rhythms);
        let spelling = Spelling::new(*dice.pick(kind.payees), home);
        let mut life =
            Life { kind, rhythm, spelling, dues: Vec::new(), cents: 0, steps: Vec::new(), trial: None };
        life.cents = life.price(dice);
        let old = dice.percent(68);
        let begins =
            if old { plus(home.first, -MARGIN_DAYS) } else { plus(home.first, dice.between(0, 600)) };
        let ends = dice.percent(16).then(|| plus(home.first, dice.between(150, 780)));
        let pause = dice.percent(5).then(|| {
            let from = plus(home.first, dice.between(60, 500));
            (from, plus(from, life.period() * dice.between(2, 4)))
        });
        // Two households in a hundred now and then leave one out; most never do.
        let skips = if dice.percent(12) { 4 } else { 0 };
        life.steps = life.price_steps(home, dice);
        life.trial = (!old && kind.booking.is_card() && dice.percent(30)).then(|| *dice.pick(&[0, 100]));
        for due in life.schedule(home, dice) {
            let gone = due < begins
                || ends.is_some_and(|end| due >= end)
                || pause.is_some_and(|(from, to)| due >= from && due < to)
                || dice.percent(skips);
            let paid = life.booked(due, dice);
            life.dues.push(Due { due, paid: (!gone).then_some(paid) });
        }
        life
    }

    pub(super) fn cadence(&self) -> Cadence {
        match self.rhythm {
            Rhythm::Months(1) | Rhythm::LastBankingDay | Rhythm::Days(28 | 30) => Cadence::Monthly,
            Rhythm::Months(3) => Cadence::Quarterly,
            Rhythm::Months(6) => Cadence::SemiAnnually,
            Rhythm::Months(_) => Cadence::Annually,
            Rhythm::TwiceAMonth(..) => Cadence::SemiMonthly,
            Rhythm::Days(7) => Cadence::Weekly,
            Rhythm::Days(_) => Cadence::Biweekly,
        }
    }

    /// What somebody says who knows the schedule and sees the account on the last day, and not the future.
    pub(super) fn status(&self, home: &Home) -> RecurringStatus {
        let allowed = PROCESSING_DAYS + self.kind.booking.lateness();
        let came = |due: &Due| due.paid.is_some_and(|paid| paid >= home.first && paid <= home.today);
        let after = self.dues.iter().rposition(came).map_or(0, |last| last + 1);
        let late = |due: &&Due| plus(due.due, allowed) < home.today;
        let missing: Vec<&Due> = self.dues[after..].iter().take_while(late).collect();
        match missing[..] {
            [] => RecurringStatus::Active,
            [one] if between(one.due, home.today) <= GIVEN_UP_DAYS + allowed => RecurringStatus::Overdue,
            _ => RecurringStatus::Ended,
        }
    }

    /// Its payments, and what else the payee books on the way.
    pub(super) fn rows(&self, dice: &mut Dice, home: &Home) -> Vec<Row> {
        let bonus = matches!(self.kind.amount, Amount::Pay) && dice.percent(35);
        let mut trial = self.trial;
        let mut rows = Vec::new();
        for day in self.dues.iter().filter_map(|due| due.paid) {
            let account = if self.kind.booking.is_card() { home.card(day) } else { "Checking" };
            let cents = trial.take().unwrap_or_else(|| self.amount_on(day, dice));
            let row = Row::new(day, cents, self.kind.category, home, account, &self.spelling, dice);
            rows.push(Row { stream: Some(0), ..row });
            if bonus && day.month() == 12 {
                let cents = self.cents * dice.between(40, 160) / 100;
                rows.push(Row::new(day, cents, self.kind.category, home, account, &self.spelling, dice));
            }
        }
        rows
    }

    fn price(&self, dice: &mut Dice) -> i64 {
        let (least, most) = self.kind.cents;
        let cents = dice.between(least, most);
        match self.kind.amount {
            // Prices like 9.99, 10 or 12.50.
            Amount::Price | Amount::Abroad if cents > 400 && least != most => {
                cents / 100 * 100 + dice.pick(&[0, 50, 90, 95, 99])
            }
            _ => cents,
        }
    }

    fn price_steps(&self, home: &Home, dice: &mut Dice) -> Vec<(Date, i64)> {
        match self.kind.amount {
            Amount::Price if self.kind.cents.0 != self.kind.cents.1 => {
                let first = dice
                    .percent(38)
                    .then(|| (plus(home.first, dice.between(60, 720)), dice.between(1030, 1240)));
                let second = dice
                    .percent(8)
                    .then(|| (plus(home.first, dice.between(400, 740)), dice.between(1250, 1420)));
                first.into_iter().chain(second).collect()
            }
            Amount::Pay => {
                let month = i8::try_from(dice.between(1, 12)).expect("a month");
                let raised = |year| Date::constant(year, month, 1);
                vec![(raised(2025), dice.between(1010, 1040)), (raised(2026), dice.between(1042, 1090))]
            }
            _ => Vec::new(),
        }
    }

    fn amount_on(&self, day: Date, dice: &mut Dice) -> i64 {
        let step = self.steps.iter().rev().find(|(since, _)| day >= *since);
        let price = step.map_or(self.cents, |(_, thousandths)| self.cents * thousandths / 1000);
        match self.kind.amount {
            Amount::Price | Amount::Pay => price,
            Amount::Usage(percent) => dice.around(price, percent),
            Amount::Abroad => dice.around(price, 3),
            Amount::Seasonal => {
                // Colder from November to March.
                let winter = [60, 55, 40, 15, -15, -35, -40, -40, -25, 0, 30, 50];
                let month = usize::try_from(day.month() - 1).expect("a month");
                dice.around(price + price * winter[month] / 100, 8)
            }
        }
    }

    /// Days from one payment to the next.
    fn period(&self) -> i64 {
        match self.rhythm {
            Rhythm::Months(months) => i64::from(months) * 30,
            Rhythm::LastBankingDay => 30,
            Rhythm::TwiceAMonth(..) => 15,
            Rhythm::Days(days) => days,
        }
    }

    /// Every due day from before the first row to after the last.
    fn schedule(&self, home: &Home, dice: &mut Dice) -> Vec<Date> {
        let (from, to) = (plus(home.first, -MARGIN_DAYS), plus(home.today, MARGIN_DAYS));
        let months = i32::try_from(between(from, to) / 30).expect("a few years");
        let day = match dice.between(1, 100) {
            1..=30 => 1,
            31..=42 => dice.between(29, 31),
            _ => dice.between(2, 28),
        };
        let day = i8::try_from(day).expect("a day of the month");
        match self.rhythm {
            Rhythm::Months(every) => {
                let offset = i32::try_from(dice.between(0, i64::from(every) - 1)).expect("a month");
                (0..=months / every).map(|count| in_month(from, offset + count * every, day)).collect()
            }
            Rhythm::LastBankingDay => (0..=months).map(|later| in_month(from, later, 31)).collect(),
            Rhythm::TwiceAMonth(one, two) => (0..=months)
                .flat_map(|later| [in_month(from, later, one), in_month(from, later, two)])
                .collect(),
            Rhythm::Days(days) => {
                let offset = dice.between(0, days - 1);
                (0..=between(from, to) / days).map(|count| plus(from, offset + count * days)).collect()
            }
        }
    }

    /// The day on the statement.
    fn booked(&self, due: Date, dice: &mut Dice) -> Date {
        match self.kind.booking {
            Booking::Card => plus(due, *dice.pick(&[0, 0, 0, 0, 0, 0, 0, 1, 1, 2])),
            Booking::DirectDebit => next_banking_day(due),
            Booking::PaidIn => previous_banking_day(due),
            Booking::ByHand(days) => next_banking_day(plus(due, dice.between(-days / 2, days))),
        }
    }
}

impl Booking {
    pub(super) fn is_card(self) -> bool {
        matches!(self, Booking::Card)
    }

    /// Days after the due day that are usual.
    fn lateness(self) -> i64 {
        match self {
            Booking::Card => 2,
            Booking::DirectDebit | Booking::PaidIn => 0,
            Booking::ByHand(days) => days,
        }
    }
}
