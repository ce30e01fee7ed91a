//! Decides whether the rows of a payee are one stream or several streams of different prices.

use super::candidate_stream::{CandidateStream, total_score, used_indices};
use super::payee_profile::PayeeProfile;
use super::price_streams::streams_by_price;
use super::row::{Row, one_row_per_day, unused_rows};

/// Minimum advantage, in explained payments, of splitting a payee's rows by price over treating them as one stream.
/// Applied only when the split includes the remainder: a remainder of mixed amounts is weak evidence.
const REMAINDER_MARGIN: f64 = 0.5;

/// Finds the candidate streams of one payee. `rows` must be sorted.
///
/// Compares two hypotheses. In the first, all rows form one stream. In the second, the rows of each price form a
/// stream, and the remaining rows may form one more stream. Returns the candidates of the hypothesis that explains more
/// payments; a tie goes to one stream.
pub(super) fn candidate_streams(rows: &[Row], payee: &PayeeProfile) -> Vec<CandidateStream> {
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
