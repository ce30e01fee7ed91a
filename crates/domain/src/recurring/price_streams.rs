//! Decides whether the rows of a payee are one stream or several streams of different prices. Streams by price are rows of
//! one amount, connected across price changes, and rows of similar amounts.

use std::collections::BTreeMap;

use super::cadence::Cadence;
use super::cadence_fit::CadenceFit;
use super::calendar::{DayNumber, day_of_month};
use super::evidence::{
    CandidateStream, PayeeProfile, PayeeRow, days, one_row_per_day, total_score, unused_rows, used_indices,
};

/// Maximum difference between two consecutive prices of one stream, in percent of the larger price. It covers usual
/// price rises; a larger step is more likely another product.
const PRICE_CHANGE_PERCENT_MAX: i64 = 45;
/// Maximum difference between neighbouring amounts of a cluster, in percent. A fixed price in another currency differs
/// by a few percent, because the exchange rate changes.
const SIMILAR_AMOUNT_PERCENT_MAX: i64 = 6;
/// Minimum number of rows in a cluster of similar amounts. Smaller clusters occur by chance among purchases.
const CLUSTER_ROWS_MIN: usize = 4;
/// Minimum regularity, 0 to 1, of the payments at two consecutive prices taken together. It is stricter than for one
/// price, because a different amount is evidence of a different product.
const PRICE_CHANGE_REGULARITY_MIN: f64 = 0.8;
/// Maximum number of earlier price sequences that a new price is compared with, most recent first. It bounds the time
/// for a merchant with many different amounts.
const EARLIER_PRICES_MAX: usize = 16;

/// Minimum advantage, in explained payments, of splitting a payee's rows by price over treating them as one stream.
/// Applied only when the split includes the remainder: a remainder of mixed amounts is weak evidence.
const REMAINDER_MARGIN: f64 = 0.5;

/// Finds the candidate streams of one payee. `rows` must be sorted.
///
/// Compares two hypotheses. In the first, all rows form one stream. In the second, the rows of each price form a
/// stream, and the remaining rows may form one more stream. Returns the candidates of the hypothesis that explains more
/// payments; a tie goes to one stream.
pub(super) fn candidate_streams(rows: &[PayeeRow], payee: &PayeeProfile) -> Vec<CandidateStream> {
    let (one_per_day, others) = one_row_per_day(rows);
    let whole = CandidateStream::new(one_per_day, payee);
    let mut parts = streams_by_price(rows, payee);
    let score_without_remainder = total_score(&parts);
    let remainder = unused_rows(rows, &used_indices(&parts));
    parts.extend(CandidateStream::new(one_row_per_day(&remainder).0, payee));
    let parts_score = score_without_remainder.max(total_score(&parts) - REMAINDER_MARGIN);
    match whole {
        Some(whole) if whole.score() >= parts_score => {
            // A second row on one day is not part of the first stream, but may belong to another stream.
            let mut found = streams_by_price(&others, payee);
            found.insert(0, whole);
            found
        }
        Some(_) | None => parts,
    }
}

/// Finds candidate streams of one price in three steps: equal amounts with their price changes, single payments at a
/// deviating price that fill a gap, and clusters of similar amounts in the remaining rows.
///
/// `rows` must be sorted. A row belongs to at most one candidate.
fn streams_by_price(rows: &[PayeeRow], payee: &PayeeProfile) -> Vec<CandidateStream> {
    let mut found: Vec<CandidateStream> = Vec::new();
    for sequence in join_price_changes(rows_by_price(rows)) {
        match CandidateStream::new(sequence.clone(), payee) {
            Some(candidate) => found.push(candidate),
            None => found.extend(split_by_due_day(&sequence, payee)),
        }
    }
    let remaining = extend_candidates(&mut found, rows, payee);
    let mut clusters = streams_of_similar_amounts(remaining.clone(), payee);
    extend_candidates(&mut clusters, &remaining, payee);
    found.extend(clusters);
    found
}

/// Groups rows by exact amount. Drops amounts with a single row and, of several rows of one amount on a day, all but
/// the first. Each group is sorted by day; the groups are sorted by their first row.
fn rows_by_price(rows: &[PayeeRow]) -> Vec<Vec<PayeeRow>> {
    let mut prices: BTreeMap<i64, Vec<PayeeRow>> = BTreeMap::new();
    for row in rows {
        let price = prices.entry(row.cents).or_default();
        if price.last().is_none_or(|last| last.day < row.day) {
            price.push(*row);
        }
    }
    let mut prices: Vec<Vec<PayeeRow>> = prices.into_values().filter(|rows| rows.len() >= 2).collect();
    prices.sort_by_key(|rows| (rows[0], rows.len()));
    prices
}

