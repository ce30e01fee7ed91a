//! The database schema: migrations, roles and views. The serving crates never depend on this crate.
//!
//! `sql/` contains version 1 in eleven files, in the order of application. Until the first release, every change edits these
//! files. Each database records the SHA-256 of its migrations, and [`migrate`] rejects a database whose record differs. After
//! the first release, released files are never edited, comments included, and each change adds a migration `NNNN_name.sql`.
//!
//! ```no_run
//! # async fn example(mut client: tokio_postgres::Client) -> Result<(), passbook_schema::Error> {
//! passbook_schema::migrate(&mut client).await?;
//! # Ok(())
//! # }
//! ```

mod error;
mod migrate;
mod migrations;
mod status;

pub use error::Error;
pub use migrate::{Applied, OWNER, READER, WRITER, allow_local_logins, migrate, migrate_to};
pub use migrations::{
    DEVELOPMENT_VERSION, FROM_VERSION_23, MIGRATIONS, Migration, latest_sha256, latest_version,
};
pub use status::{Status, status};
