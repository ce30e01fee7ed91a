//! The brokerage account: the monthly purchases of its savings plan, its holdings and its daily value.

use std::iter;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::accounts::OwnAccount;
use super::calendar::{Window, days};
use super::ledger::Ledger;
use super::listings::{BONDS, GLOBAL_STOCKS, Listing, OVERNIGHT, SAP};
use super::person::USER_ID;
use super::transfers::plan_day;
use passbook_records::record::Holding;

/// Ten-thousandths of a share in one share: the unit of quantities in this module.
const SHARE: i64 = 10_000;

/// A holding: its opening quantity, and the amount that the plan invests in it every month.
struct Position {
    listing: &'static Listing,
    opening_quantity: i64,
    monthly_cents: i64,
}

/// The monthly amounts add up to `transfers::PLAN_CENTS`.
static POSITIONS: [Position; 4] = [
    Position { listing: &GLOBAL_STOCKS, opening_quantity: 84_0000, monthly_cents: 20_000 },
    Position { listing: &BONDS, opening_quantity: 620_0000, monthly_cents: 6_000 },
    Position { listing: &OVERNIGHT, opening_quantity: 18_0000, monthly_cents: 4_000 },
    Position { listing: &SAP, opening_quantity: 12_0000, monthly_cents: 0 },
];

/// One purchase of the plan.
struct Purchase {
    date: Date,
    quantity: i64,
    cents: i64,
}

impl Position {
    /// Returns the purchases of the plan. A purchase that is due today happens only if today already has a price.
    fn purchases(&self, window: Window) -> impl Iterator<Item = Purchase> + '_ {
        window
            .months()
            .map(plan_day)
            .filter(move |date| self.monthly_cents > 0 && self.listing.is_priced(*date, window.today))
            .map(move |date| {
                let price = self.listing.last_price(date, window.today);
                Purchase { date, quantity: self.monthly_cents * SHARE / price, cents: self.monthly_cents }
            })
    }

    fn value(&self, quantity: i64, day: Date, today: Date) -> i64 {
        (quantity * self.listing.last_price(day, today) + SHARE / 2) / SHARE
    }
}

/// Returns the current holdings with their cost.
pub(super) fn holdings(window: Window) -> impl Iterator<Item = Holding> {
    POSITIONS.iter().map(move |position| {
        // The opening quantity cost 88 % of its opening value, so that it shows a gain.
        let opening_cost = position.value(position.opening_quantity, window.eve(), window.today) * 88 / 100;
        let (bought, paid) = position
            .purchases(window)
            .fold((0, 0), |(bought, paid), purchase| (bought + purchase.quantity, paid + purchase.cents));
        Holding {
            user_id: USER_ID,
            account_id: OwnAccount::Brokerage.account_id(),
            security_id: position.listing.security_id(),
            quantity: Decimal::new(position.opening_quantity + bought, 4),
            cost_basis_cents: Some(opening_cost + paid),
        }
    })
}

/// Returns cash plus the value of the holdings at the end of every day, from the opening day to today.
pub(super) fn values(ledger: &Ledger) -> Vec<(Date, i64)> {
    let window = ledger.window;
    let bought: Vec<(&Position, Vec<Purchase>)> =
        POSITIONS.iter().map(|position| (position, position.purchases(window).collect())).collect();
    iter::once(window.eve())
        .chain(days(window.first, window.today))
        .map(|day| {
            let mut cents = ledger.balance(OwnAccount::Brokerage, day);
            for (position, purchases) in &bought {
                let mut quantity = position.opening_quantity;
                for purchase in purchases.iter().filter(|purchase| purchase.date <= day) {
                    quantity += purchase.quantity;
                    cents -= purchase.cents;
                }
                cents += position.value(quantity, day, window.today);
            }
            (day, cents)
        })
        .collect()
}
