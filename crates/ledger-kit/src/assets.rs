//! Banks, accounts and wallets in memory.
//!
//! [`Valuation`] has one method per method of [`Ledger`](passbook_domain::ports::Ledger) that reads banks or the
//! portfolio. The database computes the same by other means.

mod balances;
mod history;
mod holdings;
mod quantity;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::balance::AccountBalances;
use passbook_domain::bank::Bank;
use passbook_domain::decimal::DecimalText;
use passbook_domain::period::days_between;
use passbook_domain::person::Person;
use passbook_domain::portfolio::{
    Account, PaperAccountRow, PortfolioRows, PositionSide, SecurityType, Valued, WalletRow,
};
use passbook_domain::ports::ReadError;
use passbook_domain::transaction::Transaction;
use passbook_domain::{Currency, Invalid, Money};
use uuid::Uuid;

use crate::rates::Rates;

/// The banks, accounts and wallets of one person, as a ledger stores them, in any order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Assets {
    /// Banks. A valuation computes the number of accounts and the days since the last update.
    pub banks: Vec<Bank>,
    /// Accounts, closed ones included.
    pub accounts: Vec<StoredAccount>,
    /// Securities in accounts and wallets.
    pub securities: Vec<StoredSecurity>,
    /// Wallets.
    pub wallets: Vec<StoredWallet>,
    /// Simulated accounts.
    pub paper_accounts: Vec<PaperAccountRow>,
    /// Positions of simulated accounts.
    pub paper_positions: Vec<StoredPosition>,
}

/// An account with its past.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredAccount {
    /// Identifier of the bank.
    pub bank: Uuid,
    /// The account, with its present balance if a source states one. A valuation computes the balance of today and
    /// `has_holdings`.
    pub account: Account,
    /// The day before which the balance was 0.
    pub opened_on: Option<Date>,
    /// First day on which the account is closed.
    pub closed_on: Option<Date>,
    /// First day from which on the ledger has every transaction.
    pub rows_complete_from: Option<Date>,
    /// Balances in hundredths of the account's currency, each by the day at whose end it was the balance.
    pub balances: BTreeMap<Date, i64>,
    /// Securities in the account, by identifier, with their quantities. The balance includes their value.
    pub quantities: BTreeMap<Uuid, DecimalText>,
    /// Prices that were paid for all units of a security, in hundredths of its currency.
    pub cost_bases: BTreeMap<Uuid, i64>,
}

impl StoredAccount {
    /// Creates an open account without a past and without securities.
    pub fn new(bank: Uuid, account: Account) -> StoredAccount {
        StoredAccount {
            bank,
            account,
            opened_on: None,
            closed_on: None,
            rows_complete_from: None,
            balances: BTreeMap::new(),
            quantities: BTreeMap::new(),
            cost_bases: BTreeMap::new(),
        }
    }

    fn is_open(&self, day: Date) -> bool {
        self.closed_on.is_none_or(|closed| closed > day)
    }

    fn has_holdings(&self) -> bool {
        self.quantities.values().any(|quantity| !quantity::is_zero(quantity))
    }
}

/// A security with its prices.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredSecurity {
    /// Identifier of the security.
    pub id: Uuid,
    /// Name of the security.
    pub name: String,
    /// Kind of the security.
    pub r#type: SecurityType,
    /// Currency of the prices.
    pub currency: Currency,
    /// Symbol under which the security trades.
    pub symbol: Option<String>,
    /// International Securities Identification Number.
    pub isin: Option<String>,
    /// True if the security is as good as cash, such as shares of a money market fund.
    pub is_cash_equivalent: bool,
    /// Closing prices of one unit, in major units of the currency.
    pub prices: BTreeMap<Date, DecimalText>,
}

impl StoredSecurity {
    /// Creates a security without a symbol and without prices.
    pub fn new(id: Uuid, name: impl Into<String>, r#type: SecurityType, currency: Currency) -> Self {
        StoredSecurity {
            id,
            name: name.into(),
            r#type,
            currency,
            symbol: None,
            isin: None,
            is_cash_equivalent: false,
            prices: BTreeMap::new(),
        }
    }

    /// Returns the last price on or before a day, with its day.
    fn price(&self, day: Date) -> Option<(Date, &DecimalText)> {
        self.prices.range(..=day).next_back().map(|(day, price)| (*day, price))
    }
}

/// A wallet with its past.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredWallet {
    /// The wallet.
    pub wallet: WalletRow,
    /// Quantities by security, each by the day from which on the wallet holds the quantity.
    pub quantities: BTreeMap<Uuid, BTreeMap<Date, DecimalText>>,
}

impl StoredWallet {
    /// Creates an empty wallet.
    pub fn new(wallet: WalletRow) -> StoredWallet {
        StoredWallet { wallet, quantities: BTreeMap::new() }
    }
}

