//! The result of an import: a line for each file and account, and the next command if something is missing.

use passbook_ingest::import::{FileSummary, Imported, StoredFile};
use serde_json::{Value, json};

use crate::error::CommandError;
use crate::listing::{self, Format, Listing};
use crate::output;

const HEADING: [&str; 10] = [
    "file",
    "format",
    "account",
    "new",
    "known",
    "moved",
    "pending",
    "transfers",
    "uncategorised",
    "proven through",
];

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
    output::lines(output::table(HEADING, imported.files.iter().map(row)))?;
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
    next_commands(imported, user).iter().for_each(|line| output::note(line));
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
    next_commands(imported, user).iter().for_each(|line| output::note(line));
    Ok(())
}

fn row(file: &FileSummary) -> [String; 10] {
    let through = listing::optional(file.reconciled_through.as_ref());
    [
        file.file.clone(),
        file.format.clone(),
        file.account.clone(),
        file.new.to_string(),
        file.known.to_string(),
        file.moved.to_string(),
        file.pending.to_string(),
        file.transfers.to_string(),
        file.uncategorised.to_string(),
        if through.is_empty() { "not provable".to_owned() } else { through },
    ]
}

/// Returns the commands that complete the import.
fn next_commands(imported: &Imported, user: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let uncategorised: u64 = imported.files.iter().map(|file| file.uncategorised).sum();
    if uncategorised > 0 {
        lines.push(format!(
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
        lines.push(format!(
            "some transactions disagree with the balances of the files; run: passbook-admin reconcile --user {user}"
        ));
    }
    lines
}

/// Returns the result for programs.
fn document(imported: &Imported) -> Value {
    let file = |file: &FileSummary| {
        json!({
            "file": file.file,
            "format": file.format,
            "account": file.account,
            "new": file.new,
            "known": file.known,
            "moved": file.moved,
            "left_out": file.left_out,
            "pending": file.pending,
            "transfers": file.transfers,
            "uncategorised": file.uncategorised,
            "reconciled_through": file.reconciled_through,
        })
    };
    json!({
        "files": imported.files.iter().map(file).collect::<Vec<_>>(),
        "known_files": imported.known_files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "inserted": imported.inserted,
        "updated": imported.updated,
        "removed": imported.removal.transactions,
    })
}
