//! Deletes the stored rows that a bundle names.
//!
//! A row that is not stored is no fault, so that the same bundle can be loaded again. A row is deleted only if nothing
//! is left that depends on it: rows that refer to it, or linked transactions, must be deleted or stored again by the
//! same input.

use passbook_input::{Fault, Faults};
use tokio_postgres::Row;

use super::check::{inside, report, row_fault};
use super::removal::{self, Removal};
use super::result::{LoadError, Summary, from_database};
use super::row::{Reference, Table};
use super::stage::{Staged, Staging};
use super::statement;
use super::table::{self, TABLES};
use crate::count;

const FIND_LINKED: &str = include_str!("../../sql/check_deleted_link.sql");
const MARK: &str = include_str!("../../sql/mark_deleted.sql");

/// The rule of the fault for a row that an import stored. The next import would store the row again.
const IMPORTED: &str = "must be a row that no import owns";

/// Text before the name of the source in the received value of the fault with the rule [`IMPORTED`].
const IMPORTED_FROM: &str = "a row of ";

/// The rule of the fault for a row to which other rows refer.
const REFERRED_TO: &str = "must be deleted together with the rows that refer to it";

/// The rule of the fault for a transaction that another one is linked with.
const LINKED: &str =
    "must be deleted together with its linked transaction, or that must be loaded again without the link";

/// Returns the source of the row if the fault is about deleting a row of an import, such as `beancount:main`. A program
/// that offers a way to remove such a row can name that way.
pub fn import_that_owns(fault: &Fault) -> Option<&str> {
    fault.received.as_deref().filter(|_| fault.rule == IMPORTED)?.strip_prefix(IMPORTED_FROM)
}

/// Replaces the shown identifiers in the keys of rows to delete by the stored ones.
pub(super) async fn resolve(staging: &Staging<'_>, staged: &Staged) -> Result<(), LoadError> {
    for &number in &staged.deleted {
        let resolve = statement::resolve_shown_identifiers(table::by_number(number));
        staging.batch_execute(&resolve).await?;
    }
    Ok(())
}

/// Adds a fault for each row that must not be deleted. The rows that depend on it are checked if all records could be
/// read.
pub(super) async fn check(
    staging: &Staging<'_>,
    staged: &Staged,
    all_records_were_read: bool,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    for &number in &staged.deleted {
        let table = table::by_number(number);
        report(staging, &statement::find_stored_and_deleted_rows(table), faults, |row| {
            let other: &str = row.get(1);
            Fault::new(row.get::<_, &str>(0), format!("must not name the same row as {other}"))
        })
        .await?;
        if !all_records_were_read {
            continue;
        }
        if let Some(user) = table.references.iter().find(|reference| reference.table == "users") {
            let query = statement::find_deletions_of_unknown_users(table);
            let fault = |row: &Row| Fault::new(inside(row.get(0), user.field), user.rule);
            report(staging, &query, faults, fault).await?;
        }
        let known = faults.count();
        if let Some(query) = statement::find_imported_rows(table) {
            report(staging, &query, faults, |row| {
                let fault = Fault::new(row.get::<_, &str>(0), IMPORTED);
                fault.received(format!("{IMPORTED_FROM}{}", row.get::<_, &str>(1)))
            })
            .await?;
        }
        let referring = referring(table);
        // The rows that refer to an imported row belong to the import too, so that deleting them is no remedy.
        if faults.count() == known && !referring.is_empty() {
            let query = statement::find_referring_rows(table, &referring);
            report(staging, &query, faults, |row| row_fault(row, REFERRED_TO)).await?;
        }
        if table.name == "transactions" {
            report(staging, FIND_LINKED, faults, |row| row_fault(row, LINKED)).await?;
        }
    }
    Ok(())
}

/// Returns the other tables that refer to a table, with their references.
fn referring(table: &Table) -> Vec<(&'static Table, &'static Reference)> {
    let others = TABLES.iter().filter(|other| other.name != table.name);
    let references =
        others.flat_map(|other| other.references.iter().map(move |reference| (other, reference)));
    references.filter(|(_, reference)| reference.table == table.name).collect()
}

/// Returns the preview of the rows that are going to be deleted.
pub(super) async fn preview(staging: &Staging<'_>, staged: &Staged) -> Result<Removal, LoadError> {
    staging.create(MARK).await?;
    removal::open(staging.transaction).await?;
    let stored = removal::mark(staging.transaction, MARK, &[]).await?;
    let mut removal = removal::preview(staging.transaction, stored).await?;
    for table in staged.deleted.iter().map(|&number| table::by_number(number)) {
        let deleted = count(&staging.query_one(&statement::count_deletions(table), &[]).await?, 0);
        if deleted > 0 && table.name != "transactions" {
            removal.other_tables.push((table.name, deleted));
        }
    }
    Ok(removal)
}

/// Deletes the rows of the tables to which other tables refer, or of all other tables. A table comes before the tables
/// that it refers to. Adds the counts to the summary.
pub(super) async fn delete(
    staging: &Staging<'_>,
    staged: &Staged,
    are_referred_to: bool,
    summary: &mut Summary,
) -> Result<(), LoadError> {
    for table in staged.deleted.iter().rev().map(|&number| table::by_number(number)) {
        if referring(table).is_empty() == are_referred_to {
            continue;
        }
        let counts = staging.query_one(&statement::delete(table), &[]).await;
        let counts = counts.map_err(|error| from_database(error, table.name))?;
        let table = summary.table(table.name);
        (table.removed, table.absent) = (count(&counts, 0), count(&counts, 1));
    }
    Ok(())
}
