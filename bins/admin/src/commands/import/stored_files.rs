//! `import list | undo | move`: the imported files.

use std::path::Path;

use clap::Args;
use passbook_ingest::import::{self, ImportOptions, StatementsOf, StoredFile};
use passbook_input::Fault;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Client;

use super::summary;
use crate::commands::transaction::{self, Rehearsal};
use crate::commands::user::{Owner, UserList};
use crate::commands::{account, remedies, removal, statement_file};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

pub(super) const LIST_EXAMPLES: &str = "\
Examples:
  passbook-admin import list";

pub(super) const UNDO_EXAMPLES: &str = "\
Examples:
  passbook-admin import undo january.csv --dry-run
  passbook-admin import undo last";

pub(super) const MOVE_EXAMPLES: &str = "\
Examples:
  passbook-admin import move january.csv --to card";

/// The name of the file that was imported last.
const LAST: &str = "last";

/// A file whose import is undone.
#[derive(Clone, Debug, Args)]
pub(crate) struct Undo {
    /// The imported file, its name, its SHA-256, or `last`
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// A file that belongs to another account.
#[derive(Clone, Debug, Args)]
pub(crate) struct FileMove {
    /// The imported file, its name, its SHA-256, or `last`
    pub(crate) file: String,
    /// The account: its name, its id, or its id in a bundle
    #[arg(long, value_name = "ACCOUNT")]
    pub(crate) to: String,
    /// Move a file with days on which the account has transactions of a bundle or ledger: both count
    #[arg(long)]
    pub(crate) beside_others: bool,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Prints the imported files.
pub(super) async fn list(client: &Client, wanted: &UserList) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    listing::print(&import::stored_files(client, person.user_id).await?, wanted.listing)
}

impl ListEntry for StoredFile {
    const COLUMNS: &[Column<StoredFile>] = &[
        ("file", |entry| entry.name.clone()),
        ("format", |entry| entry.format.clone()),
        ("account", |entry| entry.accounts.join(", ")),
        ("lines", |entry| entry.lines.to_string()),
        ("imported", |entry| format!("{:.0}", entry.imported_at)),
    ];
}

/// Moves a file to another account. Afterwards all transactions are as if it had been imported into that account.
pub(super) async fn move_file(client: &mut Client, wanted: &FileMove) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let stored = import::stored_files(client, person.user_id).await?;
    let file = find(&stored, &wanted.file)?;
    let account = account::find(client, "--to", &wanted.to, Some(person.user_id)).await?;
    if let [_, _, ..] = file.accounts[..] {
        let rule = "must be a file of one account; import it again with --account NAME=ID for each";
        return Err(CommandError::input(Fault::new("FILE", rule).received(file.accounts.join(", "))));
    }
    let from = StatementsOf::File(file.file_id);
    let options = ImportOptions { beside_others: wanted.beside_others, ..options(wanted.rehearsal) };
    let moved = import::move_statements(client, person.user_id, from, account.account_id, options)
        .await
        .map_err(|error| CommandError::from(error).map_faults(remedies::name_import_flags))?;
    transaction::note_dry_run(wanted.rehearsal);
    let done = format!("moved {} to {}", file.name, account.name);
    summary::print_change(&moved, &done, &person.email, wanted.listing)
}

/// Returns the options of a change that the command line names.
pub(in crate::commands) fn options(rehearsal: Rehearsal) -> ImportOptions<'static> {
    ImportOptions { dry_run: rehearsal.dry_run, beside_others: true, remove_any: true, progress: &|_| {} }
}

/// Undoes the import of a file. Afterwards all transactions are as if the file had never been imported.
pub(super) async fn undo(client: &mut Client, wanted: &Undo) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let stored = import::stored_files(client, person.user_id).await?;
    let file = find(&stored, &wanted.file)?;
    let undone = import::undo(client, person.user_id, file.file_id, options(wanted.rehearsal)).await?;
    removal::list(&undone.removal);
    transaction::note_dry_run(wanted.rehearsal);
    let done =
        format!("undid the import of {}: {} transactions removed", file.name, undone.removal.transactions);
    summary::print_change(&undone, &done, &person.email, wanted.listing)
}

/// Finds the stored file that the argument names: the same bytes, the name, or the digest.
fn find<'a>(stored: &'a [StoredFile], argument: &str) -> Result<&'a StoredFile, CommandError> {
    if argument == LAST
        && let Some(file) = stored.iter().max_by_key(|file| file.imported_at)
    {
        return Ok(file);
    }
    let digest = digest(Path::new(argument))?;
    let same = |file: &&StoredFile| Some(&file.digest) == digest.as_ref() || file.digest == argument;
    let mut found: Vec<&StoredFile> = stored.iter().filter(same).collect();
    if found.is_empty() {
        found = stored.iter().filter(|file| file.name == argument).collect();
    }
    match found[..] {
        [file] => Ok(file),
        [] => {
            let names: Vec<&str> = stored.iter().map(|file| file.name.as_str()).take(20).collect();
            let rule = format!("must be an imported file of this user: {}", names.join(", "));
            Err(CommandError::input(Fault::new("FILE", rule).received(argument)))
        }
        _ => {
            let digests: Vec<&str> = found.iter().map(|file| file.digest.as_str()).collect();
            let rule = format!("must name one file; give its SHA-256: {}", digests.join(", "));
            Err(CommandError::input(Fault::new("FILE", rule).received(argument)))
        }
    }
}

/// Returns the SHA-256 of a file in hexadecimal; `None` if there is no such file.
fn digest(path: &Path) -> Result<Option<String>, CommandError> {
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(Sha256::digest(statement_file::bytes(path)?).iter().map(|byte| format!("{byte:02x}")).collect()))
}
