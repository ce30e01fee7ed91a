//! The investments of the household: the brokerage account with its savings plan, two cryptocurrency wallets, and a
//! paper-trading account.

use std::iter;

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::portfolio::PositionSide;
use passbook_records::id;
use passbook_records::record::{Holding, PaperAccount, PaperPosition, Wallet, WalletHolding};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::accounts::{OwnAccount, USER_ID, currency};
use super::calendar::{Window, at, days};
use super::income::plan_day;
use super::ledger::Ledger;
use super::securities::{
    APPLE, BITCOIN, BONDS, ETHER, GLOBAL_STOCKS, Listing, MICROSOFT, OVERNIGHT, SAP, TESLA,
};

/// Ten-thousandths of a share in one share: the unit of quantities in this module.
const SHARE: i64 = 10_000;

/// A holding: its opening quantity, and the amount that the plan invests in it every month.
struct Position {
    listing: &'static Listing,
    opening_quantity: i64,
    monthly_cents: i64,
}

/// The monthly amounts add up to `PLAN_CENTS`.
static BROKERAGE_POSITIONS: [Position; 4] = [
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
    BROKERAGE_POSITIONS.iter().map(move |position| {
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
pub(super) fn brokerage_values(ledger: &Ledger) -> Vec<(Date, i64)> {
    let window = ledger.window;
    let bought: Vec<(&Position, Vec<Purchase>)> =
        BROKERAGE_POSITIONS.iter().map(|position| (position, position.purchases(window).collect())).collect();
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

struct WalletPlan {
    key: &'static str,
    name: &'static str,
    network: &'static str,
    address: &'static str,
    coin: &'static Listing,
    /// The quantities held: pairs of the number of months after the opening day, and the quantity from then on in units
    /// of 10⁻⁸.
    quantities: &'static [(i32, i64)],
}

static WALLET_PLANS: [WalletPlan; 2] = [
    WalletPlan {
        key: "cold",
        name: "Cold wallet",
        network: "BITCOIN",
        address: "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkf9x3f",
        coin: &BITCOIN,
        quantities: &[(0, 2_750_000), (9, 3_600_000), (17, 4_210_000)],
    },
    WalletPlan {
        key: "browser",
        name: "Browser wallet",
        network: "ETHEREUM",
        address: "0x5fd3e0a11ce05e401dba55b00c000000000c41e0",
        coin: &ETHER,
        quantities: &[(4, 50_000_000), (13, 85_000_000)],
    },
];

impl WalletPlan {
    fn wallet_id(&self) -> Uuid {
        id::derive(USER_ID, "wallet", self.key)
    }
}

/// Returns both wallets.
pub(super) fn wallets(today: Date) -> impl Iterator<Item = Wallet> {
    WALLET_PLANS.iter().map(move |plan| Wallet {
        user_id: USER_ID,
        wallet_id: plan.wallet_id(),
        name: plan.name.to_owned(),
        network: plan.network.to_owned(),
        address: Some(plan.address.to_owned()),
        updated_at: at(today, 0, 5),
    })
}

/// Returns the quantities of both wallets, each with the first day on which it was held.
pub(super) fn wallet_holdings(window: Window) -> impl Iterator<Item = WalletHolding> {
    WALLET_PLANS.iter().flat_map(move |plan| {
        plan.quantities.iter().map(move |(months, quantity)| WalletHolding {
            user_id: USER_ID,
            wallet_id: plan.wallet_id(),
            security_id: plan.coin.security_id(),
            as_of: window.eve() + months.months(),
            quantity: Decimal::new(*quantity, 8),
        })
    })
}

/// Cash at the start, in hundredths of the account's currency.
const STARTING_CENTS: i64 = 10_000_000;

/// The positions: security, side, number of shares, and average entry price in cents.
static PAPER_POSITIONS: [(&Listing, PositionSide, i64, i64); 3] = [
    (&APPLE, PositionSide::Long, 40, 18_120),
    (&MICROSOFT, PositionSide::Long, 25, 40_215),
    (&TESLA, PositionSide::Short, 15, 26_240),
];

fn paper_account_id() -> Uuid {
    id::derive(USER_ID, "paper account", "paper-1")
}

/// Returns the record of the account. Its cash is the starting cash minus the cost of the positions.
pub(super) fn paper_account(today: Date) -> PaperAccount {
    let spent: i64 = PAPER_POSITIONS
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
pub(super) fn paper_positions() -> impl Iterator<Item = PaperPosition> {
    PAPER_POSITIONS.iter().map(|(listing, side, shares, price)| PaperPosition {
        user_id: USER_ID,
        paper_account_id: paper_account_id(),
        security_id: listing.security_id(),
        side: *side,
        quantity: Decimal::from(*shares),
        average_entry_price: Decimal::new(*price, 2),
    })
}
