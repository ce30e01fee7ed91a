//! Generates `docs/configuration.md` from the table of settings.

use crate::setting::{Kind, Program, Setting, Theme};
use crate::table::THEMES;

/// Returns the text of `docs/configuration.md`.
pub fn document() -> String {
    let mut text = HEAD.to_owned();
    for theme in THEMES {
        text.push_str(&section(theme));
    }
    text.push_str(TAIL);
    text
}

/// Returns the heading, the introduction and the table of a theme.
fn section(theme: &Theme) -> String {
    let introduction = wrapped(theme.introduction, "", COLUMNS_MAX);
    let rows: String = theme.settings.iter().map(row).collect();
    format!("## {}\n\n{introduction}\n{TABLE_HEAD}{rows}\n", theme.title)
}

/// Breaks a text into lines of at most `columns_max` characters, each with `prefix` before it.
pub(crate) fn wrapped(text: &str, prefix: &str, columns_max: usize) -> String {
    let mut lines = vec![prefix.to_owned()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        let is_first = line.len() == prefix.len();
        if !is_first && line.chars().count() + 1 + word.chars().count() > columns_max {
            lines.push(format!("{prefix}{word}"));
        } else {
            line.push_str(if is_first { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

fn row(setting: &Setting) -> String {
    let flag = if setting.secret { "none".to_owned() } else { format!("`--{}`", setting.flag()) };
    let default = if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
    format!(
        "| `{}` | {flag} | `{}` | {} | {default} | {} | {} |\n",
        setting.name,
        setting.key(),
        setting.kind.description(),
        readers(setting),
        setting.meaning
    )
}

/// Returns the programs that read a setting, in Markdown.
pub(crate) fn readers(setting: &Setting) -> String {
    let names = setting.read_by.iter().map(|program| match program {
        Program::Server => "server",
        Program::Admin => "admin",
        Program::Doctor => "`doctor`",
    });
    names.collect::<Vec<&str>>().join(", ")
}

impl Kind {
    /// Returns the values that this kind of setting accepts, in Markdown.
    pub(crate) fn description(self) -> String {
        match self {
            Kind::Boolean => "`true` or `1`, `false` or `0`".to_owned(),
            Kind::Number(low, high) => format!("{low} to {high}"),
            Kind::Path => "absolute path".to_owned(),
            Kind::Address => "address and port".to_owned(),
            Kind::Origin => "origin".to_owned(),
            Kind::Origins => "origins separated by commas, or `none`".to_owned(),
            Kind::List => "items separated by commas".to_owned(),
            Kind::Word(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(", ")
            }
            Kind::DatabaseUrl => "URL; secret".to_owned(),
            Kind::Text => "text".to_owned(),
        }
    }
}

/// Maximum length of a line of text, in characters.
const COLUMNS_MAX: usize = 120;

const TABLE_HEAD: &str =
    "| environment | flag | file | value | default | read by | meaning |\n|---|---|---|---|---|---|---|\n";

const HEAD: &str = "# Configuration

This page lists every setting of `passbook-server` and `passbook-admin`. No setting is required. [config.toml](config.toml)
is a settings file with every setting, its rule and its default. [deployment.md](deployment.md) shows the settings of a
service that runs behind a reverse proxy.

Give a setting in one of three ways:

| way | example |
|---|---|
| flag | `passbook-server --data-dir /srv/passbook` |
| environment | `PASSBOOK_DATA_DIR=/srv/passbook passbook-server` |
| settings file (TOML) | `data_dir = \"/srv/passbook\"` |

- A flag takes precedence over the environment, the environment over the file, and the file over the default.
- The settings file is the one that `--config FILE` names, otherwise `$XDG_CONFIG_HOME/passbook/config.toml` if it exists.
- An empty environment variable counts as absent.
- An unknown flag, an unknown name that starts with `PASSBOOK_`, an unknown key of the file, or a value that breaks its
  rule stops the program before it does anything. The program then lists every problem and exits with code 64.
- Both programs ignore `PASSBOOK_TOKEN`, which client programs read, and names that start with `PASSBOOK_TEST_`.
- A setting that may hold a secret has no flag, because every user of the machine can read command lines.

The column \"read by\" has these values:

| value | program | flag |
|---|---|---|
| server | `passbook-server` | yes |
| admin | every command of `passbook-admin` | yes |
| `doctor` | `passbook-admin doctor`, which checks the settings of the server | no: environment and file only |

An *origin* is a scheme, a host and an optional port, such as `https://money.example`. The *head* of a request is its
first line and its headers. The *embedded database* is a PostgreSQL that Passbook starts itself.

";

const TAIL: &str = "## Folders

`passbook-server --demo` serves generated data from the folder `demo` in `PASSBOOK_DATA_DIR`. Each start replaces the data
and the token. What you revoked stays revoked.

The default data folder follows the XDG Base Directory Specification: `passbook` in `$XDG_DATA_HOME`, for root too. Only
without that variable the account matters: `/var/lib/passbook` for root, because PostgreSQL then runs as another account,
which cannot enter root's home folder, and `~/.local/share/passbook` for other accounts. `sudo` removes `XDG_DATA_HOME`
unless it is told to keep the environment. With `sudo -E` the variable holds, so root uses the folder of the person who
called it; set `PASSBOOK_DATA_DIR` to be independent of the account. `passbook-admin migrate` prints the folder.

## Exit codes


| code | cause |
|---|---|
| 0 | success; for the server, after all running requests have finished |
| 64 | a setting, the command line, the database role or the schema breaks a rule; `doctor` found a problem |
| 65 | `passbook-admin` only: the input has errors, and all of them are listed |
| 69 | the database cannot be reached |
| 70 | an internal error |
| 75 | `passbook-server` only: it has stopped as requested, but requests were still running and were cut off |

This page and `config.toml` are generated from `crates/settings/src/table.rs` by `cargo xtask bless`.
";
