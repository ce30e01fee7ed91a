//! The stored files of a person: which there are, and their accounts.

use jiff::Timestamp;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, GenericClient};
use uuid::Uuid;

use super::changes::{ImportOptions, Imported, begin, change, check_days, end};
use super::{accounts, file};
use crate::labels;
use crate::load::LoadError;

from_row! {
    /// A file that is stored.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct StoredFile {
        /// The identifier.
        pub file_id: Uuid,
        /// Name of the file.
        pub name: String,
        /// SHA-256 of the bytes, in hexadecimal.
        pub digest: String,
        /// Format, with the profile of a CSV file.
        pub format: String,
        /// Names of its accounts.
        pub accounts: Vec<String>,
        /// Number of its lines.
        pub lines: i64,
        /// The time of the import.
        pub imported_at: Timestamp,
    }
}

/// The statements to move to another account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementsOf {
    /// Those of the file with this identifier.
    File(Uuid),
    /// Those of the account with this identifier.
    Account(Uuid),
}

/// Returns the stored files of a person, by name.
pub async fn stored_files(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<StoredFile>, LoadError> {
    let statement = "select files.file_id, files.name, encode(files.digest, 'hex') as digest, \
                     files.format || coalesce(' (' || files.profile || ')', '') as format, files.imported_at, \
                     (select count(*) from passbook.import_lines as lines \
                      where lines.user_id = files.user_id and lines.file_id = files.file_id) as lines, \
                     array(select distinct accounts.name::text collate \"C\" from passbook.import_statements as statements \
                           join passbook.accounts on accounts.user_id = statements.user_id \
                           and accounts.account_id = statements.account_id \
                           where statements.user_id = files.user_id and statements.file_id = files.file_id \
                           order by 1) as accounts \
                     from passbook.import_files as files where files.user_id = $1 \
                     order by files.name collate \"C\", files.file_id";
    crate::select(client, statement, &[&user_id]).await
}

/// Returns true if a file with this digest is stored for a person.
pub async fn is_stored(
    client: &impl GenericClient,
    user_id: Uuid,
    digest: &[u8; 32],
) -> Result<bool, LoadError> {
    let statement = "select exists (select from passbook.import_files where user_id = $1 and file_id = $2)";
    let id = file::file_id(user_id, digest);
    let row = client.query_one(statement, &[&user_id, &id]).await?;
    Ok(row.try_get(0)?)
}

const FIND_ROWS: &str = include_str!("../../sql/move_find_rows.sql");
const PAIR_ROWS: &str = include_str!("../../sql/move_pair_rows.sql");

/// Moves statements of a person to an account: those of a file, or those of another account.
///
/// # Errors
/// [`LoadError::Faults`]: a removal of more than half of the transactions.
pub async fn move_statements(
    client: &mut Client,
    user_id: Uuid,
    from: StatementsOf,
    account_id: Uuid,
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let transaction = begin(client, user_id).await?;
    let (statement, id) = match from {
        StatementsOf::File(id) => (
            "update passbook.import_statements set account_id = $3 where user_id = $1 and file_id = $2 returning file_id",
            id,
        ),
        StatementsOf::Account(id) => (
            "update passbook.import_statements set account_id = $3 where user_id = $1 and account_id = $2 returning file_id",
            id,
        ),
    };
    transaction.execute(FIND_ROWS, &[&user_id, &id, &account_id]).await?;
    let moved = transaction.query(statement, &[&user_id, &id, &account_id]).await?;
    let moved: Vec<Uuid> = moved.iter().map(|row| row.get(0)).collect();
    check_days(&transaction, user_id, &moved, options).await?;
    // The transactions of the other account go away, and come back in this one.
    let imported = change(&transaction, user_id, &[], ImportOptions { remove_any: true, ..options }).await?;
    transaction.execute(PAIR_ROWS, &[&user_id, &account_id]).await?;
    transaction.batch_execute(labels::MOVE).await?;
    accounts::remove_unused(&transaction, user_id).await?;
    end(transaction, options).await?;
    Ok(imported)
}

const DELETE_FILES: &str = "delete from passbook.import_files as files where files.user_id = $1 \
                            and exists (select from passbook.import_statements as own where own.user_id = files.user_id \
                            and own.file_id = files.file_id and own.account_id = $2) \
                            and not exists (select from passbook.import_statements as other \
                            where other.user_id = files.user_id and other.file_id = files.file_id \
                            and other.account_id <> $2)";
const DELETE_STATEMENTS: &str =
    "delete from passbook.import_statements where user_id = $1 and account_id = $2";
const DELETE_ACCOUNT: &str = "delete from passbook.accounts where user_id = $1 and account_id = $2";

/// Deletes an account with its files, or its part of files with several accounts, its transactions, balances and holdings.
///
/// # Errors
/// [`LoadError::Faults`] if transactions of a loader on other accounts are linked with those of the account.
pub async fn delete_account(
    client: &mut Client,
    user_id: Uuid,
    account_id: Uuid,
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let transaction = begin(client, user_id).await?;
    for statement in [DELETE_FILES, DELETE_STATEMENTS] {
        transaction.execute(statement, &[&user_id, &account_id]).await?;
    }
    let imported = change(&transaction, user_id, &[], ImportOptions { remove_any: true, ..options }).await?;
    match transaction.execute(DELETE_ACCOUNT, &[&user_id, &account_id]).await {
        Err(error) if error.code() == Some(&SqlState::FOREIGN_KEY_VIOLATION) => {
            let rule = "must have no transactions with which those of other accounts are linked";
            return Err(LoadError::Faults(vec![Fault::new("the account", rule)]));
        }
        deleted => deleted?,
    };
    end(transaction, options).await?;
    Ok(imported)
}
