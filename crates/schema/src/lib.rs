//! The database contract: migrations, roles and views, applied by whoever may, and never by the serving path.
//!
//! `migrations/` holds the SQL in the order it is applied. A migration that has been released is never edited:
//! its hash is recorded, and a database whose record differs is refused.

mod error;
mod migrate;
mod migrations;
mod status;

pub use error::Error;
pub use migrate::{Applied, allow_local_logins, migrate};
pub use migrations::{MIGRATIONS, Migration, fingerprint, latest_version};
pub use status::{Status, status};

/// The role that owns every table and view. Neither superuser nor BYPASSRLS, so the wall holds for it too.
pub const OWNER: &str = "passbook_owner";
/// The role of the operator's tool and of anyone's sync job.
pub const WRITER: &str = "passbook_writer";
/// The role of the server: select on the reading contract, nothing else.
pub const READER: &str = "passbook_reader";
