//! Turns the statements of a person's files into rows, as pure functions without a database.
//!
//! The rows depend only on the set of the files with their options and on one rules file. The order in which files were
//! imported, repetitions and files that were removed again leave no trace.
//!
//! | module | content |
//! |---|---|
//! | [`line`](mod@line) | input: the statements and lines of all files |
//! | [`resolve`](mod@resolve) | the rows, and the row of each line |
//! | `copies` | statements that stand twice in one file |
//! | `extent`, `chain`, `virtual_file` | statements whose balances prove that they share no line, added up to one file |
//! | `bucket` | lines of one account, amount and currency: how many rows they are, and on which days |
//! | `authoritative`, `pending` | rows of sources with stable identifiers; announced rows |
//! | [`rules`], [`meaning`] | a person's rules file and the rules that come with Passbook; the category of a line |
//! | [`transfer`], [`refund`] | pairs of rows |
//! | [`booking`] | type, category and link of each row |
//! | [`running_balance`] | balances of files that state one in each row |
//! | [`proof`] | comparison of rows with balances |

mod authoritative;
pub mod booking;
mod bucket;
mod chain;
mod copies;
mod extent;
mod facts;
pub mod line;
pub mod meaning;
mod pending;
pub mod proof;
pub mod refund;
pub mod resolve;
pub mod rules;
pub mod running_balance;
pub mod transfer;
mod virtual_file;

pub use line::{FileStatement, Line, LineId};
pub use resolve::{Resolution, Row, Step, resolve};
