//! Administration of people: creating, finding, listing, renaming and deleting.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::month_start::MonthStart;
use passbook_input::Fault;
use passbook_records::id;
use serde::Serialize;
use tokio_postgres::error::SqlState;
use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use super::load::LoadError;
use crate::FromRow as _;

/// The values of a person to be created.
#[derive(Clone, Debug)]
pub struct NewPerson<'a> {
    /// The identifier, which is also the `sub` claim of the person's tokens. If `None`, it is derived from the address.
    pub user_id: Option<Uuid>,
    /// E-mail address, unique without regard to case.
    pub email: &'a str,
    /// The currency in which totals are reported.
    pub preferred_currency: Currency,
    /// IANA time zone name, which determines the current day.
    pub time_zone: &'a str,
}

from_row! {
    /// A stored person.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Person {
        /// The identifier.
        pub user_id: Uuid,
        /// E-mail address.
        pub email: String,
        /// The currency in which totals are reported.
        pub preferred_currency: String,
        /// IANA time zone name.
        pub time_zone: String,
        /// The time at which the person was created.
        pub created_at: Timestamp,
    }
}

/// Stores a person and returns the identifier.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault: an invalid or repeated address, an unknown time zone, a repeated
/// identifier.
pub async fn create(client: &impl GenericClient, person: &NewPerson<'_>) -> Result<Uuid, LoadError> {
    let mut faults = Vec::new();
    let user_id = person.user_id.unwrap_or_else(|| id::user(person.email));
    faults.extend(email_fault(person.email));
    if !is_zone(client, person.time_zone).await? {
        faults.push(unknown_zone(person.time_zone));
    }
    if faults.is_empty() && !insert(client, user_id, person).await? {
        faults.push(match find_by_email(client, person.email).await? {
            Some(_) => Fault::new("email", "must not be the address of another user").received(person.email),
            None => taken_identifier(person, user_id),
        });
    }
    if faults.is_empty() { Ok(user_id) } else { Err(LoadError::Faults(faults)) }
}

/// Returns the fault for an identifier that another person already has. A derived identifier can belong to a person who
/// had the same address before.
fn taken_identifier(person: &NewPerson<'_>, user_id: Uuid) -> Fault {
    match person.user_id {
        Some(_) => {
            Fault::new("id", "must not be the identifier of another user").received(user_id.to_string())
        }
        None => {
            let rule = "must be given with an identifier, because the one derived from it is another user's";
            Fault::new("email", rule).received(person.email)
        }
    }
}

/// Inserts the person. Returns false if the identifier or the address is already stored.
async fn insert(
    client: &impl GenericClient,
    user_id: Uuid,
    person: &NewPerson<'_>,
) -> Result<bool, LoadError> {
    let statement = "insert into passbook.users (user_id, email, preferred_currency, time_zone) \
                     values ($1, $2, $3::text, $4) on conflict do nothing";
    let currency = person.preferred_currency.as_str();
    let stored = client.execute(statement, &[&user_id, &person.email, &currency, &person.time_zone]).await;
    Ok(stored? == 1)
}

/// Returns true if `name` is an IANA time zone. PostgreSQL also accepts abbreviations and offsets, but they ignore
/// daylight saving.
async fn is_zone(client: &impl GenericClient, name: &str) -> Result<bool, LoadError> {
    let statement = "select exists (select from passbook.time_zones as zones where zones.name = $1)";
    let row = client.query_one(statement, &[&name]).await?;
    Ok(row.try_get(0)?)
}

/// Returns the person with an e-mail address, ignoring case.
pub async fn find_by_email(client: &impl GenericClient, email: &str) -> Result<Option<Person>, LoadError> {
    let statement = "select user_id, email, preferred_currency, time_zone, created_at \
                     from passbook.users \
                     where lower(email collate \"und-x-icu\") = lower($1::text collate \"und-x-icu\")";
    let row = client.query_opt(statement, &[&email]).await?;
    Ok(row.as_ref().map(Person::from_row).transpose()?)
}

