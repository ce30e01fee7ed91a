//! The end of the help of every command: settings without a flag, and exit codes.

use clap::Command;
use passbook_settings::{Program, SETTINGS, settings_without_flag};

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
pub(super) fn with_end(command: Command) -> Command {
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
