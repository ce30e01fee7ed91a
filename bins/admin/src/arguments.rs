//! The command line. The flags for settings come from the table of settings; the commands are declared here.

mod accounts;
mod backup;
mod clients;
mod consents;
mod definitions;
mod help;
mod importing;
mod listing;
mod loading;
mod rehearsal;
mod sessions;
mod shell;
#[cfg(test)]
mod tests;
mod tokens;
mod users;
mod values;

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use passbook_settings::{CONFIG_FLAG, Program, Sources, flag_values, flags};

use crate::secrets;

pub(crate) use accounts::AccountCommand;
pub(crate) use backup::{NewBackup, Restoration};
pub(crate) use clients::{ClientCommand, NewClient, UpdatedClient};
pub(crate) use consents::ConsentCommand;
pub(crate) use definitions::DefinitionsCommand;
pub(crate) use importing::{Categorize, Explain, FileImport, Import, Preview, Reading, Reconcile, Undo};
pub(crate) use listing::{Format, Listing};
pub(crate) use loading::{BeancountImport, BundleLoad, ImportCommand, RatesCommand};
pub(crate) use rehearsal::Rehearsal;
pub(crate) use sessions::SessionCommand;
pub(crate) use shell::DatabaseShell;
pub(crate) use tokens::{NewToken, TokenCommand, TokenReference};
pub(crate) use users::{NewUser, UserCommand};

const DATABASE_HELP: &str = "\
The database is the one in PASSBOOK_ADMIN_DATABASE_URL. If that is not set, it is the embedded database in the data \
folder, which is started for the command unless it is running already.";

const TOKEN_GIVEN: &str = "\
an argument contains a personal access token, and command lines are visible to all users of this machine. Revoke the \
token with `passbook-admin token revoke -`, which reads the token from standard input";

const MIGRATE_EXAMPLES: &str = "\
Examples:
  passbook-admin migrate --dry-run
  passbook-admin migrate";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  passbook-admin doctor
  passbook-admin doctor --output json";

const DERIVE_EXAMPLES: &str = "\
Examples:
  passbook-admin derive --check
  passbook-admin derive";

/// The parsed command line.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The command to run.
    pub(crate) command: Command,
    matches: ArgMatches,
}

/// Administer Passbook: the schema, users, access, and loading data
#[derive(Debug, Parser)]
#[command(name = "passbook-admin", version, after_help = DATABASE_HELP)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// Parses the command line. `arguments` starts with the name of the program.
    ///
    /// # Errors
    /// Wrong usage, and the text of `--help` or `--version`.
    pub(crate) fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
        if secrets::contain_token(arguments) {
            return Err(command().error(ErrorKind::InvalidValue, TOKEN_GIVEN));
        }
        let matches = command().try_get_matches_from(arguments).map_err(without_token_id)?;
        let command = CommandLine::from_arg_matches(&matches)?.command;
        Ok(Arguments { command, matches })
    }

    /// Returns the values of all settings: those of the flags, of `environment` and of the settings file.
    pub(crate) fn sources(&self, environment: impl IntoIterator<Item = (OsString, OsString)>) -> Sources {
        let file = self.matches.get_one::<String>(CONFIG_FLAG).map(Path::new);
        Sources::from_environment(environment)
            .with_flags(flag_values(Program::Admin, &self.matches))
            .with_file(file)
    }
}

/// Returns the definition of the command line, with the flags of the settings, which every command accepts.
pub(crate) fn command() -> clap::Command {
    let settings = flags(Program::Admin).map(|flag| flag.global(true).help_heading("Settings"));
    help::with_end(CommandLine::command().args(settings))
}

/// Removes the received value from an error about the id of a token, because the value may be a part of a token.
fn without_token_id(mut error: clap::Error) -> clap::Error {
    let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    if argument.contains("TOKEN_ID") && error.get(ContextKind::InvalidValue).is_some() {
        error.insert(ContextKind::InvalidValue, ContextValue::String(secrets::WITHHELD.to_owned()));
    }
    error
}

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create the schema or bring it up to date
    #[command(after_help = MIGRATE_EXAMPLES)]
    Migrate {
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Check the database, the identity provider and the clock, and print what to change
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor {
        #[command(flatten)]
        listing: Listing,
    },
    /// Write all rows to a file: users, their data, tokens as hashes, clients and exchange rates
    #[command(after_help = backup::BACKUP_EXAMPLES)]
    Backup(NewBackup),
    /// Restore a backup into an empty database, and bring its schema up to date
    #[command(after_help = backup::RESTORE_EXAMPLES)]
    Restore(Restoration),
    /// Open a shell on the database (psql); transactions are read-only unless --write is given
    #[command(after_help = shell::EXAMPLES)]
    Psql(DatabaseShell),
    /// Show the content of a file of a bank or an app; nothing is stored
    #[command(after_help = importing::PREVIEW_EXAMPLES)]
    Preview(Preview),
    #[command(flatten)]
    Data(DataCommand),
    #[command(flatten)]
    Definitions(DefinitionsCommand),
}

impl Command {
    /// Returns true if the command reads the settings of the server.
    pub(crate) fn examines_server(&self) -> bool {
        matches!(self, Command::Doctor { .. })
    }
}

/// A command that reads or writes rows.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Create, list, show, rename and delete users
    #[command(subcommand, after_help = users::EXAMPLES)]
    User(UserCommand),
    /// List and show accounts
    #[command(subcommand, after_help = accounts::EXAMPLES)]
    Account(AccountCommand),
    /// Create, list, rotate and revoke personal access tokens
    #[command(subcommand, after_help = tokens::EXAMPLES)]
    Token(TokenCommand),
    /// Create, list and revoke OAuth clients
    #[command(subcommand, after_help = clients::EXAMPLES)]
    Client(ClientCommand),
    /// List and revoke the consents that users gave to clients
    #[command(subcommand, after_help = consents::EXAMPLES)]
    Consent(ConsentCommand),
    /// List and revoke sessions of clients
    #[command(subcommand, after_help = sessions::EXAMPLES)]
    Session(SessionCommand),
    /// Load exchange rates
    #[command(subcommand, after_help = loading::RATES_EXAMPLES)]
    Rates(RatesCommand),
    /// Derive converted amounts, links and totals again; other writers wait
    #[command(after_help = DERIVE_EXAMPLES)]
    Derive {
        /// Only compare the derived data with the rows of users; exit code 65 if they differ
        #[arg(long)]
        check: bool,
    },
    /// Load a bundle of records: all of them, or none if any record has a fault
    #[command(after_help = loading::BUNDLE_EXAMPLES)]
    Load(BundleLoad),
    /// Import files of banks and other apps, or the books of another program
    #[command(after_help = importing::IMPORT_EXAMPLES)]
    Import(Box<Import>),
    /// Undo the import of a file: afterwards, all is as if it had never been imported
    #[command(after_help = importing::UNDO_EXAMPLES)]
    Undo(Undo),
    /// Show where an imported transaction comes from: lines, identity, category and link
    #[command(after_help = importing::EXPLAIN_EXAMPLES)]
    Explain(Explain),
    /// Apply the rules to all imported transactions again
    #[command(after_help = importing::CATEGORIZE_EXAMPLES)]
    Categorize(Categorize),
    /// Compare imported transactions with the balances of their files
    #[command(after_help = importing::RECONCILE_EXAMPLES)]
    Reconcile(Reconcile),
}
