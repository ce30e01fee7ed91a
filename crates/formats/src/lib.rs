//! Readers of input files: from bytes to validated records, without a database.
//!
//! Each format is one module: [`bundle`] (Passbook's own JSON document), [`beancount`] (ledgers) and [`ecb_rates`]
//! (exchange rates). Every reader yields the same [`Record`]s, each [`Located`] in its input, and reports the faults of
//! the input as [`Faults`]. The crate `ingest` stores the records.
//!
//! A new format is one more module: a function from bytes to records that adds a [`Fault`] for every broken rule. The
//! shared types are in [`record`] and here.

pub mod beancount;
pub mod bundle;
pub mod ecb_rates;
mod fault;
pub mod id;
pub mod provider_category;
pub mod record;

pub use fault::{FAULTS_KEPT_MAX, Fault, Faults};
pub use record::{Located, Record};
