//! Where settings come from: flags, environment, file. Reading them notes every problem before failing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::table::{SETTINGS, Setting};
use crate::outcome::Problem;

/// Bytes of a settings file at most.
const FILE_BYTES_MAX: u64 = 64 * 1024;
/// Environment names with our prefix that other programs of ours read.
const OTHERS: [&str; 2] = ["PASSBOOK_ADMIN_", "PASSBOOK_TEST_"];

/// The command line.
#[derive(Debug)]
pub struct Invocation {
    matches: ArgMatches,
    problems: Vec<Problem>,
}

/// A command line that asks for help.
#[derive(Debug)]
pub struct Help(clap::Error);

impl Help {
    /// Prints it.
    pub fn print_and_code(&self) -> ExitCode {
        let _ = self.0.print();
        if self.0.use_stderr() { ExitCode::from(64) } else { ExitCode::SUCCESS }
    }
}

impl Invocation {
    /// Reads the command line. What makes no sense in it is noted, to be told with every other problem.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Invocation, Help> {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        let mut problems = Vec::new();
        loop {
            let error = match command().try_get_matches_from(&arguments) {
                Ok(matches) => return Ok(Invocation { matches, problems }),
                Err(error) if error.use_stderr() => error,
                Err(help) => return Err(Help(help)),
            };
            problems.push(Problem::new("command line", &refused(&error)));
            // clap stops at the first problem: without it, the rest is read.
            if !leave_out(&error, &mut arguments) {
                let matches = command().ignore_errors(true).try_get_matches_from(&arguments).map_err(Help)?;
                return Ok(Invocation { matches, problems });
            }
        }
    }
}

/// Takes away an unknown flag and what looks like its value.
fn leave_out(error: &clap::Error, arguments: &mut Vec<OsString>) -> bool {
    if error.kind() != ErrorKind::UnknownArgument {
        return false;
    }
    let word = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let is_it = |argument: &OsString| {
        let rest = argument.to_str().and_then(|argument| argument.strip_prefix(word.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let Some(place) = (1..arguments.len()).find(|place| is_it(&arguments[*place])) else { return false };
    let is_flag = |argument: &OsString| argument.to_string_lossy().starts_with('-');
    let has_value = is_flag(&arguments[place]) && arguments.get(place + 1).is_some_and(|next| !is_flag(next));
    arguments.drain(place..=place + usize::from(has_value));
    true
}

/// What clap says of a command line, without the usage. A word that is no flag is not repeated: it may be a secret.
fn refused(error: &clap::Error) -> String {
    let word = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    if error.kind() == ErrorKind::UnknownArgument && !word.starts_with('-') {
        return "holds a word that is no flag; --help lists every flag".to_owned();
    }
    let text = error.to_string();
    let said = text.split("\n\n").next().unwrap_or_default();
    format!("{}; --help lists every flag", said.trim_start_matches("error: "))
}

fn command() -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let settings = SETTINGS.iter().filter(|setting| !setting.secret).map(|setting| {
        let argument = Arg::new(setting.name).long(setting.flag()).help(setting.meaning);
        let given_alone = setting.is_switch().then_some("true");
        match given_alone {
            Some(value) => argument
                .value_name("BOOLEAN")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(value),
            None => argument.value_name("VALUE"),
        }
    });
    Command::new("passbook-server")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The read-only network service. Each flag is also a setting PASSBOOK_… and a key of the settings file.")
        .arg(Arg::new("config").long("config").value_name("FILE").help("The settings file (TOML)"))
        .arg(switch("demo", "Serve a generated household in a folder of its own"))
        .args(settings)
}

/// Every value given, by where it was given.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Flags, by the setting's name.
    pub flags: BTreeMap<String, String>,
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// The settings file, by the setting's name.
    pub file: BTreeMap<String, String>,
    /// `--demo`.
    pub demo: bool,
    /// What was wrong with the command line and the file themselves.
    pub problems: Vec<Problem>,
}

impl Sources {
    /// Gathers flags, environment and file.
    pub fn gather(
        invocation: &Invocation,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Sources {
        let matches = &invocation.matches;
        let flag = |name: &str| matches.get_one::<String>(name).cloned();
        let open = SETTINGS.iter().filter(|setting| !setting.secret);
        let mut sources = Sources {
            flags: open.filter_map(|setting| Some((setting.name.to_owned(), flag(setting.name)?))).collect(),
            // A value that is not UTF-8 is read with the bad bytes replaced: it then breaks its setting's rule.
            environment: environment
                .into_iter()
                // An empty variable is as good as none: that is how many tools pass "not set".
                .filter(|(_, value)| !value.is_empty())
                .map(|(name, value)| {
                    (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
                })
                .collect(),
            demo: matches.get_flag("demo"),
            problems: invocation.problems.clone(),
            file: BTreeMap::new(),
        };
        let named = flag("config").map(PathBuf::from);
        if let Some(path) = named.clone().or_else(|| sources.default_file()) {
            match read_file(&path, named.is_some()) {
                Ok(text) => sources.file = read_values(&path, &text, &mut sources.problems),
                Err(problem) => sources.problems.push(problem),
            }
        }
        sources
    }

    fn default_file(&self) -> Option<PathBuf> {
        self.folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("passbook/config.toml"))
    }

    /// Where the embedded database lies when no setting says so.
    #[cfg(feature = "embedded")]
    pub(super) fn usual_data_dir(&self) -> Option<PathBuf> {
        embedded::usual_data_dir(|name| self.environment.get(name).map(OsString::from))
    }

    /// There is no embedded database that could lie anywhere.
    #[cfg(not(feature = "embedded"))]
    pub(super) fn usual_data_dir(&self) -> Option<PathBuf> {
        Some(PathBuf::new())
    }

    fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let given = self.environment.get(variable).filter(|path| Path::new(path).is_absolute());
        let home = || self.environment.get("HOME").map(|home| Path::new(home).join(below_home));
        given.map(PathBuf::from).or_else(home)
    }

    pub(super) fn search_path(&self) -> Option<&str> {
        self.environment.get("PATH").map(String::as_str)
    }

    pub(super) fn demo(&self) -> bool {
        self.demo
    }

    fn value(&self, setting: &Setting) -> Option<&str> {
        let given = self.flags.get(setting.name).or_else(|| self.environment.get(setting.name));
        given.or_else(|| self.file.get(setting.name)).map(String::as_str)
    }
}

/// The text of a settings file; one that was not asked for may be absent.
fn read_file(path: &Path, must_exist: bool) -> Result<String, Problem> {
    let problem = |why: String| Problem::new(&path.display().to_string(), &why);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > FILE_BYTES_MAX => {
            return Err(problem(format!("is larger than {FILE_BYTES_MAX} bytes")));
        }
        Err(_) if !must_exist => return Ok(String::new()),
        Ok(_) | Err(_) => {}
    }
    std::fs::read_to_string(path).map_err(|source| problem(format!("cannot be read: {source}")))
}

