//! Data of `ledger-kit` as records, and a store that has loaded them.

use std::sync::Arc;

use passbook_domain::category::Category;
use passbook_domain::decimal::DecimalText;
use passbook_ledger_kit::assets::{StoredAccount, StoredSecurity, StoredWallet};
use passbook_ledger_kit::{LedgerData, StoredPerson};
use passbook_records::record::{
    Account, BalanceSnapshot, Bank, Budget, ExchangeRate, Holding, OwnCategory, PaperAccount, PaperPosition,
    Record, Security, SecurityPrice, Transaction, User, Wallet, WalletHolding,
};
use passbook_store::{Store, StoreConfig};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::database::Database;
use crate::household::decimal;

/// Returns the base currency and the exchange rates.
pub fn rates(data: &LedgerData) -> Vec<Record> {
    let rates = data.rates.iter().map(|rate| {
        let units_per_base = decimal(&rate.units_per_base);
        Record::ExchangeRate(ExchangeRate { currency: rate.currency, as_of: rate.day, units_per_base })
    });
    [Record::RateBase(data.base)].into_iter().chain(rates).collect()
}

/// Gives the tags of rows the identifiers that a load derives from their names.
pub fn derive_tag_ids(person: &mut StoredPerson) {
    for tag in person.transactions.iter_mut().flat_map(|row| &mut row.tags) {
        tag.id = passbook_records::id::tag(person.id, &tag.name);
    }
}

/// Returns the records of a person, in an order in which they can be loaded.
pub fn records(person: &StoredPerson) -> Vec<Record> {
    let user_id = person.id;
    let mut records = vec![Record::User(User {
        user_id,
        email: email(person),
        preferred_currency: person.preferred_currency,
        time_zone: person.time_zone.clone(),
        excluded_categories: person.excluded_categories.clone(),
    })];
    records.extend(assets(person));
    records.extend(person.own_categories.iter().map(|own| {
        Record::OwnCategory(OwnCategory {
            user_id,
            own_category_id: own.label.id,
            name: own.label.name.clone(),
            category: own.category.expect("every own category has a fixed one"),
            parent_id: own.parent_id,
        })
    }));
    records.extend(person.transactions.iter().map(|row| {
        Record::Transaction(Transaction {
            user_id,
            transaction_id: row.id,
            account_id: row.account_id.expect("every row has an account"),
            date: row.date,
            transaction_type: row.r#type,
            category: row.category,
            amount_cents: row.amount_cents,
            currency: row.currency,
            title: row.title.clone(),
            pending: row.pending,
            provider_category: row.provider_category.clone(),
            merchant_name: row.merchant_name.clone(),
            linked_transaction_id: row.linked_transaction_id,
            own_category_id: row.own_category.as_ref().map(|own| own.id),
            tags: row.tags.iter().map(|tag| tag.name.clone()).collect(),
            note: row.note.clone(),
        })
    }));
    records.extend((1_u128..).zip(&person.targets).map(|(number, (category, target))| {
        Record::Budget(Budget {
            user_id,
            budget_id: Uuid::from_u128(number),
            category: Category::Expense(*category),
            target_cents: Some(target.amount_cents),
            currency: target.currency,
        })
    }));
    records.extend(person.budgeted_income.iter().map(|budget| {
        Record::Budget(Budget {
            user_id,
            budget_id: budget.id,
            category: Category::Income(budget.category),
            target_cents: budget.target_amount_cents,
            currency: budget.currency,
        })
    }));
    records
}

/// Returns the e-mail address of a person. The ledger in memory returns the name.
pub fn email(person: &StoredPerson) -> String {
    if person.name.contains('@') { person.name.clone() } else { format!("{}@example.org", person.name) }
}

