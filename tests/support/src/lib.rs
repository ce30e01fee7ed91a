//! Test support: an in-memory ledger with a user and a credential, for unit tests that need no PostgreSQL.
//!
//! ```ignore
//! let ledger = InMemoryLedger::new().with_row(expense("2026-11-05", ExpenseCategory::Clothing, 8_990));
//! let service = Service::new(Arc::new(ledger));
//! let summary = ready(service.call::<CashflowSummary>(&credential(), Params::default()));
//! ```

mod credential;
mod ledger;
mod portfolio;
mod row;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use jiff::civil::Date;

pub use credential::{credential, user};
pub use ledger::{InMemoryLedger, RecordedAccess};
pub use portfolio::{account, bank, paper_account, paper_position, wallet, wallet_holding};
pub use row::{Row, expense, income, internal_transfer};

/// Reads a date.
///
/// # Panics
/// If the text is not a date `YYYY-MM-DD`.
pub fn date(text: &str) -> Date {
    text.parse().expect("a date YYYY-MM-DD")
}

/// Runs a future that never waits, as every future of [`InMemoryLedger`] does.
///
/// # Panics
/// If the future is not ready at the first poll.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
