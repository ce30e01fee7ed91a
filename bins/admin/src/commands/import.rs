//! `import`: imports the books of other programs.

use std::path::Path;

use domain::Currency;
use formats::beancount::{self, AccountMap};
use formats::record::User;
use ingest::load::{Absent, Replaces};
use ingest::people::Person;
use jiff::civil::Date;
use tokio_postgres::Client;

use super::{input, remedies, user};
use crate::arguments::BeancountImport;
use crate::error::CommandError;
use crate::output;
use crate::progress::Progress;

/// Imports a Beancount ledger for an existing user. The user's currency and time zone do not change.
pub(super) async fn beancount(client: &mut Client, wanted: &BeancountImport) -> Result<(), CommandError> {
    let person = user_of(user::find(client, &wanted.user).await?)?;
    let today = today(client, &person.time_zone).await?;
    let map = account_map(wanted.map.as_deref())?;
    // A ledger that cannot be opened is wrong usage (64); faults in its content are wrong input (65).
    drop(input::open(&wanted.file)?);
    let progress = Progress::start("booking");
    let update = |directives| progress.update(directives);
    let import = beancount::import(&wanted.file, &person, &wanted.ledger, today, &map, &update)
        .map_err(|faults| CommandError::Input(faults.into_list()))?;
    drop(progress);
    output::note(import.report.to_string().trim_end());
    // The ledger contains all transactions of its accounts, so that stored ones it lacks are obsolete.
    let source = beancount::source(&wanted.ledger);
    let replaces = Replaces { user_id: person.user_id, source: &source, absent: absent(wanted) };
    let stored =
        input::load(client, import.records.into_iter().map(Ok), Some(replaces), wanted.rehearsal).await;
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

fn account_map(path: Option<&Path>) -> Result<AccountMap, CommandError> {
    let Some(path) = path else { return Ok(AccountMap::built_in()) };
    let text = std::io::read_to_string(input::open(path)?);
    let text = text.map_err(|error| input::unreadable(path, error))?;
    AccountMap::from_toml(&text, &path.display().to_string())
        .map_err(|faults| CommandError::Input(faults.into_list()))
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
