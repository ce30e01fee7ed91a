//! Splits payments of one price by the day of the month: two phone contracts or two seats at the same merchant.

use super::cadence::Cadence;
use super::calendar::day_of_month;
use super::candidate_stream::CandidateStream;
use super::evidence::PayeeProfile;
use super::row::{Row, one_row_per_day};

/// Minimum distance between the due days of two streams, in days of the month. Payments nearer to each other may be
/// late payments of one stream.
const DUE_DAY_DISTANCE_MIN: i32 = 5;
/// Number of days after which the days of the month repeat. The last days of a month are next to the first days of the
/// next month.
const MONTH_DAYS: i32 = 31;
/// Maximum number of streams of one price at one merchant. If there are more groups, they are the result of chance.
const STREAMS_PER_PRICE_MAX: usize = 3;
/// Minimum number of payments in each group. Fewer payments near the same day of the month occur by chance.
const STREAM_PAYMENTS_MIN: usize = 4;

/// Returns the monthly candidate streams among rows of one price, one for each group of due days. Returns nothing if
/// the days of the month do not form two or three groups.
///
/// `rows` must be sorted by day.
pub(super) fn split_by_due_day(rows: &[Row], payee: &PayeeProfile) -> Vec<CandidateStream> {
    let groups = group_by_day_of_month(rows);
    if !(2..=STREAMS_PER_PRICE_MAX).contains(&groups.len()) {
        return Vec::new();
    }
    let candidates =
        groups.into_iter().filter_map(|group| CandidateStream::new(one_row_per_day(&group).0, payee));
    let accepted = |candidate: &CandidateStream| {
        candidate.fit.specification.cadence == Cadence::Monthly && candidate.rows.len() >= STREAM_PAYMENTS_MIN
    };
    candidates.filter(accepted).collect()
}

/// Groups rows by day of the month. A new group starts after [`DUE_DAY_DISTANCE_MIN`] days of the month without a row.
/// Each group is sorted by day.
fn group_by_day_of_month(rows: &[Row]) -> Vec<Vec<Row>> {
    let mut days: Vec<(i32, Row)> = rows.iter().map(|row| (day_of_month(row.day), *row)).collect();
    days.sort_unstable();
    let mut groups: Vec<Vec<Row>> = days
        .chunk_by(|day, next| next.0 - day.0 < DUE_DAY_DISTANCE_MIN)
        .map(|group| group.iter().map(|(_, row)| *row).collect())
        .collect();
    // The first and the last group may be two halves of one group around the end of the month. Join the halves.
    let (first, last) = (days.first().map_or(1, |day| day.0), days.last().map_or(1, |day| day.0));
    if groups.len() > 1 && first + MONTH_DAYS - last < DUE_DAY_DISTANCE_MIN {
        let end_of_month = groups.pop().unwrap_or_default();
        groups[0].extend(end_of_month);
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}
