//! `doctor`: checks the database, the identity provider and the clock, and prints what to change.
//!
//! The command uses the server's role and the server's start-up checks. It changes nothing and serves nothing.

mod admin_database;
mod clients;
mod connection;
mod machine;
mod provider;

use passbook_schema::Status;
use passbook_settings::remedies;
use passbook_store::{ConnectError, ConnectionSettings, Store};
use serde::Serialize;

use crate::database::{ADMIN_URL, Database, READER_URL, is_absent};
use crate::error::{CommandError, chain};
use crate::listing::{self, Column, ListEntry, Listing};
use crate::settings::{APPLICATION_NAME, DatabaseLocation, Settings};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin doctor
  passbook-admin doctor --output json";

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
    match &server.database {
        Some(reader) => {
            examine_role_and_schema(reader.clone(), READER_URL, &mut findings).await;
            admin_database::examine(&settings.database, reader, &mut findings).await;
            connection::examine(reader, server.prepares_statements, &mut findings).await;
        }
        None => examine_embedded_database(settings.database, &mut findings).await,
    }
    provider::examine(&server, &mut findings).await;
    if let Some((chain, key)) = &server.certificate {
        machine::examine_certificate(chain, key, &mut findings);
    }
    if let Some(file) = &server.exposed_file {
        let file = file.display();
        findings.warning(
            "settings",
            format!("every account of this machine may read the secrets in {file}: run `chmod o-r {file}`"),
        );
    }
    listing::print(&findings.0, listing)?;
    match findings.broken_count() {
        0 => Ok(()),
        1 => Err(CommandError::configuration("1 check failed: its line above says what to change")),
        count => Err(CommandError::configuration(format!(
            "{count} checks failed: their lines above say what to change"
        ))),
    }
}

/// Examines the embedded database, which the server would serve.
async fn examine_embedded_database(location: DatabaseLocation, findings: &mut Findings) {
    let config = match location {
        DatabaseLocation::Embedded(config) => config,
        location @ DatabaseLocation::External(_) => {
            return findings.broken(
                DATABASE,
                format!(
                    "{READER_URL} is not set, so the server would use the embedded database, and not the {location} of \
                     {ADMIN_URL}: set {READER_URL} to that database with the role passbook_reader"
                ),
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
    machine::examine_disk(&config.data_dir, findings);
    let (database, reader) = match Database::embedded_for(passbook_schema::READER, config).await {
        Ok(found) => found,
        Err(error) => return findings.broken(DATABASE, error.lines().join("; ")),
    };
    if matches!(passbook_schema::status(&database.client).await, Ok(Status::Absent)) {
        findings.warning(DATABASE, "the database has no schema yet: start the server, which creates it");
    } else {
        examine_role_and_schema(reader, "the embedded database", findings).await;
        clients::examine(&database.client, findings).await;
    }
    if let Err(error) = database.close(Ok(())).await {
        findings.broken(DATABASE, error.lines().join("; "));
    }
}

/// Runs the start-up check of the server. `subject` names the database in messages about the connection.
async fn examine_role_and_schema(connection: ConnectionSettings, subject: &str, findings: &mut Findings) {
    let connection = connection.with_application_name(APPLICATION_NAME);
    let config = passbook_store::StoreConfig::new(connection).with_connections_max(1);
    match Store::connect(config).await {
        Ok(_) => findings.ok(
            DATABASE,
            format!("role and schema are right (schema version {})", passbook_store::EXPECTED_SCHEMA_VERSION),
        ),
        Err(ConnectError::Unfit(problems)) => {
            for problem in &problems {
                findings.broken(DATABASE, remedies::start_up_finding(problem).to_string());
            }
        }
        Err(ConnectError::Refused(failure) | ConnectError::Unreachable(failure)) => {
            findings.broken(DATABASE, format!("{subject}: {failure}"));
        }
        Err(error) => {
            findings.broken(DATABASE, format!("{subject}: {}", chain(&error)));
        }
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// The checked subject works.
    Ok,
    /// The checked subject works for some clients only.
    #[serde(rename = "warn")]
    Warning,
    /// The checked subject does not work.
    Broken,
}

/// One finding: the result, the subject, and the facts with the remedy.
#[derive(Debug, Serialize)]
struct Finding {
    state: State,
    subject: &'static str,
    text: String,
}

/// The findings in the order of the checks.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn ok(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Ok, subject, text);
    }

    fn warning(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Warning, subject, text);
    }

    fn broken(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Broken, subject, text);
    }

    fn add(&mut self, state: State, subject: &'static str, text: impl Into<String>) {
        self.0.push(Finding { state, subject, text: text.into() });
    }

    /// Returns the number of broken subjects.
    fn broken_count(&self) -> usize {
        self.0.iter().filter(|finding| finding.state == State::Broken).count()
    }
}

impl ListEntry for Finding {
    // Each line says what it is about, so no column has a heading.
    const COLUMNS: &[Column<Finding>] = &[
        ("", |entry| {
            let state = match entry.state {
                State::Ok => "ok",
                State::Warning => "warn",
                State::Broken => "broken",
            };
            state.to_owned()
        }),
        ("", |entry| entry.subject.to_owned()),
        ("", |entry| entry.text.clone()),
    ];
}
