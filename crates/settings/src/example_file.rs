//! Generates `docs/config.toml`, a settings file with every setting as a comment, from the table of settings.

use crate::setting::{Kind, Program, Setting};
use crate::table::THEMES;

/// Maximum length of a line, in characters.
const COLUMNS_MAX: usize = 100;

/// Returns the text of `docs/config.toml`. A line that starts with `#` and a key is a setting; a line that starts with
/// `#` and a space is text.
pub fn example_file() -> String {
    let mut file = HEAD.to_owned();
    for theme in THEMES {
        file.push_str(&format!("\n# == {} ==\n", theme.title));
        file.push_str(&text(theme.introduction));
        for setting in theme.settings {
            file.push('\n');
            file.push_str(&entry(setting));
        }
    }
    file
}

/// Returns meaning, rule and default of a setting as text, and the setting as a comment.
fn entry(setting: &Setting) -> String {
    let (default, value) = match setting.default {
        "" => ("none; the value below is an example".to_owned(), setting.example),
        default => (default.to_owned(), default),
    };
    let rule =
        format!("Value: {}. Default: {default}. Read by: {}.", setting.kind.description(), readers(setting));
    let value = match setting.kind {
        Kind::Boolean | Kind::Number(..) => value.to_owned(),
        _ => format!("\"{value}\""),
    };
    format!("{}{}#{} = {value}\n", text(setting.meaning), text(&rule), setting.key())
}

/// Returns a text in Markdown as comment lines.
fn text(markdown: &str) -> String {
    wrapped(&markdown.replace('`', ""), "# ", COLUMNS_MAX)
}

/// Breaks a text into lines of at most `columns_max` characters, each with `prefix` before it.
fn wrapped(text: &str, prefix: &str, columns_max: usize) -> String {
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

/// Returns the programs that read a setting.
fn readers(setting: &Setting) -> String {
    let names = setting.read_by.iter().map(|program| match program {
        Program::Server => "server",
        Program::Admin => "admin",
        Program::Doctor => "doctor",
    });
    names.collect::<Vec<&str>>().join(", ")
}

impl Kind {
    /// Returns the values that this kind of setting accepts.
    fn description(self) -> String {
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

const HEAD: &str = "\
# Every setting of passbook-server and passbook-admin, as comments.
#
# Copy this file to ~/.config/passbook/config.toml, or name it with --config FILE. Remove the #
# before a setting to set it. Flags and environment variables take precedence over this file: those
# of data_dir are --data-dir and PASSBOOK_DATA_DIR, and so on. A setting that may hold a secret has
# no flag, and settings of the server that doctor reads have none in passbook-admin. deployment.md
# explains the rest.
#
# A file with a password must be readable by its owner only: chmod 600.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SETTINGS;

    #[test]
    fn file_is_valid_toml_as_it_is_and_with_every_setting() {
        let file = example_file();
        assert_eq!(file.parse::<toml::Table>().expect("TOML"), toml::Table::new());
        let uncommented: Vec<&str> = file
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(setting) if !setting.is_empty() && !setting.starts_with(' ') => setting,
                _ => line,
            })
            .collect();
        let table: toml::Table = uncommented.join("\n").parse().expect("TOML");
        let mut keys: Vec<String> = SETTINGS.iter().map(Setting::key).collect();
        keys.sort();
        assert_eq!(table.keys().cloned().collect::<Vec<String>>(), keys);
    }

    #[test]
    fn lines_are_short() {
        for line in example_file().lines() {
            assert!(line.chars().count() <= COLUMNS_MAX || !line.starts_with("# "), "{line}");
        }
    }
}
