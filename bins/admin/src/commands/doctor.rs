//! Looks at everything that keeps a server from answering or clients from signing in, and says what to change.
//!
//! It reads as the server does: as its role, through the same checks. It changes nothing and serves nothing.

mod provider;

use store::{ConnectError, Store};

use crate::database::{Database, is_empty_folder};
use crate::exit::{Failure, chain};
use crate::output;
use crate::settings::{Served, Settings};

/// What was found about one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// As it should be.
    Fine,
    /// It works, and not for everyone.
    Doubtful,
    /// It does not work.
    Broken,
}

/// The lines, in the order in which they were found.
#[derive(Default)]
struct Findings(Vec<(State, &'static str, String)>);

impl Findings {
    fn fine(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((State::Fine, what, text.into()));
    }

    fn doubtful(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((State::Doubtful, what, text.into()));
    }

    fn broken(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((State::Broken, what, text.into()));
    }
}

/// Prints a line for each thing looked at; a failure when one of them is broken.
pub(crate) async fn run(settings: Settings, served: Served) -> Result<(), Failure> {
    let mut findings = Findings::default();
    database(settings, &served, &mut findings).await;
    provider::examine(&served, &mut findings).await;
    let rows: Vec<[String; 3]> = findings.0.iter().map(row).collect();
    output::lines(output::table(&rows))?;
    let broken = findings.0.iter().filter(|(state, ..)| *state == State::Broken).count();
    match broken {
        0 => Ok(()),
        1 => Err(Failure::configuration("one thing is broken: the line above says what to change")),
        count => Err(Failure::configuration(format!(
            "{count} things are broken: the lines above say what to change"
        ))),
    }
}

fn row((state, what, text): &(State, &'static str, String)) -> [String; 3] {
    let state = match state {
        State::Fine => "ok",
        State::Doubtful => "warn",
        State::Broken => "broken",
    };
    [state.to_owned(), (*what).to_owned(), text.clone()]
}

/// The database that the server would answer from, as the server would find it.
async fn database(settings: Settings, served: &Served, findings: &mut Findings) {
    const WHAT: &str = "database";
    if let Some(config) = &served.database {
        return role_and_schema((**config).clone(), findings).await;
    }
    let folder = match &settings {
        Settings::External(_) => {
            return findings.broken(
                WHAT,
                "PASSBOOK_DATABASE_URL is not set, so the server would use a private database and not the one that \
                 PASSBOOK_ADMIN_DATABASE_URL names: set it to that database, with the role passbook_reader",
            );
        }
        Settings::Private(config) => config.data_dir.display().to_string(),
    };
    if is_empty_folder(&settings) {
        return findings.doubtful(
            WHAT,
            format!("there is none in {folder} yet: the server makes it at its first start, or PASSBOOK_DATA_DIR names another folder"),
        );
    }
    let (database, reader) = match Database::to_examine(settings).await {
        Ok(found) => found,
        Err(failure) => return findings.broken(WHAT, failure.lines().join("; ")),
    };
    role_and_schema(reader, findings).await;
    if let Err(failure) = database.close(Ok(())).await {
        findings.broken(WHAT, failure.lines().join("; "));
    }
}

async fn role_and_schema(connection: tokio_postgres::Config, findings: &mut Findings) {
    const WHAT: &str = "database";
    let config = store::Config { connection, connections_max: 1, today: None };
    match Store::connect(config).await {
        Ok(_) => findings.fine(
            WHAT,
            format!("role and schema are right (schema version {})", store::EXPECTED_SCHEMA_VERSION),
        ),
        Err(ConnectError::Unfit(problems)) => {
            for problem in problems {
                findings.broken(WHAT, problem.to_string());
            }
        }
        Err(error @ ConnectError::Refused(_)) => {
            findings.broken(
                WHAT,
                format!("{}: check role, password and database in PASSBOOK_DATABASE_URL", chain(&error)),
            );
        }
        Err(error) => {
            findings
                .broken(WHAT, format!("{}: check that it runs and that its address is right", chain(&error)));
        }
    }
}
