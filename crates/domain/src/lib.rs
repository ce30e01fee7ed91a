//! The domain types: money, transactions, people, detection of recurring payments, and the ports that a host
//! implements.
//!
//! ```
//! use passbook_domain::Invalid;
//! use passbook_domain::range::{DateRange, parse_date};
//!
//! # fn main() -> Result<(), Invalid> {
//! let november = DateRange::new(Some(parse_date("2026-11-01")?), Some(parse_date("2026-11-30")?), None)?;
//! assert_eq!(november.to().map(|day| day.day()), Some(30));
//! # Ok(())
//! # }
//! ```
//!
//! The crate does no I/O and depends on no HTTP, SQL or asynchronous runtime. Every adapter must send the same JSON
//! objects, so the response types are defined here: they implement `Serialize`, and none implements `Deserialize`.

pub mod access;
pub mod average;
pub mod balance;
pub mod bank;
pub mod bounded;
pub mod budget;
pub mod cashflow;
pub mod category;
pub mod comparison;
pub mod currency;
pub mod decimal;
mod error;
pub mod fold;
pub mod label;
pub mod money;
pub mod month_start;
pub mod names;
pub mod outage;
pub mod page;
pub mod percent;
pub mod period;
pub mod person;
pub mod portfolio;
pub mod ports;
pub mod range;
pub mod readiness;
pub mod recurring;
pub mod refund;
pub mod rounding;
pub mod scope;
pub mod spending;
mod string_enum;
pub mod tally;
pub mod timestamp;
pub mod transaction;

/// The crate of calendar days and timestamps in this crate's types.
pub use jiff;
/// The crate of `JsonSchema`, which the result types implement.
pub use schemars;
/// The crate of `Serialize`, which the result types implement.
pub use serde;
/// The crate of identifiers in this crate's types.
pub use uuid;

pub use currency::Currency;
pub use error::{Invalid, error_chain};
pub use money::Money;
