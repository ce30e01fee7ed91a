//! The domain types: money, transactions, people, detection of recurring payments, and the ports that a host
//! implements.
//!
//! The crate does no I/O and depends on no HTTP, SQL or asynchronous runtime. Every adapter must send the same JSON
//! objects, so the response types are defined here: they implement `Serialize`, and none implements `Deserialize`.

#![warn(missing_docs)]

pub mod access;
pub mod bank;
pub mod bounded;
pub mod budget;
pub mod cashflow;
pub mod category;
pub mod currency;
pub mod decimal;
pub mod fold;
mod future;
pub mod invalid;
pub mod money;
pub mod page;
pub mod percent;
pub mod period;
pub mod person;
pub mod portfolio;
pub mod ports;
pub mod range;
pub mod readiness;
pub mod recurring;
pub mod rounding;
pub mod scope;
pub mod spending;
mod string_enum;
pub mod tally;
pub mod timestamp;
pub mod transaction;

pub use currency::Currency;
pub use invalid::Invalid;
pub use money::Money;
