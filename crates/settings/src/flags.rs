//! The command-line flags of a program, created from the table of settings.

use clap::{Arg, ArgMatches};

use crate::setting::{Kind, Program, Setting};
use crate::table::SETTINGS;

/// The flag that names the settings file.
pub const CONFIG_FLAG: &str = "config";

/// Returns the flags of a program: one for each of its settings that is not a secret, and the flag that names the
/// settings file.
pub fn flags(program: Program) -> impl Iterator<Item = Arg> {
    let config = Arg::new(CONFIG_FLAG)
        .long(CONFIG_FLAG)
        .value_name("FILE")
        .help("Settings file (TOML) [default: $XDG_CONFIG_HOME/passbook/config.toml, if it exists]");
    std::iter::once(config).chain(settings(program).map(flag))
}

/// Returns the values of the flags on the command line, each with the environment name of its setting.
pub fn flag_values(program: Program, matches: &ArgMatches) -> Vec<(&'static str, String)> {
    let value =
        |setting: &'static Setting| Some((setting.name, matches.get_one::<String>(setting.name).cloned()?));
    settings(program).filter_map(value).collect()
}

/// Returns the settings of a program that have no flag because they may hold a secret, in a text for its help.
pub fn settings_without_flag(program: Program) -> String {
    let secrets = SETTINGS.iter().filter(|setting| setting.secret && setting.read_by.contains(&program));
    let lines = secrets.map(|setting| {
        let meaning = setting.meaning.replace('`', "");
        format!("  {}, in the settings file {}: {meaning}", setting.name, setting.key())
    });
    let heading = "Settings without a flag, because command lines are visible to all users of the machine:";
    std::iter::once(heading.to_owned()).chain(lines).collect::<Vec<String>>().join("\n")
}

fn settings(program: Program) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(move |setting| setting.has_flag(program))
}

fn flag(setting: &'static Setting) -> Arg {
    let flag = Arg::new(setting.name).long(setting.flag()).help(help(setting));
    match setting.kind {
        // `--no-download` is short for `--no-download=true`. A separate word would be read as the next argument.
        Kind::Boolean => {
            flag.value_name("BOOLEAN").num_args(0..=1).require_equals(true).default_missing_value("true")
        }
        kind => flag.value_name(value_name(kind)),
    }
}

fn help(setting: &Setting) -> String {
    let mut help = setting.meaning.replace('`', "");
    help.push_str(&format!(" [env: {}]", setting.name));
    if !setting.default.is_empty() {
        help.push_str(&format!(" [default: {}]", setting.default));
    }
    help
}

/// Returns the placeholder that the help shows for the value of a flag.
fn value_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "BOOLEAN",
        Kind::Number(..) => "NUMBER",
        Kind::Path => "FOLDER",
        Kind::Address => "ADDRESS",
        Kind::Origin => "ORIGIN",
        Kind::Origins | Kind::List => "LIST",
        Kind::DatabaseUrl => "URL",
        Kind::Word(_) | Kind::Text => "VALUE",
    }
}
