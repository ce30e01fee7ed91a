//! The result of a revocation.

/// In all cases but [`Revocation::Unknown`], the credential is rejected from the next request on. The time of the first
/// revocation is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// Revoked now.
    Done,
    /// Revoked now; the consent or session had not been recorded before.
    Unrecorded,
    /// Had been revoked before.
    Already,
    /// No such token, client, consent or session.
    Unknown,
}