/// A position of a simulated account.
#[derive(Clone, Debug)]
pub struct StoredPosition {
    /// Identifier of the simulated account.
    pub account: Uuid,
    /// Identifier of the security.
    pub security: Uuid,
    /// Long or short.
    pub side: PositionSide,
    /// Number of units, without a sign.
    pub quantity: DecimalText,
    /// Average price of one unit, in major units of the security's currency.
    pub average_entry_price: DecimalText,
}

/// The assets of one person, with the settings and the exchange rates that their values depend on.
///
/// Each balance and each holding is converted at the rates of the day of the query, rounded once, and then added up.
/// So accounts, banks, the portfolio and the history agree to the cent.
#[derive(Clone, Copy, Debug)]
pub struct Valuation<'a> {
    assets: &'a Assets,
    rows: &'a [Transaction],
    person: &'a Person,
    rates: &'a Rates,
}

impl<'a> Valuation<'a> {
    /// Takes the assets and the transactions of a person.
    pub fn new(
        assets: &'a Assets,
        rows: &'a [Transaction],
        person: &'a Person,
        rates: &'a Rates,
    ) -> Valuation<'a> {
        Valuation { assets, rows, person, rates }
    }

    /// Returns the banks, sorted by name, with the number of accounts that are not closed and the days since the last
    /// update. `day_of` returns the day of a time in the person's time zone. An update after today is one of today.
    pub fn banks(&self, day_of: impl Fn(Timestamp) -> Date) -> Vec<Bank> {
        let today = self.person.today;
        let mut banks = self.assets.banks.clone();
        for bank in &mut banks {
            let own = self.assets.accounts.iter().filter(|account| account.bank == bank.id);
            let balances: Vec<(AccountBalances, bool)> =
                own.map(|account| (self.balances(account, &day_of), account.is_open(today))).collect();
            bank.add_accounts(balances.iter().map(|(balances, is_open)| (balances, *is_open)));
            bank.days_since_update = bank.last_successful_update.map(|time| {
                let day = day_of(time.timestamp());
                // Both ends count in `days_between`.
                i32::try_from(days_between(day, today) - 1).unwrap_or(i32::MAX).max(0)
            });
        }
        banks.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
        banks
    }

    /// Returns the portfolio of today. Closed accounts are left out. `day_of` is that of [`Valuation::banks`].
    ///
    /// # Errors
    /// [`ReadError::Broken`] if a value has too many digits.
    pub fn portfolio(&self, day_of: impl Fn(Timestamp) -> Date) -> Result<PortfolioRows, ReadError> {
        let (mut wallets, mut paper_accounts) = (self.wallet_rows(), self.assets.paper_accounts.clone());
        wallets.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
        paper_accounts.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
        let mut rows = PortfolioRows::default();
        rows.banks = self.banks(&day_of);
        rows.accounts = self.accounts(&day_of);
        rows.holdings = self.holdings()?;
        rows.wallets = wallets;
        rows.wallet_holdings = self.wallet_holdings()?;
        rows.paper_accounts = paper_accounts;
        rows.paper_positions = self.paper_positions()?;
        Ok(rows)
    }

    fn open_accounts(&self) -> impl Iterator<Item = &'a StoredAccount> {
        let today = self.person.today;
        self.assets.accounts.iter().filter(move |account| account.is_open(today))
    }

    fn wallet_rows(&self) -> Vec<WalletRow> {
        self.assets.wallets.iter().map(|stored| stored.wallet.clone()).collect()
    }

    /// Returns the open accounts, largest balance first, accounts without a rate last.
    fn accounts(&self, day_of: &impl Fn(Timestamp) -> Date) -> Vec<(Uuid, Valued<Account>)> {
        let today = self.person.today;
        let mut accounts: Vec<(Uuid, Valued<Account>)> = self
            .open_accounts()
            .map(|stored| {
                let (balances, mut entry) = (self.balances(stored, day_of), stored.account.clone());
                let balance = balances.on(today);
                entry.has_holdings = stored.has_holdings();
                entry.balance_cents = balance.map(|balance| balance.cents);
                entry.estimated = balance.is_some_and(|balance| balance.estimated);
                entry.balance_as_of = balances.as_of();
                let converted_cents = entry.balance().and_then(|balance| self.converted(balance, today));
                (stored.bank, Valued { entry, converted_cents })
            })
            .collect();
        accounts.sort_by_cached_key(|(_, account)| {
            (Reverse(account.converted_cents), account.entry.name.clone(), account.entry.id)
        });
        accounts
    }

    /// Converts an amount to the preferred currency at the rates of a day; none without a rate.
    fn converted(&self, amount: Money, day: Date) -> Option<i64> {
        self.rates.convert(amount, self.person.preferred_currency, day)
    }

    /// Returns the security with an identifier.
    fn security(&self, id: Uuid) -> Result<&'a StoredSecurity, ReadError> {
        let found = self.assets.securities.iter().find(|security| security.id == id);
        found.ok_or_else(|| broken(Invalid::new(format!("the assets have no security {id}"))))
    }
}

fn broken(error: Invalid) -> ReadError {
    ReadError::Broken(Box::new(error))
}
