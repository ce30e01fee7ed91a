//! `doctor`: checks the database, the identity provider and the clock, and prints what to change.
//!
//! The command uses the server's role and the server's start-up checks. It changes nothing and serves nothing.

mod findings;
mod provider;

use ::settings::remedies;
use store::{ConnectError, Problem, Remedy, Store};

use crate::arguments::Listing;
use crate::database::{Database, is_absent};
use crate::error::{CommandError, chain};
use crate::settings::{APPLICATION_NAME, DatabaseLocation, ServerSettings, Settings};
use findings::Findings;

/// The subject of the findings about the database.
const DATABASE: &str = "database";

/// Prints one line for each finding.
///
/// # Errors
/// At least one broken finding.
pub(super) async fn run(settings: Settings, listing: Listing) -> Result<(), CommandError> {
    let Some(server) = settings.server else {
        return Err(CommandError::Internal("the settings of the server were not read".to_owned()));
    };
    let mut findings = Findings::default();
    examine_database(settings.database, &server, &mut findings).await;
    provider::examine(&server, &mut findings).await;
    findings.print(listing)?;
    match findings.broken_count() {
        0 => Ok(()),
        1 => Err(CommandError::configuration("1 check failed: its line above says what to change")),
        count => Err(CommandError::configuration(format!(
            "{count} checks failed: their lines above say what to change"
        ))),
    }
}

/// Examines the database that the server would serve.
async fn examine_database(location: DatabaseLocation, server: &ServerSettings, findings: &mut Findings) {
    if let Some(config) = &server.database {
        return examine_role_and_schema(config.clone(), findings).await;
    }
    let config = match location {
        DatabaseLocation::Embedded(config) => config,
        DatabaseLocation::External(_) => {
            return findings.broken(
                DATABASE,
                "PASSBOOK_DATABASE_URL is not set, so the server would use the embedded database instead of the one in \
                 PASSBOOK_ADMIN_DATABASE_URL: set PASSBOOK_DATABASE_URL to that database with the role passbook_reader",
            );
        }
    };
    if is_absent(&config) {
        return findings.warning(
            DATABASE,
            format!(
                "there is no database in {} yet: start the server, which creates one, or set PASSBOOK_DATA_DIR to the \
                 folder that has one",
                config.data_dir.display()
            ),
        );
    }
    let (database, reader) = match Database::for_examination(config).await {
        Ok(found) => found,
        Err(error) => return findings.broken(DATABASE, error.lines().join("; ")),
    };
    examine_role_and_schema(reader, findings).await;
    if let Err(error) = database.close(Ok(())).await {
        findings.broken(DATABASE, error.lines().join("; "));
    }
}

async fn examine_role_and_schema(mut connection: tokio_postgres::Config, findings: &mut Findings) {
    connection.application_name(APPLICATION_NAME);
    let config = store::Config { connection, connections_max: 1, today: None };
    match Store::connect(config).await {
        Ok(_) => findings.ok(
            DATABASE,
            format!("role and schema are right (schema version {})", store::EXPECTED_SCHEMA_VERSION),
        ),
        Err(ConnectError::Unfit(problems)) => {
            for problem in problems {
                findings.broken(DATABASE, with_remedy(problem));
            }
        }
        Err(error @ ConnectError::Refused(_)) => findings.broken(
            DATABASE,
            format!(
                "{}: correct the role, the password and the database in PASSBOOK_DATABASE_URL",
                chain(&error)
            ),
        ),
        Err(error) => findings.broken(
            DATABASE,
            format!(
                "{}: check that it is running and that PASSBOOK_DATABASE_URL has the right host and port",
                chain(&error)
            ),
        ),
    }
}

/// Returns the finding of the start-up check with its remedy, as a command where this project has one.
pub(super) fn with_remedy(problem: Problem) -> String {
    let remedy = match problem.remedy {
        Remedy::Migrate => remedies::MIGRATE.to_owned(),
        Remedy::NewerProgram => remedies::NEWER_SERVER.to_owned(),
        Remedy::Restore => remedies::RESTORE.to_owned(),
        Remedy::Statement(statement) => statement,
    };
    format!("{}: {remedy}", problem.finding)
}
