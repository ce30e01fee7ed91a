//! The only crate that writes rows: loads the records of a source in one transaction, and administers people, accounts,
//! tokens, OAuth clients, consents and sessions. Also finds imported ledgers, writes backups of all rows and restores
//! them.

pub mod accounts;
pub mod backup;
pub mod clients;
pub mod consents;
pub mod ledgers;
pub mod load;
pub mod people;
pub mod redirect_uri;
pub mod revocation;
pub mod sessions;
pub mod tokens;
