//! The credentials that a load writes, by name, so that the person who runs the load can see them.

use tokio_postgres::Transaction;

use super::check::offenders;
use super::error::LoadError;
use super::stage::Staged;
use super::summary::CredentialChange;
use super::table::CREDENTIALS;
use super::{row, statement};

/// Returns the credentials that the merge of the staged rows inserts or updates, in the order of the tables. The list of
/// each table ends after [`passbook_records::FAULTS_LISTED_MAX`] entries.
pub(super) async fn find(
    transaction: &Transaction<'_>,
    staged: &Staged,
) -> Result<Vec<CredentialChange>, LoadError> {
    let mut changes = Vec::new();
    let tables = staged.stored.iter().map(|&number| row::table(number));
    for table in tables.filter(|table| CREDENTIALS.contains(&table.name)) {
        let (label, owner) = match table.name {
            "oauth_clients" => ("staged.client_id || ' (' || staged.name || ')'", "user_id"),
            "oauth_consents" => ("staged.client_id", "user_id"),
            "oauth_sessions" => ("staged.session_id", "user_id"),
            _ => ("staged.name || ' (…' || staged.last_four || ')'", "user_id"),
        };
        for change in offenders(transaction, &statement::find_changed_rows(table, label, owner)).await? {
            changes.push(CredentialChange {
                table: table.name,
                name: change.get(0),
                owner: change.get(1),
                inserted: change.get(2),
            });
        }
    }
    Ok(changes)
}
