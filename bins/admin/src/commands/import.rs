//! `import`: imports files of banks and other apps, and the books of other programs.

mod account_map;
mod accounts;
mod chosen_accounts;
pub(super) mod files;
pub(super) mod summary;

use account_map::ChosenMap;
use jiff::Timestamp;
use jiff::civil::Date;
use passbook_beancount as beancount;
use passbook_domain::Currency;
use passbook_ingest::ledgers::{self, StoredAccountMap};
use passbook_ingest::load::{Absent, Replaces};
use passbook_ingest::people::Person;
use passbook_records::record::{Ledger, User};
use passbook_records::{Located, Record};
use tokio_postgres::Client;
use uuid::Uuid;

use super::{input, remedies, user};
use crate::arguments::{BeancountImport, Import, ImportCommand};
use crate::error::CommandError;
use crate::output;
use crate::progress::Progress;

/// Imports what the command line names.
pub(super) async fn run(client: &mut Client, wanted: Import) -> Result<(), CommandError> {
    match wanted.books {
        Some(ImportCommand::Beancount(wanted)) => beancount(client, &wanted).await,
        None => files::run(client, &wanted.files).await,
    }
}

/// Imports a Beancount ledger for an existing user. The user's currency and time zone do not change.
async fn beancount(client: &mut Client, wanted: &BeancountImport) -> Result<(), CommandError> {
    let person = user_of(user::find(client, &wanted.user).await?)?;
    let today = today(client, &person.time_zone).await?;
    let former = ledgers::find(client, person.user_id, &wanted.ledger).await?;
    let chosen = ChosenMap::choose(wanted, former.as_ref())?;
    // A ledger that cannot be opened is wrong usage (64); faults in its content are wrong input (65).
    drop(input::open(&wanted.file)?);
    let progress = Progress::start("booking");
    let update = |directives| progress.update(directives);
    let import = beancount::import(&wanted.file, &person, &wanted.ledger, today, &chosen.map, &update)
        .map_err(|faults| CommandError::Input(faults.into_list()))?;
    drop(progress);
    output::note(import.report.to_string().trim_end());
    chosen.note_changes(former.as_ref(), &import.mapped);
    let ledger = ledger_record(person.user_id, &wanted.ledger, chosen.stored);
    let records = import.records.into_iter().chain([ledger]).map(Ok);
    // The ledger contains all transactions of its accounts, so that stored ones it lacks are obsolete.
    let source = beancount::source(&wanted.ledger);
    let replaces = Replaces { user_id: person.user_id, source: &source, absent: absent(wanted) };
    let stored = input::load(client, records, Some(replaces), wanted.rehearsal).await;
    stored.map_err(|error| error.map_faults(remedies::name_removal_flags))
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
    row.map(|row| row.get(0)).map_err(|error| CommandError::database(&error))
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
