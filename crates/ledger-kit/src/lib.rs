//! The rules about numbers in memory, and a conformance kit for ledgers.
//!
//! [`MemoryLedger`] implements the port [`Ledger`](passbook_domain::ports::Ledger) over rows in memory, by the same rules
//! as the database: a host without a database implements [`Grants`], and tests compare the database with it.
//!
//! The kit checks any other ledger. A test stores the rows of [`sample`], implements [`Subject`] for the ledger, and runs
//! [`check`]. The report names each rule that the ledger breaks, with the call, the expected answer and the difference.
//! The expected answers are literals in `data/rules.json`. They were computed independently of the code of this project.
//!
//! ```
//! # struct NoLedger;
//! # impl passbook_ledger_kit::Subject for NoLedger {
//! #     fn open(&self, _: &str, _: passbook_ledger_kit::Grant) -> Option<passbook_ledger_kit::OpenLedger> { None }
//! # }
//! # let subject = NoLedger;
//! let sample = passbook_ledger_kit::sample();
//! assert!(sample.people.iter().any(|person| person.name == "ada"));
//! // Store the sample; then, in a test with an asynchronous runtime:
//! let checking = async { passbook_ledger_kit::check(&subject).await };
//! ```

pub mod assets;
mod conformance;
mod data;
mod household;
mod ledger;
mod rates;
mod rows;
mod sample;
mod test_grants;

pub use crate::conformance::calls::{Grant, OpenLedger, Subject, answer, answer_tool};
pub use crate::conformance::report::{Failure, Report};
pub use crate::conformance::{check, check_agreement, check_rules};
pub use crate::data::{LedgerData, Rate, StoredPerson};
pub use crate::household::{Random, household};
pub use crate::ledger::{Grants, MemoryLedger, OpenRows};
pub use crate::rates::Rates;
pub use crate::rows::Rows;
pub use crate::sample::sample;
pub use crate::test_grants::{RecordedAccess, TestGrants};
