//! Where input comes from, and how what became of it is said.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use formats::{Faults, Located};
use ingest::load::{self, Options, Replaces, Summary};
use tokio_postgres::Client;

use crate::arguments::Rehearsal;
use crate::exit::Failure;
use crate::output;
use crate::progress::Progress;

/// A file, or standard input where `-` stands for it.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let unreadable = |error| Failure::configuration(format!("{} cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(Failure::configuration(format!("{} cannot be read: it is a folder", path.display())));
    }
    Ok(Box::new(file))
}

/// Loads records and prints what was done with them.
pub(super) async fn store<I>(
    client: &mut Client,
    records: I,
    replaces: Option<Replaces<'_>>,
    rehearsal: Rehearsal,
) -> Result<(), Failure>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let progress = Progress::start("loading");
    let reached = |records| progress.reached(records);
    let options = Options { dry_run: rehearsal.dry_run, progress: Some(&reached), replaces };
    let loaded = load::load(client, records, options).await;
    drop(progress);
    let summary = loaded?;
    super::remark_on_rehearsal(rehearsal);
    output::lines(output::table(&rows(&summary)))
}

fn rows(summary: &Summary) -> Vec<[String; 5]> {
    let heading = ["table", "inserted", "updated", "unchanged", "removed"].map(str::to_owned);
    let tables = summary.tables.iter().map(|table| {
        let counts =
            [table.inserted, table.updated, table.unchanged, table.removed].map(|count| count.to_string());
        let [inserted, updated, unchanged, removed] = counts;
        [table.table.to_owned(), inserted, updated, unchanged, removed]
    });
    std::iter::once(heading).chain(tables).collect()
}
