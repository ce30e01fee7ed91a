//! `migrate`: creates the schema or brings it up to date.

use passbook_schema::Status;
use passbook_settings::remedies;

use super::transaction::{Rehearsal, note_dry_run};
use crate::database::{self, Database};
use crate::error::CommandError;
use crate::output;
use crate::settings::DatabaseLocation;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin migrate --dry-run
  passbook-admin migrate";

/// Migrates the database, or prints the migrations in a dry run.
pub(super) async fn run(location: DatabaseLocation, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let data_location = location.to_string();
    // A dry run must not open an embedded database that does not exist, because opening would create it.
    if let DatabaseLocation::Embedded(config) = &location
        && rehearsal.dry_run
        && database::is_absent(config)
    {
        note_dry_run(rehearsal);
        return print(&data_location, true, 0, passbook_schema::latest_version(), all_migrations());
    }
    let mut database = Database::for_migration(location).await?;
    let result = if rehearsal.dry_run {
        plan(&mut database, rehearsal, &data_location).await
    } else {
        apply(&mut database, &data_location).await
    };
    database.close(result).await
}

async fn apply(database: &mut Database, data_location: &str) -> Result<(), CommandError> {
    let applied = passbook_schema::migrate(&mut database.client).await?;
    if database.is_embedded() {
        passbook_schema::allow_local_logins(&database.client).await?;
    }
    print(data_location, false, applied.from, applied.to, applied.names)?;
    examine(database).await
}

/// Checks the schema after the migrations. Objects may be missing in a database of the right version, for example after
/// a restore that failed.
async fn examine(database: &mut Database) -> Result<(), CommandError> {
    let examined = passbook_store::check_schema(&mut database.client).await;
    let problems =
        examined.map_err(|error| CommandError::internal("the schema cannot be examined", &error))?;
    if problems.is_empty() {
        return Ok(());
    }
    let line = |problem| remedies::start_up_finding(problem).to_string();
    Err(CommandError::Configuration(problems.iter().map(line).collect()))
}

async fn plan(
    database: &mut Database,
    rehearsal: Rehearsal,
    data_location: &str,
) -> Result<(), CommandError> {
    let latest = passbook_schema::latest_version();
    let status = passbook_schema::status(&database.client).await?;
    let names = match &status {
        Status::Absent => all_migrations().collect(),
        Status::Behind { missing, .. } => missing.clone(),
        _ => Vec::new(),
    };
    let from = status.version()?.unwrap_or(0);
    note_dry_run(rehearsal);
    print(data_location, true, from, latest, names)?;
    if from == latest { examine(database).await } else { Ok(()) }
}

fn all_migrations() -> impl Iterator<Item = &'static str> {
    passbook_schema::MIGRATIONS.iter().map(|migration| migration.name)
}

/// Prints the migrations, the schema version and the location of the data. `planned` is true in a dry run.
fn print(
    data_location: &str,
    planned: bool,
    from: i32,
    to: i32,
    names: impl IntoIterator<Item = &'static str>,
) -> Result<(), CommandError> {
    let verb = if planned { "to apply" } else { "applied" };
    let mut lines = vec![format!("data in {data_location}")];
    lines.extend(names.into_iter().map(|name| format!("{verb}  {name}")));
    lines.push(match (planned, from == to) {
        (_, true) => format!("schema version {to}, up to date"),
        (true, false) => format!("schema version {from}, to become {to}"),
        (false, false) => format!("schema version {to}, was {from}"),
    });
    output::lines(lines)
}
