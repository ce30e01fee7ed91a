//! The overview of a person: settings, and the number of stored rows.

use jiff::civil::Date;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::load::LoadError;

/// The number of a person's transactions and tokens, and the settings that [`Person`](super::Person) does not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// Categories that totals exclude.
    pub excluded_categories: Vec<String>,
    /// Number of accounts.
    pub accounts: i64,
    /// Number of transactions.
    pub transactions: i64,
    /// Day of the first transaction; `None` without transactions.
    pub first_day: Option<Date>,
    /// Day of the last transaction; `None` without transactions.
    pub last_day: Option<Date>,
    /// Number of tokens that are accepted.
    pub tokens_active: i64,
    /// Number of tokens that have expired and are not revoked.
    pub tokens_expired: i64,
    /// Number of revoked tokens.
    pub tokens_revoked: i64,
    /// Sources of the accounts, such as imported ledgers, sorted. Accounts from bundles have none.
    pub sources: Vec<String>,
}

/// Returns the overview of a person. The counts are 0 if there is no such person.
pub async fn overview(client: &impl GenericClient, user_id: Uuid) -> Result<Overview, LoadError> {
    let statement = "select \
        array(select category from passbook.excluded_categories where user_id = $1 order by category collate \"C\") \
            as excluded_categories, \
        (select count(*) from passbook.accounts where user_id = $1) as accounts, \
        transactions.number, transactions.first_day, transactions.last_day, \
        tokens.active, tokens.expired, tokens.revoked, \
        array(select distinct ledger_id collate \"C\" from passbook.accounts \
              where user_id = $1 and ledger_id is not null order by 1) as sources \
        from (select count(*) as number, min(date) as first_day, max(date) as last_day \
              from passbook.transactions where user_id = $1) as transactions, \
             (select count(*) filter (where revoked_at is null and expires_at > now()) as active, \
                     count(*) filter (where revoked_at is null and expires_at <= now()) as expired, \
                     count(*) filter (where revoked_at is not null) as revoked \
              from passbook.personal_access_tokens where user_id = $1) as tokens";
    let row = client.query_one(statement, &[&user_id]).await.map_err(LoadError::Database)?;
    let read = || {
        Ok(Overview {
            excluded_categories: row.try_get("excluded_categories")?,
            accounts: row.try_get("accounts")?,
            transactions: row.try_get("number")?,
            first_day: row.try_get("first_day")?,
            last_day: row.try_get("last_day")?,
            tokens_active: row.try_get("active")?,
            tokens_expired: row.try_get("expired")?,
            tokens_revoked: row.try_get("revoked")?,
            sources: row.try_get("sources")?,
        })
    };
    read().map_err(LoadError::Database)
}