/// Returns every person, sorted by address.
pub async fn list(client: &impl GenericClient) -> Result<Vec<Person>, LoadError> {
    let statement = "select user_id, email, preferred_currency, time_zone, created_at \
                     from passbook.users \
                     order by lower(email collate \"und-x-icu\") collate \"C\"";
    crate::select(client, statement, &[]).await
}

/// Changes the e-mail address of a person. The identifier does not change, nor do the identifiers that are derived from
/// it. Returns false if there is no such person.
///
/// # Errors
///
/// [`LoadError::Faults`] for an invalid address, and for the address of another person. After an error the transaction
/// cannot be continued.
pub async fn rename(client: &impl GenericClient, user_id: Uuid, email: &str) -> Result<bool, LoadError> {
    if let Some(fault) = email_fault(email) {
        return Err(LoadError::Faults(vec![fault]));
    }
    let statement = "update passbook.users set email = $2 where user_id = $1";
    match client.execute(statement, &[&user_id, &email]).await {
        Ok(renamed) => Ok(renamed == 1),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
            let fault = Fault::new("email", "must not be the address of another user").received(email);
            Err(LoadError::Faults(vec![fault]))
        }
        Err(error) => Err(LoadError::Database(error)),
    }
}

/// Changes the currency of totals, the time zone and the first day of months of a person. An absent value stays as it is.
///
/// # Errors
///
/// [`LoadError::Faults`] for an unknown time zone.
pub async fn update(
    client: &impl GenericClient,
    user_id: Uuid,
    currency: Option<Currency>,
    time_zone: Option<&str>,
    month_start: Option<MonthStart>,
) -> Result<(), LoadError> {
    if let Some(name) = time_zone
        && !is_zone(client, name).await?
    {
        return Err(LoadError::Faults(vec![unknown_zone(name)]));
    }
    let statement = "update passbook.users set preferred_currency = coalesce($2::text, preferred_currency), \
                     time_zone = coalesce($3::text, time_zone), \
                     month_start = coalesce($4::smallint, month_start) where user_id = $1";
    let currency = currency.as_ref().map(Currency::as_str);
    client
        .execute(statement, &[&user_id, &currency, &time_zone, &month_start.map(MonthStart::number)])
        .await?;
    Ok(())
}

fn unknown_zone(name: &str) -> Fault {
    Fault::new("time zone", "must be the name of an IANA time zone, such as Europe/Paris").received(name)
}

/// Replaces the categories that totals of a person exclude.
pub async fn exclude_categories(
    client: &impl GenericClient,
    user_id: Uuid,
    categories: &[&str],
) -> Result<(), LoadError> {
    let statement = "with removed as ( \
                       delete from passbook.excluded_categories where user_id = $1 and category <> all ($2)) \
                     insert into passbook.excluded_categories (user_id, category) \
                     select $1, given.category from unnest($2::text[]) as given (category) on conflict do nothing";
    client.execute(statement, &[&user_id, &categories]).await?;
    Ok(())
}

/// Maximum length of an e-mail address, in characters.
const EMAIL_CHARACTERS_MAX: usize = 320;

/// Returns the fault of a new e-mail address.
fn email_fault(email: &str) -> Option<Fault> {
    if passbook_input::contains_token(email) {
        return Some(Fault::new("email", "must not contain a token, because addresses are displayed"));
    }
    (!is_address(email)).then(|| Fault::new("email", "must be an e-mail address").received(email))
}

fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    parts.is_some_and(|(who, host)| !who.is_empty() && !host.is_empty())
        && text.chars().count() <= EMAIL_CHARACTERS_MAX
        && !text.chars().any(|character| character.is_whitespace() || character.is_control())
}

