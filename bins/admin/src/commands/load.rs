//! `load` and `rates load`: load a bundle, and exchange rates.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use passbook_ingest::load::{
    self, CredentialChange, Options, Permission, Removal, Summary, credential_rules,
};
use passbook_input::Faults;
use passbook_records::{Located, Record};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::transaction::{self, Rehearsal};
use super::{input, remedies, removal};
use crate::error::CommandError;
use crate::output::{self, Progress};

pub(super) const BUNDLE_EXAMPLES: &str = "\
Examples:
  passbook-admin load bundle.json --user you@example.org --with-credentials --dry-run
  passbook-admin load - --user you@example.org --with-credentials < bundle.json";

/// A bundle to load.
#[derive(Debug, Args)]
pub(crate) struct BundleLoad {
    /// Bundle file, or - for standard input
    pub(crate) file: PathBuf,
    /// E-mail address of a user whose rows the bundle may write; repeat it for several. Without it, the bundle may
    /// write the rows of new users only
    #[arg(long = "user", value_name = "EMAIL")]
    pub(crate) users: Vec<String>,
    /// Also store the OAuth clients, consents, sessions and tokens of the bundle, which give access to data
    #[arg(long)]
    pub(crate) with_credentials: bool,
    /// Load also new transactions on days of an imported file of their account: both count
    #[arg(long)]
    pub(crate) beside_others: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

pub(super) const RATES_EXAMPLES: &str = "\
Examples:
  passbook-admin rates load eurofxref-hist.csv";

#[derive(Debug, Subcommand)]
pub(crate) enum RatesCommand {
    /// Load the reference rates of the European Central Bank (CSV)
    Load {
        /// File of rates, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// Loads all records of a bundle, or none if any has a fault.
pub(super) async fn load_bundle(client: &mut Client, wanted: &BundleLoad) -> Result<(), CommandError> {
    let records = passbook_records::bundle::read(input::open(&wanted.file)?, credential_rules());
    let permission = Permission { credentials: wanted.with_credentials, people: &wanted.users };
    let options =
        Options { permission: Some(permission), beside_files: wanted.beside_others, ..Options::default() };
    let loaded = load_records(client, records, options, wanted.rehearsal).await;
    loaded.map_err(|error| error.map_faults(remedies::name_remedy_of_bundle))
}

/// Loads all rates of a file of the European Central Bank, or none if any has a fault.
pub(super) async fn load_rates(
    client: &mut Client,
    file: &Path,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let records = passbook_records::ecb_rates::read(input::open(file)?);
    load_records(client, records, Options::default(), rehearsal).await
}

/// Returns what the totals of a user, or of each user, leave out because a rate is missing, with the command that loads rates.
pub(super) async fn missing_rates(
    client: &Client,
    user_id: Option<Uuid>,
) -> Result<Vec<String>, CommandError> {
    let statement = "select email, preferred_currency, string_agg(format('%s (%s transactions, %s to %s)', currency, number, \
                     first_day, last_day), ', ' order by currency) \
                     from (select users.email, users.preferred_currency, rows.currency, count(*) as number, \
                     min(rows.date) as first_day, max(rows.date) as last_day \
                     from passbook.users join passbook.transactions as rows on rows.user_id = users.user_id \
                     where ($1::uuid is null or users.user_id = $1) and users.has_unconverted \
                     and rows.converted_cents is null and not rows.is_superseded \
                     and rows.currency <> users.preferred_currency group by 1, 2, 3) as missing \
                     group by 1, 2 order by 1";
    let rows = client.query(statement, &[&user_id]).await?;
    let text = |row: &Row| {
        let (email, currency, missing): (&str, &str, &str) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(format!(
            "totals of {email} in {currency} leave out {missing}, because no exchange rates of these days are stored: \
             passbook-admin rates load eurofxref-hist.csv"
        ))
    };
    rows.iter().map(text).collect()
}

/// Loads a few records that a command made, without printing anything. `place` names them in faults.
pub(super) async fn store(
    client: &mut Client,
    records: impl IntoIterator<Item = Record>,
    place: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let located = |record| Ok(Located { place: place.to_owned(), record });
    let records: Vec<_> = records.into_iter().map(located).collect();
    let on_removal = |removal: &Removal| removal::list(removal);
    let options = Options { dry_run: rehearsal.dry_run, on_removal: Some(&on_removal), ..Options::default() };
    load::load(client, records.into_iter(), options).await?;
    transaction::note_dry_run(rehearsal);
    Ok(())
}

/// Loads records, and prints the number of changed rows in each table, the people whose rows the input has, and the changed
/// credentials.
pub(super) async fn load_records<I>(
    client: &mut Client,
    records: I,
    options: Options<'_>,
    rehearsal: Rehearsal,
) -> Result<(), CommandError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let progress = Progress::start("loading");
    let update = |records| progress.update(records);
    let on_removal = |removal: &Removal| progress.suspend(|| removal::list(removal));
    let options = Options {
        dry_run: rehearsal.dry_run,
        progress: Some(&update),
        on_removal: Some(&on_removal),
        ..options
    };
    let loaded = load::load(client, records, options).await;
    drop(progress);
    let summary = loaded?;
    transaction::note_dry_run(rehearsal);
    output::lines(tables(&summary).into_iter().chain(people_and_credentials(&summary)))
}

/// Returns the lines about the tables.
fn tables(summary: &Summary) -> Vec<String> {
    let heading = ["table", "inserted", "updated", "unchanged", "removed", "already absent"];
    let tables = summary.tables.iter().map(|table| {
        let counts = [table.inserted, table.updated, table.unchanged, table.removed, table.absent];
        let [inserted, updated, unchanged, removed, absent] = counts.map(|count| count.to_string());
        [table.table.to_owned(), inserted, updated, unchanged, removed, absent]
    });
    output::table(heading, tables)
}

/// Maximum number of people, and of credentials, that are named.
const LISTED_MAX: usize = 20;

/// Returns the lines that name the people whose rows a load wrote, and the credentials that it changed.
fn people_and_credentials(summary: &Summary) -> Vec<String> {
    let people = summary.people.iter().take(LISTED_MAX).cloned().chain(more(summary.people.len()));
    let mut lines: Vec<String> = people.map(|text| format!("rows of: {text}")).collect();
    if !summary.credentials.is_empty() {
        let heading = ["credential", "name", "owner", "change"];
        lines.extend(output::table(heading, summary.credentials.iter().take(LISTED_MAX).map(row)));
        lines.extend(more(summary.credentials.len()));
    }
    lines
}

fn more(count: usize) -> Option<String> {
    count.checked_sub(LISTED_MAX).filter(|more| *more > 0).map(|more| format!("and {more} more"))
}

fn row(change: &CredentialChange) -> [String; 4] {
    let owner = change.owner.clone().unwrap_or_else(|| "everyone".to_owned());
    let inserted = if change.inserted { "inserted" } else { "updated" };
    [change.table.to_owned(), change.name.clone(), owner, inserted.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_credentials_are_named_up_to_a_limit() {
        let change = |name: &str, owner: Option<&str>| CredentialChange {
            table: "oauth_clients",
            name: name.to_owned(),
            owner: owner.map(str::to_owned),
            inserted: owner.is_some(),
        };
        let summary = Summary {
            people: (0..22).map(|number| format!("{number}@example.org")).collect(),
            credentials: vec![change("a (A)", Some("a@b")), change("b\u{1b}[2J", None)],
            ..Summary::default()
        };
        let lines = people_and_credentials(&summary);
        assert_eq!(lines[0], "rows of: 0@example.org");
        assert_eq!(
            lines[20..],
            [
                "rows of: and 2 more",
                "credential     name   owner     change",
                "oauth_clients  a (A)  a@b       inserted",
                "oauth_clients  b\u{fffd}[2J  everyone  updated",
            ]
        );
        assert!(super::people_and_credentials(&Summary::default()).is_empty());
    }
}
