//! The result of an import: a line for each file and account, and the next command if something is missing.

use passbook_ingest::import::{FileSummary, Imported, StoredFile};
use serde_json::{Value, json};

use crate::error::CommandError;
use crate::listing::{self, Column, Format, ListEntry, Listing};
use crate::output;

/// Prints the result of an import. `stored` are all files, which tell names and accounts of those that were imported before.
pub(in crate::commands) fn print(
    imported: &Imported,
    stored: &[StoredFile],
    user: &str,
    wanted: Listing,
) -> Result<(), CommandError> {
    if wanted.output == Format::Json {
        return listing::print_json(&document(imported));
    }
    output::lines(listing::table(&imported.files))?;
    for (file, id) in &imported.known_files {
        let Some(known) = stored.iter().find(|stored| stored.file_id == *id) else { continue };
        let name = if known.name == *file { String::new() } else { format!(" as {}", known.name) };
        // Another file of this name in the current folder would be undone.
        let is_clear = name.is_empty() && stored.iter().filter(|other| other.name == known.name).count() == 1;
        output::note(&format!(
            "{file} is imported already{name} into {}; to import it again, first run: passbook-admin import undo {}",
            known.accounts.join(", "),
            output::argument(if is_clear { file } else { &known.digest })
        ));
    }
    for file in imported.files.iter().filter(|file| file.left_out > 0) {
        output::note(&format!(
            "{}: {} rows are left out: a newer list withdrew them, or a file whose balances prove its days lacks them",
            file.file, file.left_out
        ));
    }
    note_next_commands(imported, user);
    Ok(())
}

/// Prints the result of a change of imported files, which `done` describes.
pub(in crate::commands) fn print_change(
    imported: &Imported,
    done: &str,
    user: &str,
    wanted: Listing,
) -> Result<(), CommandError> {
    if wanted.output == Format::Json {
        return listing::print_json(&document(imported));
    }
    output::lines([output::printable(done)])?;
    note_next_commands(imported, user);
    Ok(())
}

impl ListEntry for FileSummary {
    const COLUMNS: &[Column<FileSummary>] = &[
        ("file", |entry| entry.file.clone()),
        ("format", |entry| entry.format.clone()),
        ("account", |entry| entry.account.clone()),
        ("new", |entry| entry.new.to_string()),
        ("known", |entry| entry.known.to_string()),
        ("moved", |entry| entry.moved.to_string()),
        ("pending", |entry| entry.pending.to_string()),
        ("transfers", |entry| entry.transfers.to_string()),
        ("uncategorised", |entry| entry.uncategorised.to_string()),
        ("proven through", |entry| {
            entry.reconciled_through.map_or_else(|| "not provable".to_owned(), |day| day.to_string())
        }),
    ];
}

/// Prints the commands that complete the import.
fn note_next_commands(imported: &Imported, user: &str) {
    let uncategorised: u64 = imported.files.iter().map(|file| file.uncategorised).sum();
    if uncategorised > 0 {
        output::note(&format!(
            "{uncategorised} transactions have no category; give them one: passbook-admin category set TEXT CATEGORY --user \
             {user}"
        ));
    }
    let has_difference = |report: &passbook_ingest::import::AccountReport| {
        !report.reconciliation.findings.is_empty()
            || !report.unbalanced.is_empty()
            || !report.reconciliation.gaps.is_empty()
            || !report.ambiguous.is_empty()
    };
    if imported.reports.iter().any(has_difference) {
        output::note(&format!(
            "some transactions disagree with the balances of the files; run: passbook-admin reconcile --user {user}"
        ));
    }
}

/// Returns the result for programs.
fn document(imported: &Imported) -> Value {
    json!({
        "files": imported.files,
        "known_files": imported.known_files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "inserted": imported.inserted,
        "updated": imported.updated,
        "removed": imported.removal.transactions,
    })
}
