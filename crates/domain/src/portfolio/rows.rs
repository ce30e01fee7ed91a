//! The rows of a portfolio as a ledger returns them. `operations` adds them up.

use uuid::Uuid;

use super::account::Account;
use super::holding::{Holding, PaperPosition, WalletHolding};
use crate::bank::Bank;
use crate::currency::Currency;
use crate::money::Money;
use crate::timestamp::UtcTimestamp;

/// The rows of a portfolio. Each list has the order in which a response shows it: accounts and holdings by value,
/// largest first; institutions, wallets and simulated accounts by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PortfolioRows {
    /// All institutions of the person.
    pub banks: Vec<Bank>,
    /// Open accounts, each with the identifier of its institution and its balance in the preferred currency.
    pub accounts: Vec<(Uuid, Valued<Account>)>,
    /// Securities in these accounts, each with the identifier of its institution.
    pub holdings: Vec<(Uuid, Holding)>,
    /// All wallets.
    pub wallets: Vec<WalletRow>,
    /// Contents of the wallets, each with the identifier of its wallet and its value in the preferred currency.
    pub wallet_holdings: Vec<(Uuid, Valued<WalletHolding>)>,
    /// All simulated accounts.
    pub paper_accounts: Vec<PaperAccountRow>,
    /// Positions of the simulated accounts, each with the identifier of its account and its value in the currency of
    /// the account.
    pub paper_positions: Vec<(Uuid, Valued<PaperPosition>)>,
}

/// An account, holding or position with its value in the currency of the total that includes it. The value is rounded
/// once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued<T> {
    /// The account, holding or position itself.
    pub entry: T,
    /// Value in hundredths of the total's currency; none if a price or an exchange rate is missing.
    pub converted_cents: Option<i64>,
}

/// A wallet without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalletRow {
    /// Identifier of the wallet.
    pub id: Uuid,
    /// Name that the owner gave the wallet.
    pub name: String,
    /// Network of the wallet, such as `BITCOIN`.
    pub network: String,
    /// Start and end of the public address, such as `bc1q…9x3f`.
    pub address_masked: Option<String>,
    /// Time of the last update of the wallet's contents.
    pub updated_at: UtcTimestamp,
}

/// A simulated account without its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PaperAccountRow {
    /// Identifier of the account.
    pub id: Uuid,
    /// Name of the account.
    pub name: String,
    /// Provider of the simulation, such as `ALPACA`.
    pub provider: String,
    /// Currency of the account.
    pub currency: Currency,
    /// Simulated cash, in hundredths of `currency`.
    pub cash_cents: i64,
    /// Simulated cash with which the account began, in hundredths of `currency`.
    pub starting_balance_cents: i64,
    /// Time of the last update of the account's contents.
    pub updated_at: UtcTimestamp,
}

impl WalletRow {
    /// Creates a wallet without an address.
    pub fn new(
        id: Uuid,
        name: impl Into<String>,
        network: impl Into<String>,
        updated_at: UtcTimestamp,
    ) -> WalletRow {
        WalletRow { id, name: name.into(), network: network.into(), address_masked: None, updated_at }
    }
}

impl PaperAccountRow {
    /// Creates a simulated account that has the cash with which it began.
    pub fn new(
        id: Uuid,
        name: impl Into<String>,
        provider: impl Into<String>,
        cash: Money,
        updated_at: UtcTimestamp,
    ) -> PaperAccountRow {
        PaperAccountRow {
            id,
            name: name.into(),
            provider: provider.into(),
            currency: cash.currency,
            cash_cents: cash.amount_cents,
            starting_balance_cents: cash.amount_cents,
            updated_at,
        }
    }
}