/// The values that a settings file gives; what is wrong with it is noted.
fn read_values(path: &Path, text: &str, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let table: toml::Table = text.parse().unwrap_or_else(|source: toml::de::Error| {
        problems
            .push(Problem::new(&path.display().to_string(), &format!("is not TOML: {}", source.message())));
        toml::Table::new()
    });
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key() == key) else {
            if key != "admin_database_url" {
                problems
                    .push(Problem::new(&key, &format!("is not a setting; it stands in {}", path.display())));
            }
            continue;
        };
        match value {
            toml::Value::String(text) => values.insert(setting.name.to_owned(), text),
            toml::Value::Integer(number) => values.insert(setting.name.to_owned(), number.to_string()),
            toml::Value::Boolean(value) => values.insert(setting.name.to_owned(), value.to_string()),
            _ => {
                problems.push(Problem::new(&key, "must be text, a whole number, true or false"));
                None
            }
        };
    }
    values
}

/// Reads settings from sources and notes problems.
pub(super) struct Reader<'a> {
    sources: &'a Sources,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sources: &'a Sources) -> Reader<'a> {
        let ours = |name: &&String| {
            name.starts_with("PASSBOOK_") && !OTHERS.iter().any(|other| name.starts_with(other))
        };
        let unknown = sources.environment.keys().filter(ours).filter(|name| Setting::named(name).is_none());
        let unknown = unknown.map(|name| {
            Problem::new(name, "is not a setting of this version: docs/configuration.md lists every one")
        });
        let problems = sources.problems.iter().cloned().chain(unknown).collect();
        Reader { sources, problems }
    }

    pub(super) fn problem(&mut self, name: &str, why: &str) {
        self.problems.push(Problem::new(name, why));
    }

    /// Whether a setting has a value, good or bad.
    pub(super) fn is_given(&self, name: &'static str) -> bool {
        Setting::named(name).is_some_and(|setting| self.sources.value(setting).is_some())
    }

    /// A setting that may be left out.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let setting = Setting::named(name).expect("the setting is listed");
        let default = Some(setting.default).filter(|default| !default.is_empty());
        let text = self.sources.value(setting).or(default)?;
        match read(text) {
            Ok(value) => Some(value),
            Err(rule) if setting.secret => {
                self.problem(name, &rule);
                None
            }
            Err(rule) => {
                self.problem(name, &format!("{rule}; received {text:?}"));
                None
            }
        }
    }

    /// A setting with a default.
    pub(super) fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.optional(name, read)
    }

    /// A whole number; the smallest allowed one where a problem was noted.
    pub(super) fn number<T>(&mut self, name: &'static str, range: RangeInclusive<T>) -> T
    where
        T: std::str::FromStr + PartialOrd + Copy + std::fmt::Display,
    {
        let (low, high) = (*range.start(), *range.end());
        let rule = || format!("must be a whole number from {low} to {high}");
        let number = self.optional(name, |text| {
            text.parse().ok().filter(|number| range.contains(number)).ok_or_else(rule)
        });
        number.unwrap_or(low)
    }

    pub(super) fn finish<T>(self, settings: T) -> Result<T, Vec<Problem>> {
        if self.problems.is_empty() { Ok(settings) } else { Err(self.problems) }
    }
}
