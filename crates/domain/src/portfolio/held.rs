//! What a ledger knows of a portfolio, before anything is added up.

use uuid::Uuid;

use super::{Account, Holding, PaperPosition, WalletHolding};
use crate::bank::Bank;
use crate::currency::Currency;
use crate::moment::Moment;

/// All of it, in the order in which to show it: the most valuable first, institutions, wallets and simulated accounts
/// by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Every institution.
    pub banks: Vec<Bank>,
    /// Open accounts, each with its institution, worth their balance in the preferred currency.
    pub accounts: Vec<(Uuid, Worth<Account>)>,
    /// What they hold, each with its institution.
    pub holdings: Vec<(Uuid, Holding)>,
    /// Wallets.
    pub wallets: Vec<HeldWallet>,
    /// What they hold, each with its wallet, worth its value in the preferred currency.
    pub wallet_holdings: Vec<(Uuid, Worth<WalletHolding>)>,
    /// Simulated accounts.
    pub paper_accounts: Vec<HeldPaperAccount>,
    /// Their positions, each with its simulated account, worth their value in that account's currency.
    pub paper_positions: Vec<(Uuid, Worth<PaperPosition>)>,
}

/// Something with its value in the currency of the total it belongs to, rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth<T> {
    /// What it is.
    pub of: T,
    /// In cents of the total's currency; none without a price or a rate.
    pub converted_cents: Option<i64>,
}

/// A wallet without what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldWallet {
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The network it is on.
    pub network: String,
    /// The ends of its public address.
    pub address_masked: Option<String>,
    /// When its contents were known to be these.
    pub updated_at: Moment,
}

/// A simulated account without its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPaperAccount {
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Who simulates it.
    pub provider: String,
    /// Its currency.
    pub currency: Currency,
    /// Simulated cash, in hundredths of `currency`.
    pub cash_cents: i64,
    /// The cash it began with.
    pub starting_balance_cents: i64,
    /// When its contents were known to be these.
    pub updated_at: Moment,
}
