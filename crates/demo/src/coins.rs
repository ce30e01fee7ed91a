//! Two cryptocurrency wallets and their holdings.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::calendar::{Window, at};
use super::listings::{BITCOIN, ETHER, Listing};
use super::person::USER_ID;
use passbook_records::id;
use passbook_records::record::{Wallet, WalletHolding};

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
pub(super) fn holdings(window: Window) -> impl Iterator<Item = WalletHolding> {
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
