//! The command line. The flags for settings come from the table of settings; the commands are declared here.

mod backup;
mod clients;
mod consents;
mod loading;
mod rehearsal;
mod sessions;
mod tokens;
mod users;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ::settings::{CONFIG_FLAG, Program, Sources, flag_values, flags};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub(crate) use backup::{NewBackup, Restoration};
pub(crate) use clients::{ClientCommand, NewClient};
pub(crate) use consents::ConsentCommand;
pub(crate) use loading::{BeancountImport, ImportCommand, RatesCommand};
pub(crate) use rehearsal::Rehearsal;
pub(crate) use sessions::SessionCommand;
pub(crate) use tokens::{NewToken, TokenCommand};
pub(crate) use users::{NewUser, UserCommand};

const AFTER_HELP: &str = "\
The database is the one in PASSBOOK_ADMIN_DATABASE_URL (admin_database_url in the settings file). If that is not \
set, it is the embedded database in the data folder, which is started for the command unless it is running already.

Exit codes: 0 success; 64 wrong usage, a setting, database role or schema that breaks a rule, or something that \
`doctor` found broken; 65 wrong input, with every fault listed; 69 the database cannot be reached; 70 an internal error.";

/// The parsed command line.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The command to run.
    pub(crate) command: Command,
    matches: ArgMatches,
}

/// Administer Passbook: the schema, users, access, and loading data
#[derive(Debug, Parser)]
#[command(name = "passbook-admin", version, after_help = AFTER_HELP)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// Parses the command line. `arguments` starts with the name of the program.
    ///
    /// # Errors
    /// Wrong usage, and the text of `--help` or `--version`.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        let matches = command().try_get_matches_from(arguments)?;
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

/// Returns the command line with the flags of the settings, which every command accepts.
fn command() -> clap::Command {
    CommandLine::command().args(flags(Program::Admin).map(|flag| flag.global(true)))
}

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create the schema or bring it up to date
    Migrate {
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Check the database, the identity provider and the clock, and print what to change
    Doctor,
    /// Write all rows to a file: users, their data, tokens as hashes, clients and exchange rates
    Backup(NewBackup),
    /// Restore a backup into an empty database, and bring its schema up to date
    Restore(Restoration),
    #[command(flatten)]
    Data(DataCommand),
}

impl Command {
    /// Returns true if the command reads the settings of the server.
    pub(crate) fn examines_server(&self) -> bool {
        matches!(self, Command::Doctor)
    }
}

/// A command that reads or writes rows.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Create and list users
    #[command(subcommand)]
    User(UserCommand),
    /// Create, list and revoke personal access tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Create, list and revoke OAuth clients
    #[command(subcommand)]
    Client(ClientCommand),
    /// List and revoke the consents that users gave to clients
    #[command(subcommand)]
    Consent(ConsentCommand),
    /// List and revoke sessions of clients
    #[command(subcommand)]
    Session(SessionCommand),
    /// Load exchange rates
    #[command(subcommand)]
    Rates(RatesCommand),
    /// Load a bundle of records: all of them, or none if any record has a fault
    Load {
        /// Bundle file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Import the books of another program
    #[command(subcommand)]
    Import(ImportCommand),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::parse(std::iter::once(&"passbook-admin").chain(words).map(OsString::from))
    }

    #[test]
    fn command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn secrets_have_no_flag() {
        let help = command().render_long_help().to_string();
        assert!(help.contains("--data-dir") && !help.contains("database-url"), "{help}");
    }

    #[test]
    fn setting_flags_may_follow_any_command() {
        for words in [&["--data-dir", "/x", "user", "list"][..], &["user", "list", "--data-dir", "/x"]] {
            let sources = parse(words).expect("the command line is valid").sources([]);
            let mut reader = ::settings::Reader::new(&sources);
            assert_eq!(reader.path("PASSBOOK_DATA_DIR"), Some(PathBuf::from("/x")), "{words:?}");
        }
    }

    #[test]
    fn token_lifetime_is_at_most_a_year() {
        let words = |days| ["token", "create", "--user", "e", "--name", "n", "--expires-in-days", days];
        assert!(parse(&words("365")).is_ok());
        for days in ["0", "366", "-1", "x"] {
            assert!(parse(&words(days)).is_err(), "{days}");
        }
    }

    #[test]
    fn message_about_an_unknown_scope_lists_the_scopes() {
        let words = ["token", "create", "--user", "e", "--name", "n", "--scopes", "everything"];
        let error = parse(&words).expect_err("the scope is unknown").to_string();
        assert!(error.contains("transactions:read") && error.contains("preferences:read"), "{error}");
    }
}
