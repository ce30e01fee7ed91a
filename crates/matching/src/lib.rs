//! Decides which lines of statements are the same transaction, as pure functions without a database.
//!
//! [`resolve`](fn@resolve) turns the lines of a person's files into rows: one for each transaction. It compares
//! sources (a file, or a run of statements that share no line) in the order of their days, by group (the lines of one
//! account, amount and currency). [`transaction`] then gives each row its type, category and link, by the rules of
//! [`rules`] and [`meaning`] and the pairs of [`transfer`]. [`reconciliation`] compares the rows with the balances.
//!
//! The rows depend only on the set of the files with their options and on one rules file. The order in which files were
//! imported, repetitions and files that were removed again leave no trace.
//!
//! ```
//! use passbook_matching::rules::Rules;
//!
//! let file = "[[rule]]\ntext = '(?i)\\bmetro\\b'\ncategory = \"PUBLIC_TRANSPORT\"";
//! assert!(Rules::from_toml(file, "rules.toml").is_ok());
//! ```

mod authoritative;
mod group;
pub mod line;
pub mod meaning;
mod pending;
mod period;
pub mod reconciliation;
mod repeated;
pub mod resolve;
mod row;
pub mod rules;
mod run;
pub mod running_balance;
mod running_days;
mod source;
pub mod transaction;
pub mod transfer;

pub use line::{FileStatement, Line, LineId};
pub use resolve::{Resolution, resolve};
pub use row::{MatchedRow, Outcome, Step};
