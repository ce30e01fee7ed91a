//! The end of the help of every command: settings without a flag, and exit codes.

use ::settings::{Program, settings_without_flag};
use clap::Command;

const EXIT_CODES: &str = "\
Exit codes:
  0   success
  64  wrong usage; a setting, the database role or the schema breaks a rule; `doctor` found a problem
  65  wrong input; every fault is listed
  69  the database or a program that the command needs is not available
  70  an internal error";

/// Adds the end of the help to a command and its subcommands, after the examples of the command.
pub(super) fn with_end(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_end));
    let examples = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
    command.after_help(format!("{examples}{}\n\n{EXIT_CODES}", settings_without_flag(Program::Admin)))
}
