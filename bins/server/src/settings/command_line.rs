//! The command line of `passbook-server`. Problems are collected, so that they are reported with those of the settings.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use passbook_input::{Fault, Faults};
use passbook_settings::{CONFIG_FLAG, Program, Sources, flag_values, flags, settings_without_flag};

/// The flag that serves the demo household.
const DEMO_FLAG: &str = "demo";

const EXIT_CODES: &str = "\
Exit codes:
  0   success
  64  a flag, a setting, the database role or the schema breaks a rule
  69  the database cannot be reached
  70  an internal error
  75  stopped as requested, but running requests were cut off";

/// The parsed command line.
#[derive(Debug)]
pub struct CommandLine {
    matches: ArgMatches,
    problems: Faults,
}

/// The text that `--help` or `--version` asks for.
#[derive(Debug)]
pub struct HelpText(clap::Error);

impl HelpText {
    /// Prints the text and returns the exit code.
    pub fn print(&self) -> ExitCode {
        // A closed standard output is not an error: the text can be printed again.
        let _ = self.0.print();
        if self.0.use_stderr() { ExitCode::from(64) } else { ExitCode::SUCCESS }
    }
}

impl CommandLine {
    /// Parses the command line. `arguments` starts with the name of the program.
    ///
    /// # Errors
    /// The text to print, if the command line asks for help or the version.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLine, HelpText> {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        let mut problems = Faults::unlimited();
        loop {
            let error = match command().try_get_matches_from(&arguments) {
                Ok(matches) => return Ok(CommandLine { matches, problems }),
                Err(error) if error.use_stderr() => error,
                Err(help) => return Err(HelpText(help)),
            };
            problems.push(Fault::verbatim("command line", message(&error)));
            // clap stops at the first problem. Without the unknown flag, it reads the rest.
            if !remove_unknown_flag(&error, &mut arguments) {
                let matches =
                    command().ignore_errors(true).try_get_matches_from(&arguments).map_err(HelpText)?;
                return Ok(CommandLine { matches, problems });
            }
        }
    }

    /// Returns true if the demo household is to be served.
    pub fn demo(&self) -> bool {
        self.matches.get_flag(DEMO_FLAG)
    }

    /// The values of all settings: those of the flags, of `environment` and of the settings file.
    pub fn sources(&self, environment: impl IntoIterator<Item = (OsString, OsString)>) -> Sources {
        let file = self.matches.get_one::<String>(CONFIG_FLAG).map(Path::new);
        Sources::from_environment(environment)
            .with_flags(flag_values(Program::Server, &self.matches))
            .with_problems(self.problems.clone())
            .with_file(file)
    }
}

/// Removes the unknown flag that `error` names, and the next word if that may be the flag's value. Returns false if
/// there is none.
fn remove_unknown_flag(error: &clap::Error, arguments: &mut Vec<OsString>) -> bool {
    if error.kind() != ErrorKind::UnknownArgument {
        return false;
    }
    let unknown = unknown_argument(error);
    let is_unknown = |argument: &OsString| {
        let rest = argument.to_str().and_then(|argument| argument.strip_prefix(unknown.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let Some(index) = (1..arguments.len()).find(|index| is_unknown(&arguments[*index])) else { return false };
    let is_flag = |argument: &OsString| argument.to_string_lossy().starts_with('-');
    let has_value = is_flag(&arguments[index]) && arguments.get(index + 1).is_some_and(|next| !is_flag(next));
    arguments.drain(index..=index + usize::from(has_value));
    true
}

/// The first paragraph of clap's message, without the usage. A word that is not a flag is not repeated, because it may
/// be a secret.
fn message(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::UnknownArgument && !unknown_argument(error).starts_with('-') {
        return "unexpected word that is not a flag; --help lists every flag".to_owned();
    }
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    format!("{}; --help lists every flag", first.trim_start_matches("error: "))
}

fn unknown_argument(error: &clap::Error) -> String {
    error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default()
}

fn command() -> Command {
    let demo = Arg::new(DEMO_FLAG)
        .long(DEMO_FLAG)
        .action(ArgAction::SetTrue)
        .help("Serve a generated household from a folder of its own, and print a token for it");
    Command::new("passbook-server")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Serves personal finance data over REST and MCP, read-only. Every flag but --demo and --config can also be \
             set in the environment or in the settings file; flags take precedence.",
        )
        .after_help(format!("{}\n\n{EXIT_CODES}", settings_without_flag(Program::Server)))
        .arg(demo)
        .args(flags(Program::Server))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(words: &[&str]) -> Vec<String> {
        let words = std::iter::once(&"passbook-server").chain(words).map(OsString::from);
        let command_line = CommandLine::parse(words).expect("no help is asked for");
        command_line.problems.into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn help_names_every_setting_and_exit_code() {
        let help = command().render_long_help().to_string();
        let settings =
            passbook_settings::SETTINGS.iter().filter(|setting| setting.read_by.contains(&Program::Server));
        for name in settings.map(|setting| setting.name).chain(["64", "69", "70"]) {
            assert!(help.contains(name), "{name}: {help}");
        }
    }

    #[test]
    fn every_unknown_flag_is_reported() {
        let found = problems(&["--listn", "x", "--request-seconds", "0", "--lag=3"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("command line: unexpected argument '--listn'"), "{found:?}");
        assert!(found[1].starts_with("command line: unexpected argument '--lag'"), "{found:?}");
    }

    #[test]
    fn word_that_may_be_a_secret_is_not_repeated() {
        for words in [
            &["postgresql://x:hunter2@h/d"][..],
            &["--database-url", "postgresql://x:hunter2@h/d"],
            &["--database-url=postgresql://x:hunter2@h/d"],
        ] {
            let found = problems(words).join("\n");
            assert!(!found.is_empty() && !found.contains("hunter2"), "{found}");
        }
    }
}
