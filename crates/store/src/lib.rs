//! Implements the ports of `domain` on PostgreSQL: one SQL file and one small Rust file per query.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use passbook_store::{StoreConfig, ConnectError, Store};
//!
//! async fn ledger(config: StoreConfig) -> Result<Arc<dyn passbook_domain::ports::Ledger>, ConnectError> {
//!     Ok(Arc::new(Store::connect(config).await?))
//! }
//! ```
//!
//! [`Store::connect`] returns a [`Store`] only after the start-up check found no problem with role and schema. A
//! store is the ledger of an `operations::Service`, the token directory of an `auth::Authenticator`, and the
//! readiness check of an adapter.
//!
//! A store only reads: its role has rights on the schema `passbook_read` only, every transaction is read-only, and no
//! SQL is assembled from strings.

mod check;
mod cluster;
mod connect;
mod connection;
mod connection_failure;
mod connection_settings;
mod database_address;
mod error;
mod finding;
#[cfg(test)]
mod fixture;
mod last_check;
mod lifetime;
mod queries;
mod query;
mod query_times;
mod read;
mod readiness;
mod row;
mod session;
mod store;
mod tls;
mod token_directory;

/// The crate of the connection pool that [`Store::from_pool`] takes.
pub use deadpool_postgres;
/// The crate of the address of a database.
pub use tokio_postgres;

pub use check::{EXPECTED_SCHEMA_SHA256, EXPECTED_SCHEMA_VERSION, check, check_schema, schema_objects};
pub use connect::ConnectError;
pub use connection_failure::ConnectionFailure;
pub use connection_settings::{ConnectionSettings, ConnectionSettingsError};
pub use database_address::DatabaseAddress;
pub use error::Error;
pub use finding::{Finding, Remedy};
pub use queries::balances::{BalanceToday, balances_today};
pub use query::{QUERIES, Query};
pub use query_times::{QUERY_EVENTS, SLOW_QUERY_MILLISECONDS};
pub use store::{PoolStatus, Store, StoreConfig};
pub use tls::{Connector, Handshake, HandshakeError, Stream};
