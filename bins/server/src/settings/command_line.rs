//! The command line of `passbook-server`. Problems are collected, so that they are reported with those of the settings.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

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
        let (known, mut problems) = without_unknown(&command(), arguments);
        let matches = match command().try_get_matches_from(&known) {
            Ok(matches) => matches,
            Err(error) if error.use_stderr() => {
                problems.push(problem(&message(&error)));
                command().ignore_errors(true).try_get_matches_from(&known).map_err(HelpText)?
            }
            Err(help) => return Err(HelpText(help)),
        };
        Ok(CommandLine { matches, problems })
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

/// Returns the words without the flags that the program does not have, and without the words that belong to no flag.
/// clap stops at the first of them; each is a problem.
fn without_unknown(command: &Command, words: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Faults) {
    let mut command = command.clone();
    command.build();
    let (mut known, mut problems) = (Vec::new(), Faults::unlimited());
    let mut words = words.into_iter().peekable();
    known.extend(words.next());
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            known.push(word);
            continue;
        }
        let Some(flag) = flag_name(&text) else {
            problems.push(problem("unexpected word that is not a flag"));
            continue;
        };
        let argument = command.get_arguments().find(|argument| {
            argument.get_long().is_some_and(|long| flag == format!("--{long}"))
                || argument.get_short().is_some_and(|short| flag == format!("-{short}"))
        });
        let has_value = match argument {
            None => true,
            Some(argument) => argument.get_action().takes_values() && !argument.is_require_equals_set(),
        };
        let value = if has_value && !text.contains('=') {
            words.next_if(|next| !next.to_string_lossy().starts_with('-'))
        } else {
            None
        };
        match argument {
            None => problems.push(problem(&format!("unexpected argument '{flag}' found"))),
            Some(_) => known.extend(std::iter::once(word).chain(value)),
        }
    }
    (known, problems)
}

/// Returns the name of a flag without its value, such as `--listen` or `-h`; `None` for a word that is not a flag. Such
/// a word is not repeated, because it may be a secret.
fn flag_name(word: &str) -> Option<String> {
    if word.starts_with("--") && word.len() > 2 {
        return word.split('=').next().map(str::to_owned);
    }
    let mut letters = word.strip_prefix('-')?.chars();
    letters.next().filter(|letter| *letter != '-').map(|letter| format!("-{letter}"))
}

fn problem(text: &str) -> Fault {
    Fault::verbatim("command line", format!("{text}; --help lists every flag"))
}

/// Returns the first paragraph of clap's message, without the usage.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    first.trim_start_matches("error: ").to_owned()
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
