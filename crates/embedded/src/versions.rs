//! The versions of PostgreSQL that this crate supports and downloads.

/// Oldest supported major version. The SQL of Passbook uses nothing newer, and tests use nothing older.
pub(crate) const OLDEST_MAJOR: u32 = 15;
/// Version of the package to download.
pub(crate) const DOWNLOAD_VERSION: &str = "18.4.0-beta.17";
/// Major version of PostgreSQL in that package.
pub(crate) const DOWNLOAD_MAJOR: u32 = 18;
