//! The banks, accounts and wallets of the sample, read from `data/assets.tsv`.

use jiff::Timestamp;
use passbook_domain::Money;
use passbook_domain::bank::{Bank, BankStatus};
use passbook_domain::decimal::DecimalText;
use passbook_domain::portfolio::{
    Account, AccountType, PaperAccountRow, PositionSide, SecurityType, WalletRow,
};
use passbook_domain::timestamp::UtcTimestamp;

use super::{account_id, currency, day, id, lines};
use crate::assets::{Assets, StoredAccount, StoredPosition, StoredSecurity, StoredWallet};

const ASSETS: &str = include_str!("../../data/assets.tsv");

/// Identifiers of banks, securities, wallets and simulated accounts start after these numbers.
const BANKS_FROM: u128 = 0x2000;
const SECURITIES_FROM: u128 = 0x3000;
const WALLETS_FROM: u128 = 0x4000;
const PAPER_ACCOUNTS_FROM: u128 = 0x5000;
/// The time of the last update of every balance, wallet and simulated account.
const UPDATED_AT: &str = "2026-03-31T06:00:00Z";

/// Returns the assets of a person.
pub(super) fn assets(person: &str) -> Assets {
    let mut assets = Assets::default();
    for fields in lines(ASSETS).filter(|fields| fields[1] == person) {
        match (fields[0], &fields[2..]) {
            ("bank", [number, name, status, updated, code]) => {
                let status = BankStatus::parse(status).expect("a status");
                let mut bank = Bank::new(id(BANKS_FROM, number), *name, status);
                bank.last_successful_update = present(updated).map(timestamp);
                bank.error_code = present(code).map(str::to_owned);
                assets.banks.push(bank);
            }
            ("account", [number, bank, name, kind, code, cents, closed_on]) => {
                let kind = AccountType::parse(kind).expect("a type");
                let mut account = Account::new(account_id(number), *name, kind, currency(code));
                if let Some(cents) = present(cents) {
                    account = account.with_balance(money(cents, code).amount_cents, timestamp(UPDATED_AT));
                }
                let mut stored = StoredAccount::new(id(BANKS_FROM, bank), account);
                stored.closed_on = present(closed_on).map(day);
                assets.accounts.push(stored);
            }
            ("balance", [number, date, cents]) => {
                let account = account(&mut assets.accounts, number);
                account.balances.insert(day(date), cents.parse().expect("cents"));
            }
            ("security", [number, name, kind, code]) => {
                let kind = SecurityType::parse(kind).expect("a type");
                let number = id(SECURITIES_FROM, number);
                assets.securities.push(StoredSecurity::new(number, *name, kind, currency(code)));
            }
            ("price", [number, date, price]) => {
                let number = id(SECURITIES_FROM, number);
                let security = assets.securities.iter_mut().find(|security| security.id == number);
                security.expect("a listed security").prices.insert(day(date), decimal(price));
            }
            ("holding", [number, security, quantity]) => {
                let account = account(&mut assets.accounts, number);
                account.quantities.insert(id(SECURITIES_FROM, security), decimal(quantity));
            }
            ("wallet", [number, name, network]) => {
                let wallet = WalletRow::new(id(WALLETS_FROM, number), *name, *network, timestamp(UPDATED_AT));
                assets.wallets.push(StoredWallet::new(wallet));
            }
            ("quantity", [number, security, date, quantity]) => {
                let number = id(WALLETS_FROM, number);
                let wallet = assets.wallets.iter_mut().find(|stored| stored.wallet.id == number);
                let quantities = &mut wallet.expect("a listed wallet").quantities;
                let security = quantities.entry(id(SECURITIES_FROM, security)).or_default();
                security.insert(day(date), decimal(quantity));
            }
            ("paper", [number, name, provider, code, cents]) => {
                let (number, cash) = (id(PAPER_ACCOUNTS_FROM, number), money(cents, code));
                let account = PaperAccountRow::new(number, *name, *provider, cash, timestamp(UPDATED_AT));
                assets.paper_accounts.push(account);
            }
            ("position", [number, security, side, quantity, price]) => {
                assets.paper_positions.push(StoredPosition {
                    account: id(PAPER_ACCOUNTS_FROM, number),
                    security: id(SECURITIES_FROM, security),
                    side: PositionSide::parse(side).expect("a side"),
                    quantity: decimal(quantity),
                    average_entry_price: decimal(price),
                });
            }
            _ => panic!("{fields:?}"),
        }
    }
    assets
}

fn account<'a>(accounts: &'a mut [StoredAccount], number: &str) -> &'a mut StoredAccount {
    let number = account_id(number);
    accounts.iter_mut().find(|stored| stored.account.id == number).expect("a listed account")
}

fn present(text: &'static str) -> Option<&'static str> {
    (text != "-").then_some(text)
}

fn money(cents: &str, code: &str) -> Money {
    Money::new(cents.parse().expect("cents"), currency(code))
}

fn decimal(text: &str) -> DecimalText {
    DecimalText::parse(text).expect("a decimal")
}

fn timestamp(text: &str) -> UtcTimestamp {
    UtcTimestamp::from(text.parse::<Timestamp>().expect("a timestamp"))
}