/// Joins prices that replace each other: a price is appended to the most recent earlier sequence that it continues at
/// the same cadence. `prices` must be sorted by their first row.
fn join_price_changes(prices: Vec<Vec<PayeeRow>>) -> Vec<Vec<PayeeRow>> {
    let mut sequences: Vec<Vec<PayeeRow>> = Vec::new();
    // The index of each sequence, by the last row of the sequence, to find the most recent sequences without a scan of
    // all.
    let mut by_last_row: BTreeMap<PayeeRow, usize> = BTreeMap::new();
    for price in prices {
        let (first, last) = (price[0], price[price.len() - 1]);
        let ended_before = PayeeRow { cents: 0, index: 0, ..first };
        let earlier = by_last_row.range(..ended_before).rev().take(EARLIER_PRICES_MAX);
        let mut similar = earlier.filter(|(end, _)| is_price_change(end.cents, first.cents));
        let continued =
            similar.find_map(|(end, index)| Some((*end, *index, continued_by(&sequences[*index], &price)?)));
        let index = if let Some((end, index, joined)) = continued {
            by_last_row.remove(&end);
            sequences[index] = joined;
            index
        } else {
            sequences.push(price);
            sequences.len() - 1
        };
        by_last_row.insert(last, index);
    }
    sequences
}

/// Returns the rows of `sequence` followed by those of `price` if together they follow one cadence, also over the
/// change of price; otherwise none.
fn continued_by(sequence: &[PayeeRow], price: &[PayeeRow]) -> Option<Vec<PayeeRow>> {
    let joined = [sequence, price].concat();
    let fit = CadenceFit::best(&days(&joined))?;
    let gap = price.first()?.day - sequence.last()?.day;
    let gap_is_regular = fit.specification.periods_in_gap(gap).is_some();
    (gap_is_regular && fit.regularity >= PRICE_CHANGE_REGULARITY_MIN).then_some(joined)
}

/// Returns true if two amounts, in cents, are near enough to be consecutive prices of one stream.
fn is_price_change(before: i64, after: i64) -> bool {
    (after - before).abs() * 100 <= before.max(after) * PRICE_CHANGE_PERCENT_MAX
}

/// Adds unused rows to candidates where they fill a gap or continue the candidate, and returns the rows that no
/// candidate uses. `rows` must be sorted.
fn extend_candidates(
    candidates: &mut [CandidateStream],
    rows: &[PayeeRow],
    payee: &PayeeProfile,
) -> Vec<PayeeRow> {
    let mut unused = unused_rows(rows, &used_indices(candidates));
    for candidate in candidates {
        let extended = CandidateStream::new(with_deviating_payments(candidate, &unused), payee);
        if let Some(extended) = extended.filter(|extended| extended.rows.len() > candidate.rows.len()) {
            *candidate = extended;
            unused = unused_rows(&unused, &used_indices(std::slice::from_ref(candidate)));
        }
    }
    unused
}

/// Returns the candidate's rows together with unused rows near its due days: payments at a price that occurs once, such
/// as the first payment after a price rise. `unused` must be sorted by day.
fn with_deviating_payments(candidate: &CandidateStream, unused: &[PayeeRow]) -> Vec<PayeeRow> {
    let specification = candidate.fit.specification;
    let days_off_max = (specification.gap_max - specification.gap_min) / 2;
    let nearest_to = |rows: &[PayeeRow], due: DayNumber, cents: i64| {
        let from = unused.partition_point(|row| row.day < due - days_off_max);
        let near = unused[from..].iter().take_while(|row| row.day <= due + days_off_max);
        let possible = near
            .filter(|row| rows.iter().all(|used| used.day != row.day) && is_price_change(cents, row.cents));
        possible.min_by_key(|row| ((row.day - due).abs(), row.cents.abs_diff(cents), row.index)).copied()
    };
    let mut rows = candidate.rows.clone();
    // Exactly one payment is missing between two payments of the candidate.
    for pair in candidate.rows.windows(2) {
        if specification.periods_in_gap(pair[1].day - pair[0].day) == Some(2) {
            rows.extend(nearest_to(&rows, candidate.fit.next_due_day(pair[0].day), pair[0].cents));
        }
    }
    rows.sort_unstable();
    // Payments after the candidate's last payment.
    while let Some(last) = rows.last() {
        let next = nearest_to(&rows, candidate.fit.next_due_day(last.day), last.cents);
        match next.filter(|row| row.day > last.day) {
            Some(row) => rows.push(row),
            None => break,
        }
    }
    rows
}

/// Finds candidates among clusters of similar amounts, such as a price in another currency. A cluster that contains all
/// rows is skipped, because [`candidate_streams`] tries all rows of the payee as one stream.
fn streams_of_similar_amounts(mut rows: Vec<PayeeRow>, payee: &PayeeProfile) -> Vec<CandidateStream> {
    rows.sort_by_key(|row| (row.cents, row.day, row.index));
    let is_similar = |row: &PayeeRow, next: &PayeeRow| {
        (next.cents - row.cents) * 100 <= row.cents * SIMILAR_AMOUNT_PERCENT_MAX
    };
    rows.chunk_by(is_similar)
        .filter(|cluster| cluster.len() >= CLUSTER_ROWS_MIN && cluster.len() < rows.len())
        .filter_map(|cluster| {
            let mut cluster = cluster.to_vec();
            cluster.sort_unstable();
            CandidateStream::new(one_row_per_day(&cluster).0, payee)
        })
        .collect()
}

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
fn split_by_due_day(rows: &[PayeeRow], payee: &PayeeProfile) -> Vec<CandidateStream> {
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
fn group_by_day_of_month(rows: &[PayeeRow]) -> Vec<Vec<PayeeRow>> {
    let mut days: Vec<(i32, PayeeRow)> = rows.iter().map(|row| (day_of_month(row.day), *row)).collect();
    days.sort_unstable();
    let mut groups: Vec<Vec<PayeeRow>> = days
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
