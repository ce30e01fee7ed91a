//! The demo household: two years of one invented person's money, generated for the day on which they end.
//!
//! Generation is deterministic. Rows of a past day do not depend on the day of generation, so a demo started tomorrow
//! continues today's. Each module below generates one part of the household.
//!
//! ```
//! let records = passbook_demo::household(jiff::civil::date(2026, 11, 25));
//! assert!(records.len() > 1_000);
//! ```

mod accounts;
mod calendar;
mod household;
mod income;
mod ledger;
mod merchants;
mod portfolio;
mod recurring;
mod securities;
mod spending;
#[cfg(test)]
mod tests;

pub use crate::accounts::{EMAIL, TIME_ZONE, USER_ID};
pub use crate::household::{household, install, today};
