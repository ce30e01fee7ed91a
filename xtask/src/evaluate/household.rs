//! A household: its rows as the service would read them, and beside each what it truly belongs to.

use domain::category::{Category, ExpenseCategory};
use domain::recurring::{Cadence, RecurringStatus, WINDOW_MONTHS};
use jiff::ToSpan as _;
use jiff::civil::Date;
use uuid::Uuid;

use super::calendar::{between, plus};
use super::dice::Dice;
use super::habits::HABITS;
use super::kinds::KINDS;
use super::spelling::Spelling;
use super::streams::Life;

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) date: Date,
    pub(super) amount_cents: i64,
    pub(super) category: Category,
    pub(super) currency: &'static str,
    pub(super) title: String,
    pub(super) merchant_name: Option<String>,
    pub(super) account: String,
    pub(super) pending: bool,
    /// The stream it is a payment of, by place in [`Household::streams`]; none for a habit or a single purchase.
    pub(super) stream: Option<usize>,
}

/// What is true of a stream.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) kind: &'static str,
    pub(super) cadence: Cadence,
    pub(super) status: RecurringStatus,
    /// Its payments among the rows.
    pub(super) payments: usize,
    /// Whether a person who reads the rows could know: three payments make a pattern, four where they come every week
    /// or two, two where they come twice a year or less.
    pub(super) knowable: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Household {
    pub(super) today: Date,
    pub(super) rows: Vec<Row>,
    pub(super) streams: Vec<Stream>,
}

/// What the whole household has in common.
#[derive(Clone, Debug)]
pub(super) struct Home {
    pub(super) seed: u64,
    pub(super) first: Date,
    pub(super) today: Date,
    pub(super) currency: &'static str,
    /// The day on which the card was replaced by one with another number.
    pub(super) new_card: Option<Date>,
}

impl Home {
    fn new(seed: u64) -> Home {
        let mut dice = Dice::new(seed, "home");
        let today = plus(Date::constant(2026, 1, 1), dice.between(0, 330));
        let first = today - WINDOW_MONTHS.months();
        // Now and then the bank gives a short past only.
        let first = if dice.percent(12) { plus(first, dice.between(60, 400)) } else { first };
        let new_card = dice.percent(30).then(|| plus(first, dice.between(90, 650)));
        Home { seed, first, today, currency: if dice.percent(50) { "USD" } else { "EUR" }, new_card }
    }

    pub(super) fn card(&self, day: Date) -> &'static str {
        if self.new_card.is_some_and(|since| day >= since) { "Visa 9921" } else { "Visa 1204" }
    }
}

impl Household {
    /// The household of a seed.
    pub(super) fn generate(seed: u64) -> Household {
        let home = Home::new(seed);
        let mut household = Household { today: home.today, rows: Vec::new(), streams: Vec::new() };
        for kind in KINDS {
            let mut dice = Dice::new(seed, kind.name);
            if dice.percent(kind.likely) {
                let life = Life::begin(kind, &home, &mut dice);
                let rows = life.rows(&mut dice, &home);
                household.add(&home, &life, rows);
            }
        }
        for habit in HABITS {
            let mut dice = Dice::new(seed, habit.name);
            if dice.percent(habit.likely) {
                household.rows.extend(habit.rows(&mut dice, &home));
            }
        }
        household.finish(&home);
        household
    }

    fn add(&mut self, home: &Home, life: &Life, rows: Vec<Row>) {
        let at = self.streams.len();
        let kept: Vec<Row> =
            rows.into_iter().filter(|row| row.date >= home.first && row.date <= home.today).collect();
        let payments = kept.iter().filter(|row| row.stream.is_some()).count();
        let enough = match life.cadence() {
            Cadence::Weekly | Cadence::Biweekly | Cadence::SemiMonthly => 4,
            Cadence::Monthly | Cadence::Quarterly => 3,
            Cadence::SemiAnnually | Cadence::Annually => 2,
        };
        self.rows.extend(kept.into_iter().map(|row| Row { stream: row.stream.map(|_| at), ..row }));
        self.streams.push(Stream {
            kind: life.kind.name,
            cadence: life.cadence(),
            status: life.status(home),
            payments,
            knowable: payments >= enough,
        });
    }

    /// What the bank does to all rows: identifiers, an order of its own, pending marks, categories that it misses.
    fn finish(&mut self, home: &Home) {
        let mut dice = Dice::new(home.seed, "bank");
        for row in &mut self.rows {
            row.id = Uuid::from_u64_pair(dice.next(), dice.next());
            row.pending = between(row.date, home.today) <= 2 && dice.percent(60);
            if dice.percent(3) && matches!(row.category, Category::Expense(_)) {
                row.category = Category::Expense(ExpenseCategory::Uncategorized);
            }
        }
        self.rows.sort_by_key(|row| (row.date, row.id));
    }
}

impl Row {
    /// A row that is not yet marked by the bank.
    pub(super) fn new(
        date: Date,
        amount_cents: i64,
        category: Category,
        home: &Home,
        account: &'static str,
        spelling: &Spelling,
        dice: &mut Dice,
    ) -> Row {
        Row {
            id: Uuid::nil(),
            date,
            amount_cents,
            category,
            currency: home.currency,
            title: spelling.title(date, dice),
            merchant_name: spelling.name(date, dice),
            account: account.to_owned(),
            pending: false,
            stream: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_household_for_ever() {
        let (one, again) = (Household::generate(7), Household::generate(7));
        assert_eq!(format!("{one:?}"), format!("{again:?}"));
        assert_ne!(format!("{one:?}"), format!("{:?}", Household::generate(8)));
    }

    #[test]
    fn rows_lie_in_the_window_and_belong_to_streams_of_the_household() {
        for seed in 0..5 {
            let household = Household::generate(seed);
            let first = household.today - WINDOW_MONTHS.months();
            for row in &household.rows {
                assert!(row.date >= first && row.date <= household.today, "{row:?}");
                assert!(row.amount_cents >= 0 && row.stream.is_none_or(|at| at < household.streams.len()));
            }
            for (at, stream) in household.streams.iter().enumerate() {
                let payments = household.rows.iter().filter(|row| row.stream == Some(at)).count();
                assert_eq!(payments, stream.payments, "{stream:?}");
            }
        }
    }

    #[test]
    fn every_cadence_and_every_status_occurs() {
        let households: Vec<Household> = (0..40).map(Household::generate).collect();
        let streams: Vec<&Stream> = households.iter().flat_map(|household| &household.streams).collect();
        for cadence in Cadence::ALL {
            assert!(streams.iter().any(|stream| stream.cadence == *cadence && stream.knowable), "{cadence}");
        }
        for status in RecurringStatus::ALL {
            assert!(streams.iter().any(|stream| stream.status == *status && stream.knowable), "{status}");
        }
    }
}
