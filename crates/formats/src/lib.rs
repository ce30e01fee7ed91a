//! Readers of input files: from bytes to validated records, without a database.
//!
//! Each format is one module: [`bundle`] (Passbook's own JSON document), [`beancount`] (ledgers) and [`ecb_rates`]
//! (exchange rates). Every reader yields the same [`Record`]s, each [`Located`] in its input, and reports the faults of
//! the input as [`Faults`](passbook_fault::Faults). The crate `ingest` stores the records.
//!
//! Files of banks and other apps are different: [`statement`] reads them as statements of bookings, because only the
//! importer can decide which bookings are already stored.
//!
//! A new format is one more module: a function from bytes to records that adds a [`Fault`](passbook_fault::Fault) for
//! every broken rule. The shared types are in [`record`] and in the crate `fault`.

pub mod beancount;
pub mod bundle;
pub mod ecb_rates;
pub mod id;
pub mod provider_category;
pub mod record;
pub mod statement;

pub use record::{Located, Record};

/// Maximum number of faults of an input that are stored. Further faults are only counted, so that a file of faults does
/// not fill the memory.
pub const FAULTS_LISTED_MAX: usize = 1_000;
