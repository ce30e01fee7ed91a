//! A simple detector for comparison: rows with the same name are a stream if their gaps vary little.

use std::collections::BTreeMap;

use passbook_domain::category::Category;
use passbook_domain::recurring::{Cadence, RecurringStatus};

use super::calendar::between;
use super::household::Household;
use super::score::Found;

/// Minimum number of rows of a stream.
const ROWS_MIN: usize = 3;
/// Maximum ratio of the standard deviation of the gaps to their mean.
const VARIATION_MAX: f64 = 0.5;

pub(super) fn detect(household: &Household) -> Vec<Found> {
    let mut groups: BTreeMap<(bool, &str, String), Vec<usize>> = BTreeMap::new();
    for (at, row) in household.rows.iter().enumerate() {
        let name = row.merchant_name.as_ref().unwrap_or(&row.title);
        let income = matches!(row.category, Category::Income(_));
        groups.entry((income, row.currency, name.trim().to_lowercase())).or_default().push(at);
    }
    groups
        .into_values()
        .filter(|rows| rows.len() >= ROWS_MIN)
        .filter_map(|rows| judge(household, rows))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "days")]
fn judge(household: &Household, rows: Vec<usize>) -> Option<Found> {
    let day = |at: usize| household.rows[at].date;
    let gaps: Vec<f64> = rows.windows(2).map(|pair| between(day(pair[0]), day(pair[1])) as f64).collect();
    let count = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / count;
    if mean < 5.0 || variance.sqrt() / mean > VARIATION_MAX {
        return None;
    }
    let cadences = [
        (7.0, Cadence::Weekly),
        (14.0, Cadence::Biweekly),
        (15.2, Cadence::SemiMonthly),
        (30.4, Cadence::Monthly),
        (91.3, Cadence::Quarterly),
        (182.6, Cadence::SemiAnnually),
        (365.2, Cadence::Annually),
    ];
    let nearest = |one: &&(f64, Cadence)| ((one.0 - mean).abs() * 1000.0) as i64;
    let (days, cadence) = cadences.iter().min_by_key(nearest)?;
    let since = between(day(*rows.last()?), household.today) as f64;
    let status = match since / days {
        periods if periods <= 1.2 => RecurringStatus::Active,
        periods if periods <= 2.0 => RecurringStatus::Overdue,
        _ => RecurringStatus::Ended,
    };
    Some(Found { rows, cadence: *cadence, status, confidence: 1.0 })
}
