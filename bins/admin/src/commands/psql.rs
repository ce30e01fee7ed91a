//! `psql`: opens a shell on the database.

mod environment;

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitCode, ExitStatus};

use clap::Args;
use tokio::process::Command;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::database::Database;
use crate::error::CommandError;
use crate::settings::{ClientFolders, DatabaseLocation, Settings};

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
            environment::set(&mut command, &config, wanted.write);
            wait(command).await
        }
        DatabaseLocation::Embedded(config) => {
            let (database, superuser) = Database::for_shell(config).await?;
            environment::set(&mut command, &superuser, wanted.write);
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
