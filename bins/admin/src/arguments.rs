//! The command line: the flags for settings, which come from the table of settings, and the commands with the end of
//! their help.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use passbook_settings::{CONFIG_FLAG, Program, SETTINGS, Sources, flag_values, flags, settings_without_flag};

use crate::commands::Command;
use crate::commands::definitions::DefinitionsCommand;
use crate::secrets;

const DATABASE_HELP: &str = "\
The database is the one in PASSBOOK_ADMIN_DATABASE_URL. If that is not set, it is the embedded database in the data \
folder, which is started for the command unless it is running already.";

const TOKEN_GIVEN: &str = "\
an argument contains a personal access token, and command lines are visible to all users of this machine. Revoke the \
token with `passbook-admin token revoke -`, which reads the token from standard input";

/// The parsed command line.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The action to take.
    pub(crate) action: Action,
    matches: ArgMatches,
}

/// Administer Passbook: the schema, users, access, and loading data
#[derive(Debug, Parser)]
#[command(name = "passbook-admin", version, after_help = DATABASE_HELP)]
struct CommandLine {
    #[command(subcommand)]
    action: Action,
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
        let matches =
            command().try_get_matches_from(arguments).map_err(without_token_id).map_err(with_command)?;
        let action = CommandLine::from_arg_matches(&matches)?.action;
        Ok(Arguments { action, matches })
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
    with_end(CommandLine::command().args(settings))
}

/// Removes the received value from an error about the id of a token, because the value may be a part of a token.
fn without_token_id(mut error: clap::Error) -> clap::Error {
    let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    if argument.contains("TOKEN_ID") && error.get(ContextKind::InvalidValue).is_some() {
        error.insert(ContextKind::InvalidValue, ContextValue::String(secrets::WITHHELD.to_owned()));
    }
    error
}

/// Words that people try, and the command for them.
const TRIED: [(&str, &str); 4] = [
    ("undo", "import undo FILE"),
    ("--undo", "import undo FILE"),
    ("move", "import move FILE --to ACCOUNT"),
    ("init", "setup FOLDER"),
];

/// Adds the command for a word that people try to the error about the word.
fn with_command(mut error: clap::Error) -> clap::Error {
    let word = error.get(ContextKind::InvalidSubcommand).or_else(|| error.get(ContextKind::InvalidArg));
    let word = word.map(ToString::to_string).unwrap_or_default();
    if let Some((_, command)) = TRIED.iter().find(|(tried, _)| *tried == word)
        && [ErrorKind::InvalidSubcommand, ErrorKind::UnknownArgument].contains(&error.kind())
    {
        let tip = format!("run `passbook-admin {command}`").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// The action that the command line names.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    #[command(flatten)]
    Command(Command),
    #[command(flatten)]
    Definitions(DefinitionsCommand),
}

const EXIT_CODES: &str = "\
Exit codes:
  0   success
  64  wrong usage; a setting, the database role or the schema breaks a rule; `doctor` found a problem
  65  wrong input; every fault is listed
  69  the database or a program that the command needs is not available
  70  an internal error";

/// The command that reads the settings of the server.
const DOCTOR: &str = "doctor";

/// Adds the end of the help to a command and its subcommands, after the examples of the command.
fn with_end(command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_end));
    let examples = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
    let server = if command.get_name() == DOCTOR { settings_of_server() } else { String::new() };
    let without_flag = settings_without_flag(Program::Admin);
    command.after_help(format!("{examples}{server}{without_flag}\n\n{EXIT_CODES}"))
}

/// The settings of the server that `doctor` reads.
fn settings_of_server() -> String {
    let settings = SETTINGS.iter().filter(|setting| setting.read_by.contains(&Program::Doctor));
    let lines: Vec<String> = settings
        .map(|setting| format!("  {}, in the settings file {}\n", setting.name, setting.key()))
        .collect();
    format!(
        "Settings of the server that the command checks, from the environment and the settings file:\n{}\n",
        lines.concat()
    )
}
