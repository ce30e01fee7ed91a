//! `import beancount`: imports a ledger with its account map: the one on the command line, else the one stored with the
//! ledger, else the built-in one.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use passbook_beancount::{AccountMap, MappedAccounts};
use passbook_domain::Currency;
use passbook_ingest::ledgers::{self, ImportedLedger, StoredAccountMap};
use passbook_ingest::load::{Absent, Options, Replaces};
use passbook_ingest::people::Person;
use passbook_records::record::{Ledger, User};
use passbook_records::{Located, Record};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::commands::transaction::Rehearsal;
use crate::commands::user::Owner;
use crate::commands::{input, load, remedies, statement_file};
use crate::error::CommandError;
use crate::output::{self, Progress};

pub(super) const BEANCOUNT_EXAMPLES: &str = "\
Examples:
  passbook-admin import beancount ledger.beancount --user you@example.org
  passbook-admin import beancount ledger.beancount --user you@example.org --dry-run";

/// A ledger to import.
#[derive(Clone, Debug, Args)]
pub(crate) struct BeancountImport {
    /// Ledger file; included files are read too
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Name of the ledger, for a user with several
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = ledger)]
    pub(crate) ledger: String,
    /// Map from accounts to categories (TOML), in addition to the built-in one. It is stored, and used by later imports
    /// of the ledger without this flag
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Use the built-in map alone, and no longer store a map for the ledger
    #[arg(long, conflicts_with = "map")]
    pub(crate) built_in_map: bool,
    /// Remove stored transactions that are not in the ledger any more. Without this flag such a transaction is a
    /// fault, because an edited entry would be counted twice
    #[arg(long)]
    pub(crate) replace: bool,
    /// Remove them also if they are more than half of the ledger's stored transactions
    #[arg(long, requires = "replace")]
    pub(crate) force: bool,
    /// Import also new transactions on days of an imported file of their account: both count
    #[arg(long)]
    pub(crate) beside_others: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// Imports a Beancount ledger for an existing user. The user's currency and time zone do not change.
pub(super) async fn run(client: &mut Client, wanted: &BeancountImport) -> Result<(), CommandError> {
    let person = user_of(wanted.owner.find(client).await?)?;
    let today = today(client, &person.time_zone).await?;
    let former = ledgers::find(client, person.user_id, &wanted.ledger).await?;
    let chosen = ChosenMap::choose(wanted, former.as_ref())?;
    // A ledger that cannot be opened is wrong usage (64); faults in its content are wrong input (65).
    drop(input::open(&wanted.file)?);
    let progress = Progress::start("booking");
    let update = |directives| progress.update(directives);
    let import =
        passbook_beancount::import(&wanted.file, &person, &wanted.ledger, today, &chosen.map, &update)
            .map_err(|faults| CommandError::Input(faults.into_list()))?;
    drop(progress);
    output::note(import.report.to_string().trim_end());
    chosen.note_changes(former.as_ref(), &import.mapped);
    let ledger = ledger_record(person.user_id, &wanted.ledger, chosen.stored);
    let records = import.records.into_iter().chain([ledger]).map(Ok);
    // The ledger contains all transactions of its accounts, so that stored ones it lacks are obsolete.
    let source = passbook_beancount::source(&wanted.ledger);
    let replaces = Replaces { user_id: person.user_id, source: &source, absent: absent(wanted) };
    let options =
        Options { replaces: Some(replaces), beside_files: wanted.beside_others, ..Options::default() };
    let stored = load::load_records(client, records, options, wanted.rehearsal).await;
    stored.map_err(|error| error.map_faults(remedies::name_ledger_flags))
}

/// Returns the treatment of stored transactions that the ledger no longer contains.
fn absent(wanted: &BeancountImport) -> Absent {
    match (wanted.replace, wanted.force) {
        (false, _) => Absent::Reject,
        (true, false) => Absent::Remove,
        (true, true) => Absent::RemoveAny,
    }
}

/// Returns the record of an imported ledger with its account map.
fn ledger_record(user_id: Uuid, ledger: &str, map: Option<StoredAccountMap>) -> Located {
    let (map_name, account_map) = map.map(|map| (map.name, map.text)).unzip();
    let (ledger, imported_at) = (ledger.to_owned(), Timestamp::now());
    let place = format!("the ledger {ledger}");
    Located { place, record: Record::Ledger(Ledger { user_id, ledger, account_map, map_name, imported_at }) }
}

