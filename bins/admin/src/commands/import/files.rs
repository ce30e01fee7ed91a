//! `import FILE…`: imports files of banks and other apps.

use std::path::{Path, PathBuf};

use clap::Args;
use passbook_ingest::import::{ImportOptions, NewFile, NewStatement, StoredRules, is_stored, stored_files};
use passbook_input::Fault;
use passbook_statements::{DateOrder, ReadOptions, Statement, unreadable_statements};
use tokio_postgres::Client;
use uuid::Uuid;

use super::accounts::{Accounts, Unnumbered};
use super::chosen_accounts::ChosenAccounts;
use super::summary;
use crate::commands::dialogue::Dialogue;
use crate::commands::memory::Memory;
use crate::commands::statement_file::{self, ReadingFlags, StatementFile};
use crate::commands::transaction::{self, Rehearsal};
use crate::commands::user::Owner;
use crate::commands::{load, profile, remedies, removal, rule};
use crate::error::CommandError;
use crate::listing::Listing;
use crate::output::{self, Progress};

/// Files to import.
#[derive(Clone, Debug, Args)]
pub(crate) struct FileImport {
    /// Files and folders: CSV, OFX, QFX, CAMT, MT940, QIF, and exports of other apps
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Account of the files: its name, its id, or its id in a bundle. For files with several accounts, once for each as
    /// NAME=ACCOUNT
    #[arg(long, value_name = "[NAME=]ACCOUNT")]
    pub(crate) account: Vec<String>,
    /// Import a file into the account of --account although the file names another account or bank
    #[arg(long, requires = "account")]
    pub(crate) even_if_numbers_differ: bool,
    /// Create the accounts of the files that do not exist: by IBAN or number, otherwise by bank and name
    #[arg(long, conflicts_with = "account")]
    pub(crate) create_accounts: bool,
    /// The accounts of files that name none.
    #[arg(skip)]
    pub(crate) unnumbered: Unnumbered,
    #[command(flatten)]
    pub(crate) reading: ReadingFlags,
    /// Rules file (TOML) that categorises transactions. It is stored and used by later imports
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Remove transactions that a file should list and lacks. A file whose balances prove its transactions always does
    #[arg(long)]
    pub(crate) replace: bool,
    /// Remove them also if they are more than half of the stored transactions of files
    #[arg(long)]
    pub(crate) force: bool,
    /// Import nothing if a file of a folder cannot be imported
    #[arg(long)]
    pub(crate) strict: bool,
    /// Import also days on which the account has transactions of a bundle or ledger
    #[arg(long)]
    pub(crate) beside_others: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

impl FileImport {
    /// Returns the dialogue about the accounts of files that name none; `None` if the command line has to name them.
    pub(super) fn dialogue_about_accounts(&self) -> Option<Dialogue> {
        match self.unnumbered {
            Unnumbered::By(dialogue) => Some(dialogue),
            Unnumbered::Named => self.create_accounts.then_some(Dialogue::Suggestions),
        }
    }

    /// True for a file of a folder, which is skipped if it cannot be imported.
    fn may_skip(&self, path: &Path) -> bool {
        !self.strict && !self.files.iter().any(|named| named == path)
    }
}

/// Imports files. Nothing is stored if a named file has a fault or leaves a choice open; such files of folders are skipped.
pub(in crate::commands) async fn run(client: &mut Client, wanted: &FileImport) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let mut memory = Memory::read(client, person.user_id).await?;
    let rules = wanted.rules.as_deref().map(read_rules).transpose()?;
    if let Some(rules) = &rules
        && let Some(removed) = rule::removed_by(client, person.user_id, rules).await?.first()
    {
        let rule =
            format!("must contain every stored rule, also {removed}; categorize --rules replaces them");
        return Err(CommandError::input(Fault::new("--rules", rule)));
    }
    let (files, unreadable) = read_files(client, person.user_id, wanted, &mut memory).await?;
    let mut accounts = Accounts::read(client, person.user_id, &memory).await?;
    let chosen = ChosenAccounts::new(&wanted.account, &files, &|text| accounts.has(text));
    let chosen = chosen.map_err(CommandError::Input)?;
    let mut new = Vec::new();
    let mut missing = Vec::new();
    for file in &files {
        let (mut statements, mut skipped) = (Vec::new(), None);
        // The account of a file that is stored already is known.
        let is_known = is_stored(client, person.user_id, &file.digest).await?;
        if !is_known
            && wanted.may_skip(&file.path)
            && let Some(faulty) = accounts.faulty_neighbour(&chosen, file, &unreadable)
        {
            let rule = format!(
                "must wait for {}, which is of the same account: correct that file, or import this one by its name",
                faulty.display()
            );
            note_skipped(&Fault::new(format!("{}: account", file.path.display()), rule));
            continue;
        }
        for (index, statement) in file.statements.iter().enumerate().filter(|_| !is_known) {
            let account = accounts.choose(wanted, &chosen, statement, (&file.path, file.currency(index)));
            match account {
                Ok(account_id) => {
                    statements.push(NewStatement { statement: statement.clone(), account_id });
                }
                Err(account) if wanted.may_skip(&file.path) => skipped = Some(account.fault(&file.path)),
                Err(account) => {
                    let fault = account.fault(&file.path);
                    // A file may have many statements of one account.
                    if !missing.contains(&fault) {
                        missing.push(fault);
                    }
                }
            }
        }
        if let Some(fault) = skipped {
            note_skipped(&fault);
            continue;
        }
        let new_file = NewFile {
            digest: file.digest,
            name: statement_file::name(&file.path),
            replace: wanted.replace,
            date_order: file.options.date_order.map(DateOrder::as_str),
            new_profile: memory.new_profile(&file.statements),
            statements,
        };
        new.push((new_file, statement_file::entries(file)));
    }
    if !missing.is_empty() {
        return Err(CommandError::Input(missing));
    }
    let progress = Progress::start("importing");
    let update = |lines| progress.update(lines);
    let import_options = ImportOptions {
        dry_run: wanted.rehearsal.dry_run,
        beside_others: wanted.beside_others,
        remove_any: wanted.force,
        progress: &update,
    };
    let created = accounts.new_accounts();
    let imported =
        passbook_ingest::import::import(client, person.user_id, created, new, rules.as_ref(), import_options)
            .await;
    drop(progress);
    let imported =
        imported.map_err(|error| CommandError::from(error).map_faults(remedies::name_import_flags))?;
    removal::list(&imported.removal);
    accounts.notes().iter().for_each(|note| output::note(&output::printable(note)));
    if !created.is_empty() {
        output::note(&format!("created {} accounts", created.len()));
    }
    transaction::note_dry_run(wanted.rehearsal);
    note_left_out(&files);
    if !wanted.rehearsal.dry_run {
        load::missing_rates(client, Some(person.user_id)).await?.iter().for_each(|text| output::note(text));
    }
    let known = stored_files(client, person.user_id).await?;
    summary::print(&imported, &known, &person.email, wanted.listing)
}

