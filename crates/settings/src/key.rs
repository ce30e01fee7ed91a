//! The typed key of a setting, by which a program reads the setting.

use std::net::SocketAddr;
use std::path::PathBuf;

use passbook_store::ConnectionSettings;

use crate::rules;
use crate::setting::{Kind, Program, Setting};

/// A setting with the type of its value. [`keys`](crate::keys) has the key of each setting.
#[derive(Debug)]
pub struct Key<T> {
    pub(crate) setting: Setting,
    pub(crate) rule: Rule<T>,
}

/// The rule of a kind of value: a function that returns the typed value, or the broken rule as a clause that follows the
/// name of the setting.
#[derive(Debug)]
pub(crate) struct Rule<T> {
    kind: Kind,
    pub(crate) parse: fn(&str, Kind) -> Result<T, String>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Key<T> {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Clone for Rule<T> {
    fn clone(&self) -> Rule<T> {
        *self
    }
}

impl<T> Copy for Rule<T> {}

impl<T> Key<T> {
    pub(crate) const fn new(
        rule: Rule<T>,
        name: &'static str,
        default: &'static str,
        read_by: &'static [Program],
    ) -> Key<T> {
        let setting =
            Setting { name, kind: rule.kind, default, example: "", meaning: "", secret: false, read_by };
        Key { setting, rule }
    }

    pub(crate) const fn with_example(self, example: &'static str) -> Key<T> {
        Key { setting: Setting { example, ..self.setting }, ..self }
    }

    pub(crate) const fn with_meaning(self, meaning: &'static str) -> Key<T> {
        Key { setting: Setting { meaning, ..self.setting }, ..self }
    }

    pub(crate) const fn secret(self) -> Key<T> {
        Key { setting: Setting { secret: true, ..self.setting }, ..self }
    }

    /// Returns the name of the setting as an environment variable.
    pub const fn name(self) -> &'static str {
        self.setting.name
    }
}

pub(crate) const fn boolean() -> Rule<bool> {
    Rule { kind: Kind::Boolean, parse: |text, _| rules::boolean(text) }
}

/// The rule of a whole number from `low` to `high`, both included.
pub(crate) const fn number<T: TryFrom<u64>>(low: u64, high: u64) -> Rule<T> {
    Rule { kind: Kind::Number(low, high), parse: rules::number }
}

pub(crate) const fn path() -> Rule<PathBuf> {
    Rule { kind: Kind::Path, parse: |text, _| rules::absolute_path(text) }
}

pub(crate) const fn address() -> Rule<SocketAddr> {
    Rule { kind: Kind::Address, parse: |text, _| rules::socket_address(text) }
}

pub(crate) const fn origin() -> Rule<String> {
    Rule { kind: Kind::Origin, parse: |text, _| rules::origin(text) }
}

pub(crate) const fn origins() -> Rule<Vec<String>> {
    Rule { kind: Kind::Origins, parse: |text, _| rules::origins(text) }
}

pub(crate) const fn list() -> Rule<Vec<String>> {
    Rule { kind: Kind::List, parse: |text, _| rules::list(text) }
}

pub(crate) const fn database_url() -> Rule<ConnectionSettings> {
    Rule { kind: Kind::DatabaseUrl, parse: |text, _| rules::database_url(text) }
}

/// The rule of a text. The program that reads the setting has a further rule for the text.
pub(crate) const fn text() -> Rule<String> {
    Rule { kind: Kind::Text, parse: |text, _| Ok(text.to_owned()) }
}

/// The rule of one word of a list. The program that reads the setting knows the value of each word.
pub(crate) const fn word(words: &'static [&'static str]) -> Rule<String> {
    Rule { kind: Kind::Word(words), parse: |text, _| Ok(text.to_owned()) }
}
