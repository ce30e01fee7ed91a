//! What became of a request to take something back.

/// Whatever it is, it is refused from the next request on. The time of the first revocation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// It is revoked from now on.
    Done,
    /// It is revoked from now on, and had not been recorded until now.
    Unrecorded,
    /// It had been revoked before.
    Already,
    /// There is nothing of the kind.
    Unknown,
}
