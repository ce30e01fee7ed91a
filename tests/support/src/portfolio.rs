//! Banks, accounts, wallets and simulated accounts for tests.

use domain::Currency;
use domain::bank::{Bank, BankStatus};
use domain::decimal::DecimalText;
use domain::portfolio::{
    Account, AccountType, PaperAccountRow, PaperPosition, PositionSide, Valued, WalletHolding, WalletRow,
};
use domain::timestamp::UtcTimestamp;
use jiff::Timestamp;
use uuid::Uuid;

fn moment() -> UtcTimestamp {
    UtcTimestamp::from(Timestamp::UNIX_EPOCH)
}

fn one() -> DecimalText {
    DecimalText::parse("1").expect("a decimal")
}

/// A bank without accounts that was updated today.
pub fn bank(id: u128, name: &str, status: BankStatus) -> Bank {
    Bank {
        id: Uuid::from_u128(id),
        name: name.to_owned(),
        status,
        new_accounts_available: false,
        account_count: 0,
        last_successful_update: None,
        last_failed_update: None,
        consent_expires_at: None,
        error_code: None,
        days_since_update: Some(0),
        reconciled_through: None,
    }
}

/// Creates an account at a bank. `balance_cents` is in `currency`; `converted_cents` is the balance in the currency of
/// the total, `None` without an exchange rate.
pub fn account(
    bank: u128,
    currency: Currency,
    balance_cents: i64,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<Account>) {
    let account = Account {
        id: Uuid::nil(),
        name: "Account".to_owned(),
        r#type: AccountType::Depository,
        subtype: "checking".to_owned(),
        balance_cents,
        currency,
        updated_at: moment(),
        has_holdings: false,
    };
    (Uuid::from_u128(bank), Valued { entry: account, converted_cents })
}

/// An empty wallet.
pub fn wallet(id: u128, name: &str) -> WalletRow {
    WalletRow {
        id: Uuid::from_u128(id),
        name: name.to_owned(),
        network: "BITCOIN".to_owned(),
        address_masked: None,
        updated_at: moment(),
    }
}

/// A holding of a wallet, with its value and the same in the currency of the total. A holding without a price has no
/// value.
pub fn wallet_holding(
    wallet: u128,
    currency: Currency,
    value_cents: Option<i64>,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<WalletHolding>) {
    let holding = WalletHolding {
        symbol: None,
        name: "Coin".to_owned(),
        quantity: one(),
        price: None,
        value_cents,
        currency,
        price_as_of: None,
    };
    (Uuid::from_u128(wallet), Valued { entry: holding, converted_cents })
}

/// A simulated account with cash.
pub fn paper_account(id: u128, currency: Currency, cash_cents: i64) -> PaperAccountRow {
    PaperAccountRow {
        id: Uuid::from_u128(id),
        name: "Simulation".to_owned(),
        provider: "ALPACA".to_owned(),
        currency,
        cash_cents,
        starting_balance_cents: cash_cents,
        updated_at: moment(),
    }
}

/// A position of a simulated account, with its value and the same in the account's currency. A position without a price
/// has no value.
pub fn paper_position(
    account: u128,
    currency: Currency,
    market_value_cents: Option<i64>,
    converted_cents: Option<i64>,
) -> (Uuid, Valued<PaperPosition>) {
    let position = PaperPosition {
        security_id: Uuid::nil(),
        symbol: None,
        side: PositionSide::Long,
        quantity: one(),
        average_entry_price: one(),
        market_price: None,
        market_value_cents,
        cost_basis_cents: 0,
        unrealized_pl_cents: None,
        currency,
    };
    (Uuid::from_u128(account), Valued { entry: position, converted_cents })
}
