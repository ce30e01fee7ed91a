//! Reads input strictly: nothing is overwritten, every broken rule is reported, and secrets are withheld.
//!
//! Parameters of a request, files and settings are read to the end, so that one response lists every [`Fault`]. A reader
//! collects them in [`Faults`]. [`excerpt`] and [`without_tokens`] keep secrets that were sent in the wrong place out of
//! messages. [`Object`] is a JSON object whose repeated names are found.
//!
//! ```
//! use passbook_input::{Fault, Faults};
//!
//! let mut faults = Faults::unlimited();
//! faults.push(Fault::new("line 3", "must be a day").received("2026-02-30"));
//! let list = faults.none_or(()).expect_err("a fault").into_list();
//! assert_eq!(list[0].place, "line 3");
//! ```

mod fault;
mod faults;
mod object;
mod withholding;

pub use fault::Fault;
pub use faults::Faults;
pub use object::{MEMBERS_MAX, Object};
pub use withholding::{contains_token, excerpt, without_tokens};
