//! The rules that a database URL can break.

use std::path::PathBuf;

/// The rule that a URL breaks. `Display` is a clause that follows the name of a setting. It never contains the password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionSettingsError {
    /// The text is neither a URL nor a list of parameters of PostgreSQL.
    #[error("must be a URL such as postgresql://role:password@localhost/passbook")]
    Malformed,
    /// TLS parameters outside of a URL.
    #[error(
        "must be a URL such as postgresql://role:password@host/database?sslmode=verify-full if it has TLS parameters"
    )]
    NoUrl,
    /// A choice of hosts that would not read grants on the primary.
    #[error(
        "must have target_session_attrs=primary or prefer-standby: grants are always read on the primary"
    )]
    Target,
    /// An unknown mode.
    #[error("must have one of the modes sslmode=disable, prefer, require, verify-ca or verify-full")]
    SslMode,
    /// The certificate of an authority that the mode would not use.
    #[error(
        "has sslrootcert, which is not used with sslmode=disable and sslmode=prefer: add sslmode=verify-full, or remove sslrootcert"
    )]
    UnusedRootCertificate,
    /// The mode needs the certificate of an authority.
    #[error(
        "has sslmode=verify-ca without a file of an authority, so any public certificate would pass: add sslrootcert=FILE, or set sslmode=verify-full"
    )]
    MissingRootCertificate,
    /// The file of the authority cannot be used.
    #[error("has sslrootcert={}, which cannot be used: {reason}; name a PEM file with the certificate of the authority", path.display())]
    RootCertificate {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The system has no certificates of authorities.
    #[error(
        "has sslmode=verify-full without sslrootcert, and this system has no certificates of authorities: install them (on Debian, the package ca-certificates), or add sslrootcert=FILE"
    )]
    NoSystemAuthorities,
}
