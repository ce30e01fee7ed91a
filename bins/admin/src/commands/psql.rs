//! `psql`: opens a shell on the database. psql finds the database by environment variables. Command lines are visible to
//! all users of the machine, so no value is an argument.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitCode, ExitStatus};

use clap::Args;
use passbook_store::ConnectionSettings;
use tokio::process::Command;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_postgres::config::Host;

use crate::database::Database;
use crate::error::CommandError;
use crate::settings::{APPLICATION_NAME, ClientFolders, DatabaseLocation, Settings};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin psql
  passbook-admin psql --command 'select email from passbook.users'
  passbook-admin psql --write --command 'analyze'

The exit code is that of psql. If psql cannot be found, the exit code is 69.";

/// The database shell to open.
#[derive(Debug, Args)]
pub(crate) struct DatabaseShell {
    /// Allow changes. Without this flag each transaction is read-only until the session sets another default
    #[arg(long)]
    pub(crate) write: bool,
    /// Arguments for psql. The name and the password of the database are passed in the environment instead
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// Name of the program.
const PSQL: &str = "psql";
/// Shells add this number to the number of the signal that ended a program.
const SIGNAL_EXIT_CODE: i32 = 128;

/// Runs psql on the database and returns the exit code of psql. The embedded server runs at least as long as psql.
pub(super) async fn run(settings: Settings, wanted: &DatabaseShell) -> Result<ExitCode, CommandError> {
    if wanted.arguments.iter().any(|argument| passbook_input::contains_token(&argument.to_string_lossy())) {
        let problem = "an argument of psql contains a token, and command lines are visible to all users of this \
                       machine; write the statement at the prompt of psql";
        return Err(CommandError::configuration(problem));
    }
    let mut command = Command::new(find(&settings.client_folders)?);
    command.args(&wanted.arguments);
    match settings.database {
        DatabaseLocation::External(config) => {
            set_environment(&mut command, &config, wanted.write);
            wait(command).await
        }
        DatabaseLocation::Embedded(config) => {
            let (database, superuser) = Database::embedded_for(passbook_embedded::SUPERUSER, config).await?;
            set_environment(&mut command, &superuser, wanted.write);
            let ended = wait(command).await;
            let closed = database.close(Ok(())).await;
            ended.and_then(|code| closed.map(|()| code))
        }
    }
}

fn find(folders: &ClientFolders) -> Result<std::path::PathBuf, CommandError> {
    let found =
        passbook_embedded::find_client(PSQL, folders.postgres_bin.as_deref(), folders.search_path.as_deref());
    found.ok_or_else(|| {
        CommandError::Unreachable(format!(
            "psql was not found in PASSBOOK_POSTGRES_BIN, in the folders of PATH or in the usual folders; install it \
             with: {}",
            passbook_embedded::client_install_command()
        ))
    })
}

/// Runs the shell until it ends.
async fn wait(mut command: Command) -> Result<ExitCode, CommandError> {
    // Ctrl-C and Ctrl-\ reach all processes of the terminal. psql handles them; this process must outlive psql.
    let _ignored = (ignored(SignalKind::interrupt())?, ignored(SignalKind::quit())?);
    let status = command.status().await;
    Ok(exit_code(status.map_err(|error| CommandError::internal("psql cannot be started", &error))?))
}

/// Replaces the effect of a signal, which would end this process, while the result exists. A program that this process
/// starts gets the usual effect.
fn ignored(kind: SignalKind) -> Result<Signal, CommandError> {
    signal(kind).map_err(|error| CommandError::internal("a signal cannot be handled", &error))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| SIGNAL_EXIT_CODE + signal));
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Variables of libpq that would select another database, or replace an option that this program sets.
const REPLACED: [&str; 15] = [
    "PGHOST",
    "PGHOSTADDR",
    "PGPORT",
    "PGDATABASE",
    "PGUSER",
    "PGPASSWORD",
    "PGSERVICE",
    "PGSERVICEFILE",
    "PGOPTIONS",
    "PGAPPNAME",
    "PGSSLMODE",
    "PGSSLROOTCERT",
    "PGREQUIRESSL",
    "PGCONNECT_TIMEOUT",
    "PGTARGETSESSIONATTRS",
];

/// Lets a command connect as `config` does. Without `write`, transactions are read-only by default.
fn set_environment(command: &mut Command, settings: &ConnectionSettings, write: bool) {
    for name in REPLACED {
        command.env_remove(name);
    }
    command.envs(variables(settings, write));
}

fn variables(settings: &ConnectionSettings, write: bool) -> Vec<(&'static str, OsString)> {
    let config = settings.config();
    let mut variables = vec![("PGAPPNAME", OsString::from(APPLICATION_NAME))];
    let mut add = |name, value: OsString| {
        if !value.is_empty() {
            variables.push((name, value));
        }
    };
    add("PGHOST", joined(config.get_hosts().iter().map(host_name)));
    add("PGHOSTADDR", joined(config.get_hostaddrs().iter().map(|address| address.to_string().into())));
    add("PGPORT", joined(config.get_ports().iter().map(|port| port.to_string().into())));
    add("PGDATABASE", config.get_dbname().unwrap_or_default().into());
    add("PGUSER", config.get_user().unwrap_or_default().into());
    add("PGPASSWORD", OsStr::from_bytes(config.get_password().unwrap_or_default()).to_owned());
    add("PGSSLMODE", settings.ssl_mode().into());
    add("PGSSLROOTCERT", settings.root_certificate().unwrap_or(Path::new("")).into());
    if let Some(timeout) = config.get_connect_timeout() {
        add("PGCONNECT_TIMEOUT", timeout.as_secs().max(1).to_string().into());
    }
    let read_only = (!write).then_some("-c default_transaction_read_only=on");
    let options = config.get_options().into_iter().chain(read_only);
    add("PGOPTIONS", options.collect::<Vec<&str>>().join(" ").into());
    variables
}

fn host_name(host: &Host) -> OsString {
    match host {
        Host::Tcp(name) => name.into(),
        Host::Unix(folder) => folder.into(),
    }
}

fn joined(values: impl Iterator<Item = OsString>) -> OsString {
    values.collect::<Vec<OsString>>().join(OsStr::new(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(url: &str, write: bool) -> String {
        let settings: ConnectionSettings = url.parse().expect("a URL");
        let variables = variables(&settings, write).into_iter();
        let lines: Vec<String> =
            variables.map(|(name, value)| format!("{name}={}", value.to_string_lossy())).collect();
        lines.join("\n")
    }

    #[test]
    fn url_becomes_environment_variables() {
        let url = "postgresql://ada:s%3Acret@one:1,two:2/books?options=-c%20a%3Db&connect_timeout=3&sslmode=disable";
        assert_eq!(
            text(url, false),
            "PGAPPNAME=passbook-admin\nPGHOST=one,two\nPGPORT=1,2\nPGDATABASE=books\nPGUSER=ada\nPGPASSWORD=s:cret\n\
             PGSSLMODE=disable\nPGCONNECT_TIMEOUT=3\nPGOPTIONS=-c a=b -c default_transaction_read_only=on"
        );
    }

    #[test]
    fn absent_values_are_left_to_psql() {
        assert_eq!(
            text("postgresql://ada@%2Frun%2Fpostgresql", true),
            "PGAPPNAME=passbook-admin\nPGHOST=/run/postgresql\nPGPORT=5432\nPGUSER=ada\nPGSSLMODE=prefer"
        );
    }
}
