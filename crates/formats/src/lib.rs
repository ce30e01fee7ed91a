//! Readers of input files: pure functions from bytes to checked records, without a database.
//!
//! Each reader is one module: [`bundle`] (Passbook's own JSON document), [`beancount`] (ledgers) and [`ecb_rates`]
//! (exchange rates). Every reader yields the same [`Record`]s, each [`Located`] in its input, and reports what is wrong
//! with the input as [`Faults`]. Storing the records is the task of another crate.

pub mod beancount;
pub mod bundle;
pub mod ecb_rates;
mod fault;
pub mod id;
pub mod provider_category;
pub mod record;

pub use fault::{FAULTS_KEPT_MAX, Fault, Faults};
pub use record::{Located, Record};
