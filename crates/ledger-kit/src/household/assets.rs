//! Random banks, accounts, securities, wallets and simulated accounts of a person.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::Money;
use passbook_domain::bank::{Bank, BankStatus};
use passbook_domain::decimal::DecimalText;
use passbook_domain::portfolio::{
    Account, AccountType, PaperAccountRow, PositionSide, SecurityType, WalletRow,
};
use passbook_domain::timestamp::UtcTimestamp;
use uuid::Uuid;

use super::{Random, TODAY, any_currency, day};
use crate::assets::{StoredAccount, StoredPosition, StoredSecurity, StoredWallet};
use crate::data::StoredPerson;

/// Largest age of balances, prices and quantities, in days.
const OLDEST_DAYS: usize = 150;
const CENTS_MAX: i64 = 900_000_000;
/// Hundred-millionths in one unit.
const PARTS: i64 = 100_000_000;

pub(super) fn add(random: &mut Random, person: &mut StoredPerson) {
    let banks = 1 + random.below(3);
    for number in 0..banks {
        person.assets.banks.push(bank(random, id(0x2000, number), number));
    }
    for number in 0..1 + random.below(6) {
        let bank = person.assets.banks[random.below(banks)].id;
        person.assets.accounts.push(account(random, bank, number));
    }
    for number in 0..random.below(6) {
        let security = security(random, number);
        let security_id = security.id;
        person.assets.securities.push(security);
        for account in &mut person.assets.accounts {
            if random.one_in(4) {
                account.quantities.insert(security_id, quantity(random, -2));
                if random.one_in(2) {
                    account.cost_bases.insert(security_id, random.between(0, CENTS_MAX));
                }
            }
        }
    }
    let securities: Vec<Uuid> = person.assets.securities.iter().map(|security| security.id).collect();
    for number in 0..random.below(3) {
        let name = format!("Wallet {}", random.below(9));
        let mut wallet = StoredWallet::new(WalletRow::new(id(0x4000, number), name, "BITCOIN", updated()));
        for security in &securities {
            if random.one_in(2) {
                continue;
            }
            let held =
                (0..random.below(5)).map(|_| (day(random, OLDEST_DAYS), quantity(random, 0))).collect();
            wallet.quantities.insert(*security, held);
        }
        person.assets.wallets.push(wallet);
    }
    for number in 0..random.below(3) {
        let cash = Money::new(random.between(0, CENTS_MAX), any_currency(random));
        let account = id(0x5000, number);
        let row = PaperAccountRow::new(account, format!("Paper {number}"), "ALPACA", cash, updated());
        person.assets.paper_accounts.push(row);
        for security in &securities {
            person.assets.paper_positions.push(StoredPosition {
                account,
                security: *security,
                side: *random.pick(&[PositionSide::Long, PositionSide::Short]),
                quantity: quantity(random, 0),
                average_entry_price: decimal(random.between(0, 900 * PARTS)),
            });
        }
    }
}

fn bank(random: &mut Random, id: Uuid, number: usize) -> Bank {
    let states =
        [BankStatus::Connected, BankStatus::NeedsUpdate, BankStatus::Disconnected, BankStatus::Manual];
    let mut bank = Bank::new(id, format!("Bank {}", random.below(5) + number), *random.pick(&states));
    bank.new_accounts_available = random.one_in(3);
    bank.error_code = random.one_in(3).then(|| "LOGIN_REQUIRED".to_owned());
    let mut time = || {
        let hours = i32::try_from(random.below(150)).expect("few hours");
        let time = TODAY.at(23, 30, 0, 0).to_zoned(TimeZone::UTC).expect("a time") - hours.hours();
        (!random.one_in(4)).then(|| UtcTimestamp::from(time.timestamp()))
    };
    bank.last_successful_update = time();
    bank.last_failed_update = time();
    bank.consent_expires_at = time();
    bank
}

fn account(random: &mut Random, bank: Uuid, number: usize) -> StoredAccount {
    let types = [AccountType::Depository, AccountType::Credit, AccountType::Investment, AccountType::Other];
    let (cents, currency) = (random.between(-CENTS_MAX, CENTS_MAX), any_currency(random));
    let name = format!("Account {}", random.below(9));
    let account = Account::new(id(0x1000, number), name, *random.pick(&types), currency);
    let mut account = if random.one_in(5) { account } else { account.with_balance(cents, updated()) };
    account.subtype = "checking".to_owned();
    let mut stored = StoredAccount::new(bank, account);
    stored.closed_on = random.one_in(4).then(|| day(random, OLDEST_DAYS));
    stored.opened_on = random.one_in(4).then(|| day(random, OLDEST_DAYS));
    stored.opened_on =
        stored.opened_on.filter(|opened| stored.closed_on.is_none_or(|closed| *opened <= closed));
    stored.rows_complete_from = random.one_in(3).then(|| day(random, OLDEST_DAYS));
    stored.balances = (0..random.below(8))
        .map(|_| (day(random, OLDEST_DAYS), random.between(-CENTS_MAX, CENTS_MAX)))
        .collect();
    stored
}

fn security(random: &mut Random, number: usize) -> StoredSecurity {
    let types = [SecurityType::Etf, SecurityType::Equity, SecurityType::Cryptocurrency];
    let name = format!("Security {}", random.below(9));
    let code = any_currency(random);
    let mut security = StoredSecurity::new(id(0x3000, number), name, *random.pick(&types), code);
    security.symbol = random.one_in(2).then(|| format!("SYM{number}"));
    security.is_cash_equivalent = random.one_in(5);
    let prices: BTreeMap<Date, DecimalText> = (0..random.below(8))
        .map(|_| (day(random, OLDEST_DAYS), decimal(random.between(0, 900 * PARTS))))
        .collect();
    security.prices = prices;
    security
}

/// Returns 0, or a number of units from `least` on.
fn quantity(random: &mut Random, least: i64) -> DecimalText {
    if random.one_in(5) { decimal(0) } else { decimal(random.between(least * PARTS, 900 * PARTS)) }
}

fn decimal(parts: i64) -> DecimalText {
    let (sign, magnitude) = if parts < 0 { ("-", -parts) } else { ("", parts) };
    let text = format!("{sign}{}.{:08}", magnitude / PARTS, magnitude % PARTS);
    DecimalText::parse(&text).expect("a decimal")
}

fn updated() -> UtcTimestamp {
    let time = TODAY.at(6, 0, 0, 0).to_zoned(TimeZone::UTC).expect("a time");
    UtcTimestamp::from(time.timestamp())
}

fn id(from: u128, number: usize) -> Uuid {
    Uuid::from_u128(from + number as u128)
}
