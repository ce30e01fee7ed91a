//! Brings the schema up to date.

use schema::Status;

use crate::arguments::Rehearsal;
use crate::database::{self, Database};
use crate::exit::Failure;
use crate::output;
use crate::settings::Settings;

pub(super) async fn run(settings: Settings, rehearsal: Rehearsal) -> Result<(), Failure> {
    if rehearsal.dry_run && database::is_empty_folder(&settings) {
        // Trying it out would make the database.
        super::remark_on_rehearsal(rehearsal);
        return say(
            true,
            0,
            schema::latest_version(),
            schema::MIGRATIONS.iter().map(|migration| migration.name),
        );
    }
    let mut database = Database::to_migrate(settings).await?;
    let done = if rehearsal.dry_run { plan(&database, rehearsal).await } else { apply(&mut database).await };
    database.close(done).await
}

async fn apply(database: &mut Database) -> Result<(), Failure> {
    let applied = schema::migrate(&mut database.client).await?;
    if database.is_private() {
        schema::allow_local_logins(&database.client).await?;
    }
    say(false, applied.from, applied.to, applied.names)
}

async fn plan(database: &Database, rehearsal: Rehearsal) -> Result<(), Failure> {
    let latest = schema::latest_version();
    let (from, names) = match schema::status(&database.client).await? {
        Status::Current => (latest, Vec::new()),
        Status::Absent => (0, schema::MIGRATIONS.iter().map(|migration| migration.name).collect()),
        Status::Behind { version, missing } => (version, missing),
        Status::Ahead { version: found } => return Err(schema::Error::Ahead { found, known: latest }.into()),
        Status::Edited { version, name } => return Err(schema::Error::Edited { version, name }.into()),
    };
    super::remark_on_rehearsal(rehearsal);
    say(true, from, latest, names)
}

fn say(
    planned: bool,
    from: i32,
    to: i32,
    names: impl IntoIterator<Item = &'static str>,
) -> Result<(), Failure> {
    let verb = if planned { "to apply" } else { "applied" };
    let mut lines: Vec<String> = names.into_iter().map(|name| format!("{verb}  {name}")).collect();
    lines.push(match (planned, from == to) {
        (_, true) => format!("schema version {to}, up to date"),
        (true, false) => format!("schema version {from}, to become {to}"),
        (false, false) => format!("schema version {to}, was {from}"),
    });
    output::lines(lines)
}