/// Prints what the files say that is not a transaction, and how many of their rows were left out.
fn note_left_out(files: &[StatementFile]) {
    for file in files {
        let name = file.path.display();
        for statement in &file.statements {
            for skipped in &statement.skipped {
                output::note(&output::printable(&format!(
                    "{name}: left out {} rows: {}",
                    skipped.count, skipped.reason
                )));
            }
            for notice in &statement.notices {
                output::note(&output::printable(&format!("{name}: {notice}")));
            }
        }
    }
}

/// Reads a rules file.
pub(in crate::commands) fn read_rules(path: &Path) -> Result<StoredRules, CommandError> {
    let (text, name) = (statement_file::text(path)?, statement_file::name(path));
    passbook_matching::rules::Rules::from_toml(&text, &name)
        .map_err(|faults| CommandError::Input(faults.into_list()).map_faults(remedies::name_categories))?;
    Ok(StoredRules { name, text })
}

/// Reads every file, so that the faults of all files are shown together. A file of a folder that cannot be read is skipped
/// with its faults, unless `--strict` is given. On a terminal, a dialogue drafts the profile of an unknown CSV file.
/// An unknown CSV file that is stored already needs no profile. Returns the statements of skipped files too, as far as
/// they are known.
async fn read_files(
    client: &Client,
    user_id: Uuid,
    wanted: &FileImport,
    memory: &mut Memory,
) -> Result<(Vec<StatementFile>, Vec<(PathBuf, Vec<Statement>)>), CommandError> {
    let progress = Progress::start("reading");
    let dialogue = match wanted.unnumbered {
        Unnumbered::By(dialogue) => Some(dialogue),
        Unnumbered::Named => Dialogue::new(false).ok(),
    };
    let (mut files, mut faults, mut skipped, mut entries) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let (mut unreadable, mut options) = (Vec::new(), memory.options(&wanted.reading)?);
    for path in statement_file::files(&wanted.files)? {
        let read = memory.read_file(&path, &options, 1);
        if read.is_err()
            && let Ok(file) = StatementFile::unread(&path, &options)
            && is_stored(client, user_id, &file.digest).await?
        {
            files.push(file);
            continue;
        }
        let is_unknown = read.is_err()
            && statement_file::is_unknown_csv(&path, &options)
            && memory.profile_without_header(&path).is_none();
        let read = match read {
            Err(error) if dialogue == Some(Dialogue::Terminal) && is_unknown => {
                let draft = || profile::by_dialogue(&path, &options, memory, Dialogue::Terminal);
                match progress.suspend(draft)? {
                    Some(profile) => {
                        let with_profile = ReadOptions { profile: Some(profile), ..options };
                        options = memory.options(&wanted.reading)?;
                        statement_file::read(&path, &with_profile, 1)
                    }
                    None => Err(error),
                }
            }
            read => read,
        };
        match read {
            Ok(file) => {
                entries += file.entries;
                progress.update(entries);
                files.push(file);
            }
            Err(CommandError::Input(found)) if wanted.may_skip(&path) => {
                skipped.extend(found);
                if !is_unknown {
                    let statements = unreadable_statements(&statement_file::bytes(&path)?, &options);
                    unreadable.push((path, statements));
                }
            }
            Err(CommandError::Input(found)) => faults.extend(found),
            Err(error) => return Err(error),
        }
    }
    drop(progress);
    if !faults.is_empty() {
        return Err(CommandError::Input(faults));
    }
    skipped.iter().for_each(note_skipped);
    Ok((files, unreadable))
}

/// Prints why a file of a folder is left out.
fn note_skipped(fault: &Fault) {
    output::note(&output::printable(&format!("skipped {fault}")));
}
