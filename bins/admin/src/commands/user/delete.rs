//! `user delete`: deletes a user after a confirmation.

use std::io::IsTerminal as _;

use passbook_ingest::people::{self, DeletedRows, Person};
use tokio_postgres::{Client, IsolationLevel, Transaction};

use super::find_by_argument;
use crate::commands::dialogue::prompted;
use crate::commands::transaction::{self, Rehearsal};
use crate::error::CommandError;
use crate::output;

/// Deletes a user with all rows of the user. Prints the number of deleted rows of each table.
///
/// # Errors
/// No `--yes` without a terminal, or an answer that is not the e-mail address. Nothing is deleted then.
pub(super) async fn run(
    client: &mut Client,
    email: &str,
    yes: bool,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let needs_confirmation = !yes && !rehearsal.dry_run;
    if needs_confirmation && !std::io::stdin().is_terminal() {
        return Err(CommandError::configuration(
            "user delete asks for a confirmation, but standard input is not a terminal; give --yes to delete without \
             asking, or --dry-run to see the rows",
        ));
    }
    let person = find_by_argument(client, "EMAIL", email).await?;
    if needs_confirmation {
        confirm(client, &person).await?;
    }
    let transaction = begin(client).await?;
    let deleted = people::delete(&transaction, person.user_id).await?;
    transaction::end(transaction, rehearsal).await?;
    output::lines(table(&deleted))
}

/// Shows the rows that the deletion removes, and reads the e-mail address from the terminal.
async fn confirm(client: &mut Client, person: &Person) -> Result<(), CommandError> {
    // The deletion is executed and rolled back, so that the numbers are exact. No lock is held during the confirmation.
    let transaction = begin(client).await?;
    let deleted = people::delete(&transaction, person.user_id).await?;
    transaction.rollback().await?;
    table(&deleted).iter().for_each(|line| output::note(line));
    let prompt = format!("These rows will be deleted. To confirm, type {}: ", person.email);
    if prompted(&prompt)?.is_some_and(|answer| answer == person.email) {
        return Ok(());
    }
    Err(CommandError::configuration(format!(
        "nothing was deleted, because the answer is not {}; run the command again to delete the user",
        person.email
    )))
}

/// Begins a transaction with one snapshot, as [`people::delete`] requires.
async fn begin(client: &mut Client) -> Result<Transaction<'_>, CommandError> {
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    Ok(transaction.start().await?)
}

fn table(deleted: &[DeletedRows]) -> Vec<String> {
    let rows = deleted.iter().map(|table| [table.table.clone(), table.rows.to_string()]);
    output::table(["table", "deleted"], rows)
}
