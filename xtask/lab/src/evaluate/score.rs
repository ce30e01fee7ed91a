//! Compares the streams that a detector found with the true streams.

use passbook_domain::recurring::{Cadence, RecurringStatus};

use super::household::Household;
use super::rows::Stream;

/// Minimum share of a found stream's rows that must belong to the same true stream.
const PURITY_MIN: f64 = 0.8;
/// Minimum share of a true stream's rows that must be in the found stream.
const COVERAGE_MIN: f64 = 0.5;
/// Maximum number of rows that are printed for one mistake.
const SHOWN_ROWS: usize = 8;
/// Number of confidence bins. Each covers a tenth of the range from 0 to 1.
pub(super) const BINS: usize = 10;

/// A stream as a detector reports it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Indices of the stream's rows in the household's rows.
    pub(super) rows: Vec<usize>,
    pub(super) cadence: Cadence,
    pub(super) status: RecurringStatus,
    /// Confidence of the stream, from 0 to 1.
    pub(super) confidence: f64,
}

/// Counts of the found streams in one confidence bin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bin {
    pub(super) found: u32,
    pub(super) right: u32,
    pub(super) confidence_sum: f64,
}

/// Counts of found and true streams over all households.
#[derive(Clone, Debug, Default)]
pub(super) struct Score {
    pub(super) rows: usize,
    pub(super) found: u32,
    pub(super) right: u32,
    pub(super) knowable: u32,
    pub(super) missed: u32,
    pub(super) matched: u32,
    pub(super) cadence_right: u32,
    pub(super) status_right: u32,
    /// Counts of all found streams by confidence, including streams below the threshold.
    pub(super) bins: [Bin; BINS],
    /// Description of each mistake, one line each.
    pub(super) mistakes: Vec<String>,
}

impl Score {
    /// Adds the results for one household. A stream with a confidence below `confidence_min` counts for the bins only.
    pub(super) fn add(&mut self, household: &Household, found: &[Found], confidence_min: f64) {
        self.rows += household.rows.len();
        let mut matched = vec![false; household.streams.len()];
        for one in found {
            let right = truth(household, one).filter(|at| !matched[*at]);
            self.bin(one.confidence, right.is_some());
            if one.confidence < confidence_min {
                continue;
            }
            self.found += 1;
            let Some(at) = right else {
                self.mistakes.push(format!("false  {}", described(household, one)));
                continue;
            };
            matched[at] = true;
            self.right += 1;
            self.compare(household, at, one);
        }
        for (at, stream) in household.streams.iter().enumerate().filter(|(_, stream)| stream.knowable) {
            self.knowable += 1;
            if !matched[at] {
                self.missed += 1;
                let rows = (0..household.rows.len()).filter(|row| household.rows[*row].stream == Some(at));
                let rows: Vec<usize> = rows.collect();
                self.mistakes.push(format!("missed {}: {}", named(stream), listed(household, &rows)));
            }
        }
    }

    fn bin(&mut self, confidence: f64, right: bool) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
        let at = ((confidence * 10.0) as usize).min(BINS - 1);
        self.bins[at].found += 1;
        self.bins[at].right += u32::from(right);
        self.bins[at].confidence_sum += confidence;
    }

    fn compare(&mut self, household: &Household, at: usize, found: &Found) {
        let stream = &household.streams[at];
        if !stream.knowable {
            return;
        }
        self.matched += 1;
        self.cadence_right += u32::from(found.cadence == stream.cadence);
        self.status_right += u32::from(found.status == stream.status);
        if found.cadence != stream.cadence || found.status != stream.status {
            let described = described(household, found);
            self.mistakes.push(format!("differs {}: {described}", named(stream)));
        }
    }

    pub(super) fn precision(&self) -> f64 {
        ratio(self.right, self.found)
    }

    pub(super) fn recall(&self) -> f64 {
        ratio(self.knowable - self.missed, self.knowable)
    }

    pub(super) fn cadence(&self) -> f64 {
        ratio(self.cadence_right, self.matched)
    }

    pub(super) fn status(&self) -> f64 {
        ratio(self.status_right, self.matched)
    }
}

pub(super) fn ratio(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

fn share(part: usize, whole: usize) -> f64 {
    ratio(u32::try_from(part).expect("few rows"), u32::try_from(whole).expect("few rows"))
}

/// Returns the index of the true stream that a found stream matches; `None` if it matches none.
fn truth(household: &Household, found: &Found) -> Option<usize> {
    let mut counts = vec![0_usize; household.streams.len()];
    for row in &found.rows {
        if let Some(stream) = household.rows[*row].stream {
            counts[stream] += 1;
        }
    }
    let (at, count) =
        counts.iter().copied().enumerate().max_by_key(|(at, count)| (*count, usize::MAX - at))?;
    let pure = share(count, found.rows.len()) >= PURITY_MIN;
    let whole = count > 0 && share(count, household.streams[at].payments) >= COVERAGE_MIN;
    (pure && whole).then_some(at)
}

fn named(stream: &Stream) -> String {
    format!("{} ({}, {}, {} payments)", stream.kind, stream.cadence, stream.status, stream.payments)
}

fn described(household: &Household, found: &Found) -> String {
    let Found { cadence, status, confidence, rows } = found;
    format!("{cadence} {status} {confidence:.2}, {}", listed(household, rows))
}

/// Returns the last of the rows as text, newest first.
fn listed(household: &Household, rows: &[usize]) -> String {
    let last = rows.iter().rev().take(SHOWN_ROWS).map(|at| &household.rows[*at]);
    let amounts: Vec<String> = last.map(|row| format!("{} {}", row.date, row.amount_cents)).collect();
    let last = rows.last().map(|at| &household.rows[*at]);
    let name = last.map_or("", |row| row.merchant_name.as_deref().unwrap_or(&row.title));
    let account = last.map_or("", |row| row.account.as_str());
    let today = household.today;
    format!("{name:?} on {account}, {} rows as of {today}: {}", rows.len(), amounts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: Vec<usize>) -> Found {
        Found { rows, cadence: Cadence::Monthly, status: RecurringStatus::Active, confidence: 0.9 }
    }

    #[test]
    fn true_streams_score_one_and_split_or_mixed_streams_do_not_match() {
        let household = Household::generate(1);
        let all: Vec<Found> = household
            .streams
            .iter()
            .enumerate()
            .filter(|(_, stream)| stream.payments > 0)
            .map(|(at, stream)| {
                let rows = (0..household.rows.len()).filter(|row| household.rows[*row].stream == Some(at));
                Found { cadence: stream.cadence, status: stream.status, ..found(rows.collect()) }
            })
            .collect();
        let mut score = Score::default();
        score.add(&household, &all, 0.6);
        let marks = [score.precision(), score.recall(), score.cadence(), score.status()];
        assert_eq!(marks, [1.0; 4], "{:?}", score.mistakes);

        let third = all.iter().max_by_key(|one| one.rows.len()).expect("a stream").rows.clone();
        let thirds: Vec<Found> = third.chunks(third.len() / 3).map(|rows| found(rows.to_vec())).collect();
        assert!(thirds.iter().all(|one| truth(&household, one).is_none()), "a third is not enough");
        let mixed: Vec<usize> = (0..household.rows.len()).collect();
        assert_eq!(truth(&household, &found(mixed)), None);
    }
}
