//! The portfolio: accounts by institution, securities, wallets and simulated accounts.

mod account;
mod history;
mod holding;
mod rows;

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::money::Money;
use crate::tally::Unconverted;

pub use account::{Account, AccountType, Item};
pub use history::{
    History, HistoryChange, HistoryDay, HistoryPart, HistoryPoint, HistorySeries, HistoryTotals, Interval,
    IntervalChoice, SeriesChoice, SeriesKey, SeriesTotals, SeriesType,
};
pub use holding::{Holding, PaperAccount, PaperPosition, PositionSide, SecurityType, Wallet, WalletHolding};
pub use rows::{PaperAccountRow, PortfolioRows, Valued, WalletRow};

/// An account whose balance is unknown.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct UnknownBalance {
    /// The account's identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
}

/// Everything a person owns and owes today, with its value in the preferred currency.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Portfolio {
    /// The items and the wallets together, in the preferred currency at today's rates. Signed: what is owed counts
    /// against it. Simulated accounts never count.
    #[schemars(extend("x-tool-description" = "Items and wallets together."))]
    pub total: Money,
    /// Linked institutions with their open accounts, the largest total first.
    #[schemars(extend("x-tool-description" = "Institutions with their open accounts, largest first."))]
    pub items: Vec<Item>,
    /// Wallets, the largest total first.
    #[schemars(extend("x-tool-description" = "Largest first."))]
    pub wallets: Vec<Wallet>,
    /// Simulated accounts, by name: shown, never counted.
    #[schemars(extend("x-tool-description" = "Simulated; never counted."))]
    pub paper_accounts: Vec<PaperAccount>,
    /// Holdings of the accounts of each item, by the item's `id`. Items without securities are not listed. The values are
    /// already part of the accounts' balances.
    #[serde(rename = "securitiesByItem")]
    #[schemars(extend("x-tool-description" = "Holdings by item id, already part of the balances."))]
    pub securities_by_item: BTreeMap<Uuid, Vec<Holding>>,
    /// True when something is missing from the total: an account without a known balance, or something in a wallet without
    /// a known price; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "True if an unknown balance or a holding without a price is missing from the total."))]
    pub partial: bool,
    /// Accounts whose balance is unknown and therefore missing from the total; absent if there are none.
    #[serde(rename = "unknownBalances", skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Accounts without a known balance, not in the total."))]
    pub unknown_balances: Vec<UnknownBalance>,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}
