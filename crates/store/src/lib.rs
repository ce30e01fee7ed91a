//! Answers the ledger and token ports from PostgreSQL: one SQL file and one small Rust file per question.
//!
//! [`Store::connect`] is the way in: it gives a [`Store`] only once role and schema have been found right. A store is the
//! ledger of an `operations::Service`, the directory of an `auth::Authenticator`, and the readiness of an adapter.
//!
//! Reads only: the role has rights on the reading contract (`passbook_read`) and no other, every transaction is
//! read-only, and no SQL is made from strings.

mod check;
mod connect;
mod error;
mod ledger;
mod pool;
mod question;
mod questions;
mod readiness;
mod row;
mod session;
mod statement;
mod tokens;

pub use check::{EXPECTED_SCHEMA_VERSION, Problem, check};
pub use connect::ConnectError;
pub use error::Error;
pub use pool::{Config, Store};
pub use question::{QUESTIONS, Question};
