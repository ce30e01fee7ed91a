//! The words of the contract: money, transactions, people, and the ports the service needs filled.
//!
//! Nothing here does I/O or knows HTTP, SQL or a runtime. The wire shape *is* the domain, because every adapter
//! must emit the same object: types serialise, and none deserialises.

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
pub mod invalid;
pub mod moment;
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
pub mod transaction;

pub use currency::Currency;
pub use invalid::Invalid;
pub use money::Money;