fn assets(person: &StoredPerson) -> Vec<Record> {
    let (user_id, assets) = (person.id, &person.assets);
    let banks = assets.banks.iter().map(|bank| {
        Record::Bank(Bank {
            user_id,
            bank_id: bank.id,
            name: bank.name.clone(),
            status: bank.status,
            new_accounts_available: bank.new_accounts_available,
            last_successful_update: bank.last_successful_update.map(|time| time.timestamp()),
            last_failed_update: bank.last_failed_update.map(|time| time.timestamp()),
            consent_expires_at: bank.consent_expires_at.map(|time| time.timestamp()),
            error_code: bank.error_code.clone(),
        })
    });
    let mut records: Vec<Record> = banks.collect();
    records.extend(assets.securities.iter().flat_map(|security| security_records(user_id, security)));
    records.extend(assets.accounts.iter().flat_map(|stored| account_records(user_id, stored)));
    records.extend(assets.wallets.iter().flat_map(|stored| wallet_records(user_id, stored)));
    records.extend(assets.paper_accounts.iter().map(|paper| {
        Record::PaperAccount(PaperAccount {
            user_id,
            paper_account_id: paper.id,
            name: paper.name.clone(),
            provider: paper.provider.clone(),
            currency: paper.currency,
            cash_cents: paper.cash_cents,
            starting_balance_cents: paper.starting_balance_cents,
            updated_at: paper.updated_at.timestamp(),
        })
    }));
    records.extend(assets.paper_positions.iter().map(|position| {
        Record::PaperPosition(PaperPosition {
            user_id,
            paper_account_id: position.account,
            security_id: position.security,
            side: position.side,
            quantity: number(&position.quantity),
            average_entry_price: number(&position.average_entry_price),
        })
    }));
    records
}

fn security_records(user_id: Uuid, security: &StoredSecurity) -> Vec<Record> {
    let security_id = security.id;
    let mut records = vec![Record::Security(Security {
        user_id,
        security_id,
        name: security.name.clone(),
        security_type: security.r#type,
        currency: security.currency,
        symbol: security.symbol.clone(),
        isin: security.isin.clone(),
        is_cash_equivalent: security.is_cash_equivalent,
    })];
    records.extend(security.prices.iter().map(|(as_of, price)| {
        let price = number(price);
        Record::SecurityPrice(SecurityPrice { user_id, security_id, as_of: *as_of, price })
    }));
    records
}

fn account_records(user_id: Uuid, stored: &StoredAccount) -> Vec<Record> {
    let account = &stored.account;
    let account_id = account.id;
    let mut records = vec![Record::Account(Account {
        user_id,
        account_id,
        bank_id: stored.bank,
        name: account.name.clone(),
        account_type: account.r#type,
        subtype: account.subtype.clone(),
        currency: account.currency,
        balance_cents: account.balance_cents,
        balance_updated_at: account.updated_at.map(|time| time.timestamp()),
        opened_on: stored.opened_on,
        closed_on: stored.closed_on,
        rows_complete_from: stored.rows_complete_from,
        source: None,
    })];
    records.extend(stored.balances.iter().map(|(as_of, cents)| {
        let (as_of, balance_cents) = (*as_of, *cents);
        Record::BalanceSnapshot(BalanceSnapshot { user_id, account_id, as_of, balance_cents })
    }));
    records.extend(stored.quantities.iter().map(|(security_id, quantity)| {
        let cost_basis_cents = stored.cost_bases.get(security_id).copied();
        let (security_id, quantity) = (*security_id, number(quantity));
        Record::Holding(Holding { user_id, account_id, security_id, quantity, cost_basis_cents })
    }));
    records
}

fn wallet_records(user_id: Uuid, stored: &StoredWallet) -> Vec<Record> {
    let wallet_id = stored.wallet.id;
    let mut records = vec![Record::Wallet(Wallet {
        user_id,
        wallet_id,
        name: stored.wallet.name.clone(),
        network: stored.wallet.network.clone(),
        address: None,
        updated_at: stored.wallet.updated_at.timestamp(),
    })];
    for (security_id, quantities) in &stored.quantities {
        records.extend(quantities.iter().map(|(as_of, quantity)| {
            let (security_id, as_of, quantity) = (*security_id, *as_of, number(quantity));
            Record::WalletHolding(WalletHolding { user_id, wallet_id, security_id, as_of, quantity })
        }));
    }
    records
}

fn number(text: &DecimalText) -> Decimal {
    decimal(text.as_str())
}

/// Opens a store with the day of the data as today. The schema is not checked, because its transactions may be partitioned.
pub fn store(database: &Database, data: &LedgerData) -> Arc<Store> {
    let connection = database.configuration(passbook_schema::READER).into();
    let config = StoreConfig::new(connection).with_today(data.today);
    Arc::new(Store::new(config).expect("the configuration is valid"))
}
