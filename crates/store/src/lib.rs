//! Answers the ledger and token ports from PostgreSQL: one SQL file and one small Rust file per question.
//!
//! Reads only: the role has rights on the reading contract (`passbook_read`) and no other, every transaction is
//! read-only, and no SQL is made from strings.

mod check;
mod error;
mod ledger;
mod pool;
mod question;
mod questions;
mod row;
mod session;
mod tokens;

pub use check::{EXPECTED_SCHEMA_VERSION, Problem, check};
pub use error::Error;
pub use pool::{Config, Store};
pub use question::{QUESTIONS, Question};
