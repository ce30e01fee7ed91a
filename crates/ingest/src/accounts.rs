//! Listing of accounts, and what a person knows about their balances.

use jiff::civil::Date;
use serde::Serialize;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::load::{LoadError, from_database};

from_row! {
    /// A stored account with the number of its transactions.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct StoredAccount {
        /// The owner.
        #[serde(skip)]
        pub user_id: Uuid,
        /// The identifier, unique for a person.
        pub account_id: Uuid,
        /// The owner's e-mail address.
        #[serde(rename = "user")]
        pub email: String,
        /// Name of the bank.
        pub bank: String,
        /// Name of the account.
        pub name: String,
        /// Type, such as `depository`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Subtype, such as `checking`.
        pub subtype: String,
        /// The currency of the balance.
        pub currency: String,
        /// The day on which the account was opened; `None` if it is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub opened_on: Option<Date>,
        /// The first day from which on a loader has stored every transaction; `None` if rows may be missing.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rows_complete_from: Option<Date>,
        /// The day on which the account was closed; `None` for an open account.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub closed_on: Option<Date>,
        /// Number of transactions.
        pub transactions: i64,
        /// True if the account has holdings.
        #[serde(skip)]
        pub has_holdings: bool,
        /// Day of the first transaction; `None` without transactions.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub first_day: Option<Date>,
        /// Day of the last transaction; `None` without transactions.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub last_day: Option<Date>,
        /// The source that maintains the account, such as an imported ledger; `None` for an account from a bundle.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<String>,
    }
}

/// The accounts to return. An absent value selects all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// Only the accounts of this person.
    pub user_id: Option<Uuid>,
    /// Only the accounts with this identifier. Two persons can have accounts with the same identifier.
    pub account_id: Option<Uuid>,
}

/// Returns the selected accounts, sorted by owner, bank and name.
pub async fn list(
    client: &impl GenericClient,
    selection: Selection,
) -> Result<Vec<StoredAccount>, LoadError> {
    let statement = "select accounts.user_id, accounts.account_id, users.email, banks.name as bank, accounts.name, accounts.type as kind, \
                     accounts.subtype, accounts.currency, \
                     accounts.opened_on, accounts.rows_complete_from, accounts.closed_on, accounts.ledger_id as source, \
                     transactions.number as transactions, transactions.first_day, transactions.last_day, \
                     exists ( \
                       select from passbook.holdings \
                       where holdings.user_id = accounts.user_id \
                       and holdings.account_id = accounts.account_id) as has_holdings \
                     from passbook.accounts \
                     join passbook.users on users.user_id = accounts.user_id \
                     join passbook.bank_connections as banks on banks.user_id = accounts.user_id and banks.bank_id = accounts.bank_id \
                     cross join lateral ( \
                       select count(*) as number, min(date) as first_day, max(date) as last_day \
                       from passbook.transactions \
                       where transactions.user_id = accounts.user_id \
                       and transactions.account_id = accounts.account_id) as transactions \
                     where ($1::uuid is null or accounts.user_id = $1) \
                     and ($2::uuid is null or accounts.account_id = $2) \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\", \
                     lower(banks.name collate \"und-x-icu\") collate \"C\", \
                     lower(accounts.name collate \"und-x-icu\") collate \"C\", accounts.account_id";
    crate::select(client, statement, &[&selection.user_id, &selection.account_id]).await
}

/// New values of an account. An absent value stays as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccountChanges<'a> {
    /// Name of the account.
    pub name: Option<&'a str>,
    /// The present balance in hundredths, which contains every stored transaction of today.
    pub balance_cents: Option<i64>,
    /// The day on which the account was opened.
    pub opened_on: Option<Date>,
    /// The first day from which on a loader has stored every transaction.
    pub rows_complete_from: Option<Date>,
    /// The day on which the account was closed.
    pub closed_on: Option<Date>,
}

/// Changes an account. Afterwards no undo of an import removes it.
///
/// # Errors
/// Fails if the database fails, or rejects a value: an empty name, or a day of opening after the day of closing.
pub async fn update(
    client: &impl GenericClient,
    user_id: Uuid,
    account_id: Uuid,
    changes: AccountChanges<'_>,
) -> Result<(), LoadError> {
    // A present balance contains no rows of files of its day (`stated_balances`), and a person's balance contains all that
    // are known. Like an import, this locks the user before the account: a new name is also stored with the user, and two
    // writers that lock both in different orders would block each other.
    let statement = "with locked as materialized (select from passbook.users where user_id = $1 for no key update) \
                     update passbook.accounts set created_by_import = false, name = coalesce($3::text, name), \
                     balance_cents = coalesce($4::bigint - ( \
                       select coalesce(sum(case when t.type = 'INCOME' or t.category = 'TRANSFER_IN' \
                         then t.amount_cents else -t.amount_cents end), 0)::bigint \
                       from passbook.transactions as t join passbook.users using (user_id) \
                       where t.user_id = $1 and t.account_id = $2 and t.currency = accounts.currency \
                       and t.date = (now() at time zone users.time_zone)::date \
                       and t.imported and not t.pending and not t.is_superseded), balance_cents), \
                     balance_updated_at = case when $4 is null then balance_updated_at else now() end, \
                     opened_on = coalesce($5::date, opened_on), \
                     rows_complete_from = coalesce($6::date, rows_complete_from), \
                     closed_on = coalesce($7::date, closed_on) \
                     where user_id = $1 and account_id = $2 and (select count(*) from locked) > 0";
    let AccountChanges { name, balance_cents, opened_on, rows_complete_from, closed_on } = changes;
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
        [&user_id, &account_id, &name, &balance_cents, &opened_on, &rows_complete_from, &closed_on];
    let updated = client.execute(statement, &parameters).await;
    updated.map_err(|error| from_database(error, "the account"))?;
    Ok(())
}

from_row! {
    /// A bank.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct StoredBank {
        /// The identifier, unique for a person.
        pub bank_id: Uuid,
        /// Name of the bank.
        pub name: String,
    }
}

/// Returns the banks of a person, by name.
pub async fn banks(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<StoredBank>, LoadError> {
    let statement = "select bank_id, name from passbook.bank_connections where user_id = $1 \
                     order by name collate \"C\", bank_id";
    crate::select(client, statement, &[&user_id]).await
}
