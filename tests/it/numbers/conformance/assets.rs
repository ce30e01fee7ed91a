//! The assets of the kit's sample as records.

use passbook_domain::assets::{Assets, StoredAccount, StoredSecurity, StoredWallet};
use passbook_domain::decimal::DecimalText;
use passbook_records::record::{
    Account, BalanceSnapshot, Bank, Holding, PaperAccount, Record, Security, SecurityPrice, Wallet,
    WalletHolding,
};
use tests::household::decimal;
use uuid::Uuid;

/// Returns the records of a person's assets, in an order in which they can be loaded.
pub(super) fn records(user_id: Uuid, assets: &Assets) -> Vec<Record> {
    let mut records: Vec<Record> = assets
        .banks
        .iter()
        .map(|bank| {
            Record::Bank(Bank {
                user_id,
                bank_id: bank.id,
                name: bank.name.clone(),
                status: bank.status,
                new_accounts_available: bank.new_accounts_available,
                last_successful_update: bank.last_successful_update.map(|time| time.timestamp()),
                last_failed_update: None,
                consent_expires_at: None,
                error_code: bank.error_code.clone(),
            })
        })
        .collect();
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
        isin: None,
        is_cash_equivalent: false,
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
        balance_updated_at: account.updated_at.timestamp(),
        closed_on: stored.closed_on,
        source: None,
    })];
    records.extend(stored.balances.iter().map(|(as_of, cents)| {
        let (as_of, balance_cents) = (*as_of, *cents);
        Record::BalanceSnapshot(BalanceSnapshot { user_id, account_id, as_of, balance_cents })
    }));
    records.extend(stored.quantities.iter().map(|(security_id, quantity)| {
        let (security_id, quantity) = (*security_id, number(quantity));
        Record::Holding(Holding { user_id, account_id, security_id, quantity, cost_basis_cents: None })
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
        address: stored.wallet.address_masked.clone(),
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

fn number(text: &DecimalText) -> rust_decimal::Decimal {
    decimal(text.as_str())
}
