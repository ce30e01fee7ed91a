//! The banks and accounts that an import creates for its files.

use std::collections::HashSet;

use passbook_records::record::{Account, Bank};
use passbook_records::{Located, Record};
use tokio_postgres::Transaction;
use uuid::Uuid;

use crate::load::{self, LoadError};

const KNOWN_BANKS: &str =
    "select bank_id from passbook.bank_connections where user_id = $1 and bank_id = any ($2)";
const MARK_BANKS: &str = "update passbook.bank_connections set created_by_import = true \
                          where user_id = $1 and bank_id = any ($2)";
const MARK_ACCOUNTS: &str =
    "update passbook.accounts set created_by_import = true where user_id = $1 and account_id = any ($2)";
const REMOVE_ACCOUNTS: &str = include_str!("../../sql/import_remove_accounts.sql");
const REMOVE_BANKS: &str = "delete from passbook.bank_connections as banks \
                            where banks.user_id = $1 and banks.created_by_import and not exists ( \
                              select from passbook.accounts \
                              where accounts.user_id = banks.user_id and accounts.bank_id = banks.bank_id)";

/// Stores accounts, and those of their banks that are not stored yet.
pub(super) async fn create(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    accounts: &[(Bank, Account)],
) -> Result<(), LoadError> {
    if accounts.is_empty() {
        return Ok(());
    }
    let banks: Vec<Uuid> = accounts.iter().map(|(bank, _)| bank.bank_id).collect();
    let known = transaction.query(KNOWN_BANKS, &[&user_id, &banks]).await?;
    let mut known: HashSet<Uuid> = known.iter().map(|row| row.get(0)).collect();
    let banks = accounts.iter().map(|(bank, _)| bank);
    let new_banks: Vec<&Bank> = banks.filter(|bank| known.insert(bank.bank_id)).collect();
    let records = new_banks.iter().map(|bank| Record::Bank((*bank).clone()));
    let records = records.chain(accounts.iter().map(|(_, account)| Record::Account(account.clone())));
    let located = |record| Ok(Located { place: "an account of a file".to_owned(), record });
    let records: Vec<_> = records.map(located).collect();
    load::load_within(transaction, records.into_iter(), load::Options::default()).await?;
    let banks: Vec<Uuid> = new_banks.iter().map(|bank| bank.bank_id).collect();
    transaction.execute(MARK_BANKS, &[&user_id, &banks]).await?;
    let created: Vec<Uuid> = accounts.iter().map(|(_, account)| account.account_id).collect();
    transaction.execute(MARK_ACCOUNTS, &[&user_id, &created]).await?;
    Ok(())
}

/// Removes the accounts that imports created and that nothing uses any more, and then their banks.
pub(super) async fn remove(transaction: &Transaction<'_>, user_id: Uuid) -> Result<(), LoadError> {
    transaction.execute(REMOVE_ACCOUNTS, &[&user_id]).await?;
    transaction.execute(REMOVE_BANKS, &[&user_id]).await?;
    Ok(())
}
