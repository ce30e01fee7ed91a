//! `undo`: removes the import of a file.

use std::path::Path;

use clap::Args;
use passbook_ingest::import::{self, ImportOptions, StoredFile};
use passbook_input::Fault;
use passbook_statements::FILE_BYTES_MAX;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Client;

use super::import::summary;
use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use super::{input, removal};
use crate::error::CommandError;
use crate::listing::Listing;

pub(super) const UNDO_EXAMPLES: &str = "\
Examples:
  passbook-admin undo january.csv --user you@example.org --dry-run";

/// A file whose import is undone.
#[derive(Clone, Debug, Args)]
pub(crate) struct Undo {
    /// The imported file, its name, or its SHA-256
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Undoes the import of a file. Afterwards all transactions are as if the file had never been imported.
pub(super) async fn run(client: &mut Client, wanted: &Undo) -> Result<(), CommandError> {
    let person = user::find(client, &wanted.owner.user).await?;
    let stored = import::stored_files(client, person.user_id).await?;
    let file = find(&stored, &wanted.file)?;
    let options = ImportOptions {
        dry_run: wanted.rehearsal.dry_run,
        beside_others: true,
        remove_any: true,
        progress: &|_| {},
    };
    let undone = import::undo(client, person.user_id, file.file_id, options).await?;
    if !undone.removal.is_empty() {
        removal::list(&undone.removal);
    }
    transaction::note_dry_run(wanted.rehearsal);
    summary::print(&undone, &wanted.owner.user, wanted.listing)
}

/// Finds the stored file that the argument names: the same bytes, the name, or the digest.
fn find<'a>(stored: &'a [StoredFile], argument: &str) -> Result<&'a StoredFile, CommandError> {
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
    use std::io::Read as _;
    if !path.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = input::open(path)?.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| input::unreadable(path, error))?;
    Ok(Some(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()))
}