from_row! {
    /// The number of a person's transactions and tokens, and the settings that [`Person`] does not contain.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Overview {
        /// The day on which the person's months begin, or `last-working-day`.
        pub month_start: String,
        /// Categories that totals exclude.
        pub excluded_categories: Vec<String>,
        /// Number of accounts.
        pub accounts: i64,
        /// Number of transactions.
        pub transactions: i64,
        /// Day of the first transaction; `None` without transactions.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub first_day: Option<Date>,
        /// Day of the last transaction; `None` without transactions.
        #[serde(skip_serializing_if = "Option::is_none")]
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
}

/// Returns the overview of a person. The counts are 0 if there is no such person.
pub async fn overview(client: &impl GenericClient, user_id: Uuid) -> Result<Overview, LoadError> {
    let statement = "select \
        coalesce((select case month_start when 0 then 'last-working-day' else month_start::text end \
            from passbook.users where user_id = $1), '1') as month_start, \
        array(select category from passbook.excluded_categories where user_id = $1 order by category collate \"C\") \
            as excluded_categories, \
        (select count(*) from passbook.accounts where user_id = $1) as accounts, \
        transactions.number as transactions, transactions.first_day, transactions.last_day, \
        tokens.active as tokens_active, tokens.expired as tokens_expired, tokens.revoked as tokens_revoked, \
        array(select distinct ledger_id collate \"C\" from passbook.accounts \
              where user_id = $1 and ledger_id is not null order by 1) as sources \
        from (select count(*) as number, min(date) as first_day, max(date) as last_day \
              from passbook.transactions where user_id = $1) as transactions, \
             (select count(*) filter (where revoked_at is null and expires_at > now()) as active, \
                     count(*) filter (where revoked_at is null and expires_at <= now()) as expired, \
                     count(*) filter (where revoked_at is not null) as revoked \
              from passbook.personal_access_tokens where user_id = $1) as tokens";
    let row = client.query_one(statement, &[&user_id]).await?;
    Ok(Overview::from_row(&row)?)
}

/// The number of rows that a deletion removed from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedRows {
    /// Name of the table in the schema `passbook`.
    pub table: String,
    /// Number of rows; at least 1.
    pub rows: i64,
}

/// Deletes a person and, by the foreign keys of the schema, every row that belongs to the person. Returns the number of
/// deleted rows of each table, sorted by table; nothing if there is no such person. Shared tables, such as exchange
/// rates, do not change.
///
/// The rows of every table are counted before and after the deletion. The transaction must therefore use one snapshot
/// (`repeatable read`), so that the rows of other sessions do not change the difference.
pub async fn delete(transaction: &Transaction<'_>, user_id: Uuid) -> Result<Vec<DeletedRows>, LoadError> {
    let before = count_rows(transaction).await?;
    let statement = "delete from passbook.users where user_id = $1";
    transaction.execute(statement, &[&user_id]).await?;
    let after = count_rows(transaction).await?;
    let difference = before.into_iter().zip(after).map(|(before, after)| {
        debug_assert_eq!(before.table, after.table, "both counts list the tables of one snapshot");
        DeletedRows { rows: before.rows - after.rows, table: before.table }
    });
    Ok(difference.filter(|table| table.rows > 0).collect())
}

/// Returns the number of rows of every table of the schema, sorted by table. A partition is part of its table.
async fn count_rows(client: &impl GenericClient) -> Result<Vec<DeletedRows>, LoadError> {
    let tables = "select class.relname::text, format('select count(*) from passbook.%I', class.relname) \
                  from pg_catalog.pg_class as class \
                  where class.relnamespace = 'passbook'::regnamespace and class.relkind in ('r', 'p') \
                  and not class.relispartition \
                  and has_table_privilege(class.oid, 'select') \
                  order by class.relname collate \"C\"";
    let mut counts = Vec::new();
    for row in client.query(tables, &[]).await? {
        let (table, count): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let counted = client.query_one(&count, &[]).await?;
        counts.push(DeletedRows { table, rows: counted.try_get(0)? });
    }
    Ok(counts)
}
