//! `derive`: derives amounts, links and totals again, or checks them.

use passbook_ingest::derived::{self, Difference};
use passbook_input::Fault;
use tokio_postgres::Client;

use crate::error::CommandError;
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin derive --check
  passbook-admin derive";

/// Derives all data again. With `check`, only compares derived data with the rows of users, and changes nothing.
///
/// # Errors
/// With `check`: one fault for each table and user with differences.
pub(super) async fn run(client: &mut Client, check: bool) -> Result<(), CommandError> {
    let transaction = client.transaction().await?;
    if check {
        transaction
            .batch_execute(
                "set transaction isolation level repeatable read, read only; set local statement_timeout = 0",
            )
            .await?;
        let differences = derived::check(&transaction).await?;
        if !differences.is_empty() {
            return Err(CommandError::Input(differences.iter().map(fault).collect()));
        }
        return output::lines(["derived data are right"]);
    }
    derived::derive(&transaction).await?;
    transaction.commit().await?;
    output::lines(["derived data were derived again"])
}

fn fault(difference: &Difference) -> Fault {
    let Difference { table, user_id, rows } = difference;
    let rule = "must equal what is derived from the user's rows; run `passbook-admin derive`";
    let count = if *rows == 1 { "1 differing row".to_owned() } else { format!("{rows} differing rows") };
    Fault::new(format!("{table}, user {user_id}"), rule).received(count)
}
