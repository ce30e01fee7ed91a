//! Merges the staged rows into the tables. A table comes after the tables that it refers to.

use super::result::{LoadError, Summary, TableSummary, from_database};
use super::row::Table;
use super::stage::{Staged, Staging};
use super::table;
use super::{deletion, statement};
use crate::count;
use crate::labels::{Given, MOVE};

/// Merges people together with their excluded categories, so that a person counts once in the summary.
const MERGE_USERS: &str = include_str!("../../sql/merge_users.sql");

/// Locks the people whose transactions change, in a fixed order, before any of their rows is locked. Two loads for
/// the same people then wait for each other instead of causing a deadlock.
const LOCK_PEOPLE: &str = include_str!("../../sql/lock_people.sql");

/// Finds the pending rows whose labels set by hand go to their posted rows.
const PAIR_PENDING: &str = include_str!("../../sql/load_pair_pending.sql");

/// The order in which transactions are written: that of the index of the list, which then has full pages.
const NEWEST_FIRST: &str = "date desc, transaction_id desc";

/// Merges all staged rows into the tables, deletes the rows whose keys are staged, and returns the counts.
pub(super) async fn store(staging: &Staging<'_>, staged: &Staged) -> Result<Summary, LoadError> {
    let mut summary = Summary::default();
    staging.query(LOCK_PEOPLE, &[]).await?;
    // Rows to which no row refers are deleted first, so that a new budget can take the category of a deleted one. Other
    // rows are deleted last: a row that refers to them may be moved to another one by this input.
    deletion::delete(staging, staged, false, &mut summary).await?;
    for &number in &staged.stored {
        let merged = merge(staging, table::by_number(number)).await?;
        let counts = summary.table(merged.table);
        *counts = TableSummary { removed: counts.removed, absent: counts.absent, ..merged };
    }
    deletion::delete(staging, staged, true, &mut summary).await?;
    summary.sort();
    // Constraints on links are deferred to the commit. Checking them now makes a dry run report them too.
    let check_links = staging.batch_execute("set constraints all immediate").await;
    check_links.map_err(|error| from_database(error, "the links between transactions"))?;
    Ok(summary)
}

async fn merge(staging: &Staging<'_>, table: &Table) -> Result<TableSummary, LoadError> {
    let counts = match table.name {
        "users" => merge_by(staging, MERGE_USERS).await,
        "transactions" => merge_transactions(staging, table).await,
        _ => merge_by(staging, &statement::merge(table)).await,
    };
    let [inserted, updated, unchanged] = counts.map_err(|error| from_database(error, table.name))?;
    Ok(TableSummary { table: table.name, inserted, updated, unchanged, ..TableSummary::empty(table.name) })
}

/// Executes a statement that merges rows and returns the numbers of inserted, updated and unchanged rows.
async fn merge_by(staging: &Staging<'_>, statement: &str) -> Result<[u64; 3], tokio_postgres::Error> {
    let counts = staging.query_one(statement, &[]).await?;
    Ok([0, 1, 2].map(|column| count(&counts, column)))
}

/// Merges transactions. Their writers wait for each other at the derived data of the user, which are locked here for the
/// people whom this load, or another one meanwhile, has created.
async fn merge_transactions(staging: &Staging<'_>, table: &Table) -> Result<[u64; 3], tokio_postgres::Error> {
    staging.query(LOCK_PEOPLE, &[]).await?;
    let counts = staging.query_one(&statement::count_stored(table), &[]).await?;
    let (staged, stored) = (count(&counts, 0), count(&counts, 1));
    let labels = Given::resolve(staging.transaction, "pg_temp.load_transactions").await?;
    let relabelled = labels.count_changed(&statement::is_stored_unchanged(table)).await?;
    let written = staging.execute(&statement::merge_locked(table, NEWEST_FIRST), &[]).await?;
    labels.store().await?;
    if labels.is_needed && staging.execute(PAIR_PENDING, &[]).await? > 0 {
        staging.batch_execute(MOVE).await?;
    }
    let inserted = staged - stored;
    let updated = written - inserted + relabelled;
    Ok([inserted, updated, stored - updated])
}
