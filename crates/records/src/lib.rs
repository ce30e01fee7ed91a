//! The records that every source yields, and the readers of Passbook's own formats, without a database.
//!
//! [`bundle`] reads Passbook's own JSON document, and [`ecb_rates`] exchange rates. Like the crate `beancount`, they yield
//! [`Record`]s, each [`Located`] in its input, and report the faults of the input as
//! [`Faults`](passbook_input::Faults). The crate `ingest` stores the records.
//!
//! Files of banks and other apps are different: the crate `statements` reads them as [`statement`]s, because only the
//! importer can decide which entries are already stored.
//!
//! A reader of another format is a crate of its own: a function from bytes to records or statements that adds a
//! [`Fault`](passbook_input::Fault) for every broken rule.
//!
//! ```
//! use passbook_records::{Record, ecb_rates};
//!
//! let file = "Date,USD,\n2026-11-24,1.0925,\n".as_bytes();
//! let records: Vec<_> = ecb_rates::read(file).collect::<Result<_, _>>().expect("a file of rates");
//! assert!(matches!(records[1].record, Record::ExchangeRate(ref rate) if rate.currency.as_str() == "USD"));
//! ```

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
