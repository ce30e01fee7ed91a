//! Candidate streams: rows of one payee that may be the payments of one stream.

use std::collections::BTreeSet;

use super::cadence_fit::{CadenceFit, count_as_f64};
use super::evidence::{Evidence, PayeeProfile};
use super::row::{Row, days};

/// Rows of one payee that follow a cadence, with the evidence that they are one stream.
#[derive(Clone, Debug)]
pub(super) struct CandidateStream {
    /// The rows of the candidate, sorted by day, at most one row per day.
    pub(super) rows: Vec<Row>,
    pub(super) fit: CadenceFit,
    pub(super) evidence: Evidence,
}

impl CandidateStream {
    /// Creates a candidate from rows that are sorted by day, at most one per day. Returns none if the rows follow no
    /// cadence or if a rule rejects them.
    pub(super) fn new(rows: Vec<Row>, payee: &PayeeProfile) -> Option<CandidateStream> {
        let fit = CadenceFit::best(&days(&rows))?;
        let evidence = Evidence::of_candidate(&rows, &fit, payee)?;
        Some(CandidateStream { rows, fit, evidence })
    }

    /// Returns the number of payments that the candidate explains: the payments that a regular gap connects, multiplied
    /// by the confidence.
    pub(super) fn score(&self) -> f64 {
        self.evidence.confidence_score() * count_as_f64(self.fit.regular_gaps + 1)
    }
}

/// Returns the sum of the candidates' scores.
pub(super) fn total_score(candidates: &[CandidateStream]) -> f64 {
    candidates.iter().map(CandidateStream::score).sum()
}

/// Returns the indices of all rows that the candidates use.
pub(super) fn used_indices(candidates: &[CandidateStream]) -> BTreeSet<usize> {
    candidates.iter().flat_map(|candidate| &candidate.rows).map(|row| row.index).collect()
}
