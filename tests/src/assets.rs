//! Records of a household besides transactions: banks, balances, securities, wallets and simulated accounts.

use jiff::Timestamp;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::{AccountType, PositionSide, SecurityType};
use passbook_records::record::{
    Account, BalanceSnapshot, Bank, Holding, PaperAccount, PaperPosition, Record, Security, SecurityPrice,
    Wallet, WalletHolding,
};
use uuid::Uuid;

use crate::household::{day, decimal, parse_currency};

/// The time of the last update of every bank, balance, wallet and simulated account.
pub const UPDATED: &str = "2026-11-20T18:30:00Z";

/// A builder of the records of one user. Identifiers are derived from the user and the name, so they are the same in
/// every run with the same user.
#[derive(Clone, Debug)]
pub struct Assets {
    user_id: Uuid,
    /// The records built so far.
    pub records: Vec<Record>,
}

impl Assets {
    /// Creates a builder without records.
    pub fn new(user_id: Uuid) -> Assets {
        Assets { user_id, records: Vec::new() }
    }

    /// Creates a builder with one asset of each kind, each with a value.
    pub fn one_of_each(user_id: Uuid) -> Assets {
        let mut assets = Assets::new(user_id);
        let bank = assets.bank("Seaside Bank", BankStatus::Connected);
        let account_id = assets.account(bank, "Depot", AccountType::Investment, 1_000_000, "EUR");
        assets.snapshot(account_id, "2026-11-01", 990_000);
        let security_id = assets.id("security", "VWCE");
        let wallet_id = assets.id("wallet", "Cold wallet");
        let paper_account_id = assets.id("paper account", "Paper 1");
        assets.records.extend([
            Record::Security(Security {
                user_id,
                security_id,
                name: "VWCE itself".to_owned(),
                security_type: SecurityType::Etf,
                currency: Currency::EUR,
                symbol: Some("VWCE".to_owned()),
                isin: None,
                is_cash_equivalent: false,
            }),
            Record::SecurityPrice(SecurityPrice {
                user_id,
                security_id,
                as_of: day("2026-11-20"),
                price: decimal("127.52"),
            }),
            Record::Holding(Holding {
                user_id,
                account_id,
                security_id,
                quantity: decimal("61"),
                cost_basis_cents: None,
            }),
            Record::Wallet(Wallet {
                user_id,
                wallet_id,
                name: "Cold wallet".to_owned(),
                network: "BITCOIN".to_owned(),
                address: Some("bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkf9x3f".to_owned()),
                updated_at: updated(),
            }),
            Record::WalletHolding(WalletHolding {
                user_id,
                wallet_id,
                security_id,
                as_of: day("2026-01-01"),
                quantity: decimal("2.5"),
            }),
            Record::PaperAccount(PaperAccount {
                user_id,
                paper_account_id,
                name: "Paper 1".to_owned(),
                provider: "ALPACA".to_owned(),
                currency: Currency::EUR,
                cash_cents: 1_250_000,
                starting_balance_cents: 10_000_000,
                updated_at: updated(),
            }),
            Record::PaperPosition(PaperPosition {
                user_id,
                paper_account_id,
                security_id,
                side: PositionSide::Long,
                quantity: decimal("10"),
                average_entry_price: decimal("100.00"),
            }),
        ]);
        assets
    }

    /// Adds a bank, last updated at [`UPDATED`]. Returns its identifier.
    pub fn bank(&mut self, name: &str, status: BankStatus) -> Uuid {
        let bank_id = self.id("bank", name);
        self.records.push(Record::Bank(Bank {
            status,
            last_successful_update: Some(updated()),
            ..Bank::manual(self.user_id, bank_id, name)
        }));
        bank_id
    }

    /// Adds an account with a current balance. Returns its identifier.
    pub fn account(
        &mut self,
        bank_id: Uuid,
        name: &str,
        account_type: AccountType,
        balance_cents: i64,
        currency: &str,
    ) -> Uuid {
        let account_id = self.id("account", name);
        self.records.push(Record::Account(Account {
            user_id: self.user_id,
            account_id,
            bank_id,
            name: name.to_owned(),
            account_type,
            subtype: "brokerage".to_owned(),
            currency: parse_currency(currency),
            balance_cents: Some(balance_cents),
            balance_updated_at: Some(updated()),
            opened_on: None,
            closed_on: None,
            rows_complete_from: None,
            source: None,
        }));
        account_id
    }

    /// Adds the balance of an account at the end of a day.
    pub fn snapshot(&mut self, account_id: Uuid, date: &str, balance_cents: i64) {
        let snapshot = BalanceSnapshot { user_id: self.user_id, account_id, as_of: day(date), balance_cents };
        self.records.push(Record::BalanceSnapshot(snapshot));
    }

    fn id(&self, kind: &str, name: &str) -> Uuid {
        Uuid::new_v5(&self.user_id, format!("{kind} {name}").as_bytes())
    }
}

fn updated() -> Timestamp {
    UPDATED.parse().expect("a timestamp")
}