/// The current day in a time zone.
async fn today(client: &Client, time_zone: &str) -> Result<Date, CommandError> {
    let row = client.query_one("select (now() at time zone $1)::date", &[&time_zone]).await;
    Ok(row?.get(0))
}

fn user_of(person: Person) -> Result<User, CommandError> {
    let preferred_currency = Currency::parse(&person.preferred_currency)
        .map_err(|error| CommandError::internal("the stored currency of the user is invalid", &error))?;
    Ok(User {
        user_id: person.user_id,
        email: person.email,
        preferred_currency,
        time_zone: person.time_zone,
        excluded_categories: Vec::new(),
    })
}

/// The account map of an import.
#[derive(Debug)]
pub(super) struct ChosenMap {
    /// The map, with the patterns of the built-in map.
    pub(super) map: AccountMap,
    /// The text to store with the ledger; `None` for the built-in map.
    pub(super) stored: Option<StoredAccountMap>,
}

impl ChosenMap {
    /// Chooses the map of an import, and prints a note about it. `former` is the ledger as stored by the import before.
    ///
    /// # Errors
    /// A map that cannot be read or has faults.
    pub(super) fn choose(
        wanted: &BeancountImport,
        former: Option<&ImportedLedger>,
    ) -> Result<ChosenMap, CommandError> {
        let former = former.and_then(|former| former.account_map.as_ref());
        let ledger = &wanted.ledger;
        if let Some(path) = wanted.map.as_deref() {
            let stored = read(path)?;
            let map = AccountMap::from_toml(&stored.text, &path.display().to_string());
            let map = map.map_err(|faults| CommandError::Input(faults.into_list()))?;
            output::note(&format!(
                "account map: {}, stored for the next imports of the ledger {ledger}",
                stored.name
            ));
            return Ok(ChosenMap { map, stored: Some(stored) });
        }
        let Some(former) = former else {
            return Ok(ChosenMap { map: AccountMap::built_in(), stored: None });
        };
        if wanted.built_in_map {
            output::note(&format!("account map: the built-in map; {} is no longer stored", former.name));
            return Ok(ChosenMap { map: AccountMap::built_in(), stored: None });
        }
        let place = format!("{}, stored for the ledger {ledger}", former.name);
        let map = AccountMap::from_toml(&former.text, &place).map_err(|faults| {
            let mut faults = faults.into_list();
            for fault in &mut faults {
                fault.rule.push_str("; give a corrected map with --map, or use --built-in-map");
            }
            CommandError::Input(faults)
        })?;
        output::note(&format!("account map: {place}; --map replaces it and --built-in-map removes it"));
        Ok(ChosenMap { map, stored: Some(former.clone()) })
    }

    /// Prints the accounts whose category or type differs from the import before, if the map has changed since.
    fn note_changes(&self, former: Option<&ImportedLedger>, accounts: &MappedAccounts) {
        let text = |map: &Option<StoredAccountMap>| map.as_ref().map(|map| map.text.clone());
        let Some(former) = former.filter(|former| text(&former.account_map) != text(&self.stored)) else {
            return;
        };
        let former = match &former.account_map {
            None => Ok(AccountMap::built_in()),
            Some(stored) => AccountMap::from_toml(&stored.text, &stored.name),
        };
        let Ok(former) = former else {
            output::note("account map: the changes are not listed, because the former map has faults");
            return;
        };
        let changes = accounts.changes(&former, &self.map);
        if changes.is_empty() {
            output::note("account map: the new map changes no account of this ledger");
        }
        for change in changes {
            output::note(&format!("account map changes {change}"));
        }
    }
}

fn read(path: &Path) -> Result<StoredAccountMap, CommandError> {
    let text = statement_file::text(path)?;
    let name = match path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    Ok(StoredAccountMap { name, text })
}

/// Parses the name of a ledger, which becomes a part of the source of accounts.
pub(super) fn ledger(text: &str) -> Result<String, String> {
    if passbook_input::contains_token(text) {
        return Err("must not be a token, because names of ledgers are displayed".to_owned());
    }
    Ok(text.to_owned())
}
