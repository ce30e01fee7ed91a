//! The rows of a portfolio as a ledger returns them. `operations` adds them up.

use uuid::Uuid;

use super::account::Account;
use super::holding::Holding;
use super::paper::PaperPosition;
use super::wallet::WalletHolding;
use crate::bank::Bank;
use crate::currency::Currency;
use crate::timestamp::UtcTimestamp;

/// The rows of a portfolio, each list in the order in which it is shown: accounts and holdings by value, largest first;
/// institutions, wallets and simulated accounts by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortfolioRows {
    /// All institutions.
    pub banks: Vec<Bank>,
    /// Open accounts, each with the identifier of its institution. The value is the balance in the preferred currency.
    pub accounts: Vec<(Uuid, Valued<Account>)>,
    /// Securities in these accounts, each with the identifier of its institution.
    pub holdings: Vec<(Uuid, Holding)>,
    /// All wallets.
    pub wallets: Vec<WalletRow>,
    /// Contents of the wallets, each with the identifier of its wallet. The value is in the preferred currency.
    pub wallet_holdings: Vec<(Uuid, Valued<WalletHolding>)>,
    /// All simulated accounts.
    pub paper_accounts: Vec<PaperAccountRow>,
    /// Positions of the simulated accounts, each with the identifier of its account. The value is in the account's
    /// currency.
    pub paper_positions: Vec<(Uuid, Valued<PaperPosition>)>,
}

/// A row with its value in the currency of the total that includes the row. The value is rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued<T> {
    /// The row itself.
    pub entry: T,
    /// Value in cents of the total's currency; none if a price or an exchange rate is missing.
    pub converted_cents: Option<i64>,
}

/// A wallet without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletRow {
    /// Identifier of the wallet.
    pub id: Uuid,
    /// Name given by the owner.
    pub name: String,
    /// Network of the wallet, such as `BITCOIN`.
    pub network: String,
    /// Start and end of the public address, such as `bc1q…9x3f`.
    pub address_masked: Option<String>,
    /// Time of the last update of the contents.
    pub updated_at: UtcTimestamp,
}

/// A simulated account without its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Simulated cash at the start, in hundredths of `currency`.
    pub starting_balance_cents: i64,
    /// Time of the last update of the contents.
    pub updated_at: UtcTimestamp,
}
