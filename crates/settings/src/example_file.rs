//! Generates `docs/config.toml`, a settings file with every setting as a comment, from the table of settings.

use crate::document::{readers, wrapped};
use crate::setting::{Kind, Setting};
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

const HEAD: &str = "\
# Every setting of passbook-server and passbook-admin, as comments.
#
# Copy this file to ~/.config/passbook/config.toml, or name it with --config FILE. Remove the #
# before a setting to set it. Flags and environment variables take precedence over this file: the
# variable of database_url is PASSBOOK_DATABASE_URL, and so on. configuration.md explains the rest.
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
