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
mod balances;
mod bills;
mod budgets;
mod calendar;
mod coins;
mod depot;
mod everyday;
mod generator;
mod household;
mod income;
mod install;
mod labels;
mod ledger;
mod listings;
mod merchants;
mod paper;
mod person;
mod purchases;
mod rates;
mod recurring;
mod schedule;
mod subscriptions;
mod transfers;
mod travel;
mod unposted;

#[cfg(test)]
mod tests;

pub use household::household;
pub use install::{install, today};
pub use person::{EMAIL, TIME_ZONE, USER_ID};
