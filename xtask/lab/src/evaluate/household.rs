//! Generates a household from a seed: rows, and the true stream that each row belongs to.

use jiff::civil::Date;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::recurring::Cadence;
use uuid::Uuid;

use super::calendar::between;
use super::irregular::IRREGULAR;
use super::profile::Profile;
use super::rows::{Row, Stream};
use super::stream_history::StreamHistory;
use super::stream_kinds::STREAM_KINDS;
use crate::random::Random;

/// A generated or imported household with its true streams.
#[derive(Clone, Debug)]
pub(super) struct Household {
    pub(super) today: Date,
    pub(super) rows: Vec<Row>,
    pub(super) streams: Vec<Stream>,
}

impl Household {
    /// Generates the household of a seed. The same seed always gives the same household.
    pub(super) fn generate(seed: u64) -> Household {
        let profile = Profile::new(seed);
        let mut household = Household { today: profile.today, rows: Vec::new(), streams: Vec::new() };
        for kind in STREAM_KINDS {
            let mut random = Random::new(seed, kind.name);
            if random.percent(kind.likely) {
                let history = StreamHistory::begin(kind, &profile, &mut random);
                let rows = history.rows(&mut random, &profile);
                household.add(&profile, &history, rows);
            }
        }
        for habit in IRREGULAR {
            let mut random = Random::new(seed, habit.name);
            if random.percent(habit.likely) {
                household.rows.extend(habit.rows(&mut random, &profile));
            }
        }
        household.finish(&profile);
        household
    }

    fn add(&mut self, profile: &Profile, history: &StreamHistory, rows: Vec<Row>) {
        let at = self.streams.len();
        let in_period: Vec<Row> =
            rows.into_iter().filter(|row| row.date >= profile.first && row.date <= profile.today).collect();
        let payments = in_period.iter().filter(|row| row.stream.is_some()).count();
        let enough = match history.cadence() {
            Cadence::Weekly | Cadence::Biweekly | Cadence::SemiMonthly => 4,
            Cadence::Monthly | Cadence::Quarterly => 3,
            Cadence::SemiAnnually | Cadence::Annually => 2,
        };
        self.rows.extend(in_period.into_iter().map(|row| Row { stream: row.stream.map(|_| at), ..row }));
        self.streams.push(Stream {
            kind: history.kind.name,
            cadence: history.cadence(),
            status: history.status(profile),
            payments,
            knowable: payments >= enough,
        });
    }

    /// Changes the rows as a bank does: identifiers, order, pending flags, and 3 % of the expenses without a category.
    fn finish(&mut self, profile: &Profile) {
        let mut random = Random::new(profile.seed, "bank");
        for row in &mut self.rows {
            row.id = Uuid::from_u64_pair(random.next(), random.next());
            row.pending = between(row.date, profile.today) <= 2 && random.percent(60);
            if random.percent(3) && matches!(row.category, Category::Expense(_)) {
                row.category = Category::Expense(ExpenseCategory::Uncategorized);
            }
        }
        self.rows.sort_by_key(|row| (row.date, row.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::ToSpan as _;
    use passbook_domain::recurring::{RecurringStatus, WINDOW_MONTHS};

    #[test]
    fn same_seed_gives_the_same_household() {
        let (one, again) = (Household::generate(7), Household::generate(7));
        assert_eq!(format!("{one:?}"), format!("{again:?}"));
        assert_ne!(format!("{one:?}"), format!("{:?}", Household::generate(8)));
    }

    #[test]
    fn rows_are_in_the_window_and_belong_to_true_streams() {
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
