//! The input file of a command, and the loading of its records.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use passbook_ingest::load::{self, Options, Permission, Removal, Replaces, Summary};
use passbook_input::Faults;
use passbook_records::Located;
use tokio_postgres::Client;

use super::{load_summary, removal, transaction};
use crate::arguments::Rehearsal;
use crate::error::CommandError;
use crate::output;
use crate::progress::Progress;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// A file that cannot be read is wrong usage, not wrong input.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, CommandError> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    if file.metadata().map_err(|error| unreadable(path, error))?.is_dir() {
        return Err(unreadable(path, "it is a folder"));
    }
    Ok(Box::new(file))
}

/// The error for a file that cannot be read.
pub(super) fn unreadable(path: &Path, reason: impl std::fmt::Display) -> CommandError {
    CommandError::configuration(format!(
        "{} cannot be read: {reason}; name a file that exists and that you may read",
        path.display()
    ))
}

/// Loads records that this program made, and prints the number of changed rows in each table.
pub(super) async fn load<I>(
    client: &mut Client,
    records: I,
    replaces: Option<Replaces<'_>>,
    rehearsal: Rehearsal,
) -> Result<(), CommandError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    run(client, records, Options { replaces, ..Options::default() }, rehearsal).await
}

/// Loads records that may write only certain rows, and prints the number of changed rows in each table, the people whose
/// rows the input has, and the changed credentials.
pub(super) async fn load_permitted<I>(
    client: &mut Client,
    records: I,
    permission: Permission<'_>,
    rehearsal: Rehearsal,
) -> Result<(), CommandError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    run(client, records, Options { permission: Some(permission), ..Options::default() }, rehearsal).await
}

async fn run<I>(
    client: &mut Client,
    records: I,
    options: Options<'_>,
    rehearsal: Rehearsal,
) -> Result<(), CommandError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let progress = Progress::start("loading");
    let update = |records| progress.update(records);
    let on_removal = |removal: &Removal| progress.suspend(|| removal::list(removal));
    let options = Options {
        dry_run: rehearsal.dry_run,
        progress: Some(&update),
        on_removal: Some(&on_removal),
        ..options
    };
    let loaded = load::load(client, records, options).await;
    drop(progress);
    let summary = loaded?;
    transaction::note_dry_run(rehearsal);
    output::lines(output::table(&rows(&summary)).into_iter().chain(load_summary::lines(&summary)))
}

fn rows(summary: &Summary) -> Vec<[String; 6]> {
    let heading =
        ["table", "inserted", "updated", "unchanged", "removed", "already absent"].map(str::to_owned);
    let tables = summary.tables.iter().map(|table| {
        let counts = [table.inserted, table.updated, table.unchanged, table.removed, table.absent];
        let [inserted, updated, unchanged, removed, absent] = counts.map(|count| count.to_string());
        [table.table.to_owned(), inserted, updated, unchanged, removed, absent]
    });
    std::iter::once(heading).chain(tables).collect()
}
