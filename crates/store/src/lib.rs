//! Implements the ports of `domain` on PostgreSQL: one SQL file and one small Rust file per query.
//!
//! [`Store::connect`] returns a [`Store`] only after the start-up check found no problem with role and schema. A
//! store is the ledger of an `operations::Service`, the token directory of an `auth::Authenticator`, and the
//! readiness check of an adapter.
//!
//! A store only reads: its role has rights on the schema `passbook_read` only, every transaction is read-only, and no
//! SQL is assembled from strings.

mod cancel_on_drop;
mod cell;
mod check;
mod connect;
mod connection_failure;
mod database_address;
mod error;
#[cfg(test)]
mod fixture;
mod last_check;
mod ledger;
mod parameter_types;
mod pool;
mod problem;
mod queries;
mod query;
mod readiness;
mod row;
mod session;
mod session_row;
mod statement;
mod token_directory;
mod transaction;

pub use check::{EXPECTED_SCHEMA_VERSION, check, check_schema, schema_objects};
pub use connect::ConnectError;
pub use connection_failure::ConnectionFailure;
pub use database_address::DatabaseAddress;
pub use error::Error;
pub use pool::{Config, Store};
pub use problem::{Problem, Remedy};
pub use query::{QUERIES, Query};
