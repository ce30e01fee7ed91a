//! Faults: the rules that an input broke.
//!
//! Parameters of a request, files and settings are read to the end, so that one response lists every [`Fault`]. A reader
//! collects them in [`Faults`]. The functions of `withholding` keep secrets that were sent in the wrong place out of
//! messages.

mod fault;
mod faults;
mod withholding;

pub use fault::Fault;
pub use faults::Faults;
pub use withholding::{contains_token, excerpt, without_tokens};
