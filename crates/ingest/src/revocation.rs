//! The result of a revocation.

/// The result of a revocation. In all cases but [`Revocation::Unknown`], the credential is rejected from the next
/// request on. A second revocation does not change the time of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// The credential was revoked by this call.
    Done,
    /// The credential was revoked by this call; the consent or session had not been recorded before.
    Unrecorded,
    /// The credential had been revoked before.
    Already,
    /// There is no such token, client, consent or session.
    Unknown,
}
