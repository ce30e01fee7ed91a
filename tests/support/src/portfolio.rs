//! Banks, accounts, wallets and simulated accounts for tests.

use jiff::Timestamp;
use passbook_domain::bank::{Bank, BankStatus};
use passbook_domain::decimal::DecimalText;
use passbook_domain::portfolio::{
    Account, AccountType, PaperAccountRow, PaperPosition, PositionSide, Valued, WalletHolding, WalletRow,
};
use passbook_domain::timestamp::UtcTimestamp;
use passbook_domain::{Currency, Money};
use uuid::Uuid;

fn moment() -> UtcTimestamp {
    UtcTimestamp::from(Timestamp::UNIX_EPOCH)
}

fn one() -> DecimalText {
    DecimalText::parse("1").expect("a decimal")
}

/// A bank without accounts that was updated today.
pub fn bank(id: u128, name: &str, status: BankStatus) -> Bank {
    let mut bank = Bank::new(Uuid::from_u128(id), name, status);
    bank.days_since_update = Some(0);
    bank
}

/// Creates an account at a bank. `balance_cents` is in `currency`; `converted_cents` is the balance in the currency of
/// the total, `None` without an exchange rate.
pub fn account(
    bank: u128,
    currency: Currency,
    balance_cents: i64,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<Account>) {
    let balance = Money::new(balance_cents, currency);
    let account = Account::new(Uuid::nil(), "Account", AccountType::Depository, balance, moment());
    (Uuid::from_u128(bank), Valued { entry: account, converted_cents })
}

/// An empty wallet.
pub fn wallet(id: u128, name: &str) -> WalletRow {
    WalletRow::new(Uuid::from_u128(id), name, "BITCOIN", moment())
}

/// A holding of a wallet, with its value and the same in the currency of the total. A holding without a price has no
/// value.
pub fn wallet_holding(
    wallet: u128,
    currency: Currency,
    value_cents: Option<i64>,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<WalletHolding>) {
    let mut holding = WalletHolding::new("Coin", one(), currency);
    holding.value_cents = value_cents;
    (Uuid::from_u128(wallet), Valued { entry: holding, converted_cents })
}

/// A simulated account with cash.
pub fn paper_account(id: u128, currency: Currency, cash_cents: i64) -> PaperAccountRow {
    let cash = Money::new(cash_cents, currency);
    PaperAccountRow::new(Uuid::from_u128(id), "Simulation", "ALPACA", cash, moment())
}

/// A position of a simulated account, with its value and the same in the account's currency. A position without a price
/// has no value.
pub fn paper_position(
    account: u128,
    currency: Currency,
    market_value_cents: Option<i64>,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<PaperPosition>) {
    let cost_basis = Money::new(0, currency);
    let mut position = PaperPosition::new(Uuid::nil(), PositionSide::Long, one(), one(), cost_basis);
    position.market_value_cents = market_value_cents;
    (Uuid::from_u128(account), Valued { entry: position, converted_cents })
}
