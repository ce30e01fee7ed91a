//! Imports other programs' books.

use std::path::Path;

use domain::Currency;
use formats::Fault;
use formats::beancount::{self, AccountMap};
use formats::record::User;
use ingest::load::{ABSENT_TRANSACTIONS, Replaces};
use ingest::people::Person;
use jiff::civil::Date;
use tokio_postgres::Client;

use super::{source, user};
use crate::arguments::BeancountImport;
use crate::exit::{self, Failure};
use crate::progress::Progress;

/// Imports a Beancount ledger for a person who exists, whose settings stay as they are.
pub(super) async fn beancount(client: &mut Client, wanted: &BeancountImport) -> Result<(), Failure> {
    let person = user_of(user::find(client, &wanted.user).await?)?;
    let today = today(client, &person.time_zone).await?;
    let map = account_map(wanted.map.as_deref())?;
    // A ledger that is not there is wrong usage; one that is wrong is wrong data.
    drop(source::open(&wanted.file)?);
    let progress = Progress::start("booking");
    let reached = |directives| progress.reached(directives);
    let import = beancount::import(&wanted.file, &person, &wanted.ledger, today, &map, &reached)
        .map_err(|faults| Failure::Input(faults.into_list()))?;
    drop(progress);
    exit::remark(import.report.to_string().trim_end());
    // A ledger is the whole truth about its accounts.
    let source = beancount::source(&wanted.ledger);
    let replaces = Replaces { user_id: person.user_id, source: &source, remove: wanted.replace };
    let stored =
        source::store(client, import.records.into_iter().map(Ok), Some(replaces), wanted.rehearsal).await;
    stored.map_err(|failure| match failure {
        Failure::Input(faults) => Failure::Input(faults.into_iter().map(name_replace_flag).collect()),
        other => other,
    })
}

/// Adds the flag that removes stored transactions to the fault about their absence from the ledger.
fn name_replace_flag(fault: Fault) -> Fault {
    if fault.rule != ABSENT_TRANSACTIONS {
        return fault;
    }
    let rule =
        format!("{ABSENT_TRANSACTIONS}: restore the transactions there, or remove them here with --replace");
    Fault { rule, ..fault }
}

fn account_map(path: Option<&Path>) -> Result<AccountMap, Failure> {
    let Some(path) = path else { return Ok(AccountMap::built_in()) };
    let unreadable = |error| Failure::configuration(format!("{} cannot be read: {error}", path.display()));
    let text = std::io::read_to_string(source::open(path)?).map_err(unreadable)?;
    AccountMap::from_toml(&text, &path.display().to_string())
        .map_err(|faults| Failure::Input(faults.into_list()))
}

/// The day it is for a person.
async fn today(client: &Client, time_zone: &str) -> Result<Date, Failure> {
    let row = client.query_one("select (now() at time zone $1)::date", &[&time_zone]).await;
    row.map(|row| row.get(0)).map_err(|error| Failure::database(&error))
}

fn user_of(person: Person) -> Result<User, Failure> {
    let preferred_currency = Currency::parse(&person.preferred_currency)
        .map_err(|error| Failure::internal("the person's currency is not one", &error))?;
    Ok(User {
        user_id: person.user_id,
        email: person.email,
        preferred_currency,
        time_zone: person.time_zone,
        excluded_categories: Vec::new(),
    })
}
