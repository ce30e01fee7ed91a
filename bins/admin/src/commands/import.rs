//! Imports other programs' books.

use std::path::Path;

use domain::Currency;
use ingest::beancount::{self, AccountMap};
use ingest::load::Absent;
use ingest::people::Person;
use ingest::record::User;
use tokio_postgres::Client;

use super::{source, user};
use crate::arguments::Rehearsal;
use crate::exit::{self, Failure};
use crate::progress::Progress;

/// Imports a Beancount ledger for a person who exists, whose settings stay as they are.
pub(super) async fn beancount(
    client: &mut Client,
    file: &Path,
    email: &str,
    map: Option<&Path>,
    replace: bool,
    rehearsal: Rehearsal,
) -> Result<(), Failure> {
    let person = user_of(user::find(client, email).await?)?;
    let map = match map {
        None => AccountMap::built_in(),
        Some(path) => {
            let text = std::io::read_to_string(source::open(path)?).map_err(|error| {
                Failure::configuration(format!("{} cannot be read: {error}", path.display()))
            })?;
            AccountMap::from_toml(&text, &path.display().to_string()).map_err(Failure::Input)?
        }
    };
    // A ledger that is not there is wrong usage; one that is wrong is wrong data.
    drop(source::open(file)?);
    let progress = Progress::start("booking");
    let import = beancount::import(file, &person, &map, &|directives| progress.reached(directives))
        .map_err(Failure::Input)?;
    drop(progress);
    exit::remark(import.report.to_string().trim_end());
    // A ledger is the whole truth about its accounts.
    let absent = if replace { Absent::Remove } else { Absent::Refuse };
    source::store(client, import.records.into_iter().map(Ok), absent, rehearsal).await
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
