//! Two wallets of coins. Quantities change on the days something was bought.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::calendar::{Window, at};
use super::listings::{BITCOIN, ETHER, Listing};
use super::person::USER_ID;
use formats::id;
use formats::record::{Wallet, WalletHolding};

struct Purse {
    key: &'static str,
    name: &'static str,
    network: &'static str,
    address: &'static str,
    coin: &'static Listing,
    /// Months after the eve, and the quantity from then on in hundred-millionths.
    quantities: &'static [(i32, i64)],
}

static PURSES: [Purse; 2] = [
    Purse {
        key: "cold",
        name: "Cold wallet",
        network: "BITCOIN",
        address: "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkf9x3f",
        coin: &BITCOIN,
        quantities: &[(0, 2_750_000), (9, 3_600_000), (17, 4_210_000)],
    },
    Purse {
        key: "browser",
        name: "Browser wallet",
        network: "ETHEREUM",
        address: "0x5fd3e0a11ce05e401dba55b00c000000000c41e0",
        coin: &ETHER,
        quantities: &[(4, 50_000_000), (13, 85_000_000)],
    },
];

impl Purse {
    fn wallet_id(&self) -> Uuid {
        id::derive(USER_ID, "wallet", self.key)
    }
}

/// Both wallets.
pub(super) fn wallets(today: Date) -> impl Iterator<Item = Wallet> {
    PURSES.iter().map(move |purse| Wallet {
        user_id: USER_ID,
        wallet_id: purse.wallet_id(),
        name: purse.name.to_owned(),
        network: purse.network.to_owned(),
        address: Some(purse.address.to_owned()),
        updated_at: at(today, 0, 5),
    })
}

/// What they hold from which day on.
pub(super) fn holdings(window: Window) -> impl Iterator<Item = WalletHolding> {
    PURSES.iter().flat_map(move |purse| {
        purse.quantities.iter().map(move |(months, quantity)| WalletHolding {
            user_id: USER_ID,
            wallet_id: purse.wallet_id(),
            security_id: purse.coin.security_id(),
            as_of: window.eve() + months.months(),
            quantity: Decimal::new(*quantity, 8),
        })
    })
}
