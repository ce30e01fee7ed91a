//! A paper-trading account with a long and a short position.

use jiff::civil::Date;
use passbook_domain::portfolio::PositionSide;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::accounts::currency;
use super::calendar::at;
use super::listings::{APPLE, Listing, MICROSOFT, TESLA};
use super::person::USER_ID;
use passbook_records::id;
use passbook_records::record::{PaperAccount, PaperPosition};

/// Cash at the start, in hundredths of the account's currency.
const STARTING_CENTS: i64 = 10_000_000;

/// The positions: security, side, number of shares, and average entry price in cents.
static POSITIONS: [(&Listing, PositionSide, i64, i64); 3] = [
    (&APPLE, PositionSide::Long, 40, 18_120),
    (&MICROSOFT, PositionSide::Long, 25, 40_215),
    (&TESLA, PositionSide::Short, 15, 26_240),
];

fn paper_account_id() -> Uuid {
    id::derive(USER_ID, "paper account", "paper-1")
}

/// Returns the record of the account. Its cash is the starting cash minus the cost of the positions.
pub(super) fn account(today: Date) -> PaperAccount {
    let spent: i64 = POSITIONS
        .iter()
        .map(|(_, side, shares, price)| match side {
            PositionSide::Long => shares * price,
            PositionSide::Short => -shares * price,
        })
        .sum();
    PaperAccount {
        user_id: USER_ID,
        paper_account_id: paper_account_id(),
        name: "Paper 1".to_owned(),
        provider: "ALPACA".to_owned(),
        currency: currency("USD"),
        cash_cents: STARTING_CENTS - spent,
        starting_balance_cents: STARTING_CENTS,
        updated_at: at(today, 4, 20),
    }
}

/// Returns the records of the positions.
pub(super) fn positions() -> impl Iterator<Item = PaperPosition> {
    POSITIONS.iter().map(|(listing, side, shares, price)| PaperPosition {
        user_id: USER_ID,
        paper_account_id: paper_account_id(),
        security_id: listing.security_id(),
        side: *side,
        quantity: Decimal::from(*shares),
        average_entry_price: Decimal::new(*price, 2),
    })
}
