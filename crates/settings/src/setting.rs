//! The description of a setting: names, kind of value, default, meaning, and the programs that read it.

/// A program, or a command of it, that reads settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The program `passbook-server`.
    Server,
    /// All commands of `passbook-admin`. The program has flags for the settings that they read.
    Admin,
    /// The command `passbook-admin doctor`, which reads the settings of the server from the environment and the
    /// settings file.
    Doctor,
}

/// The kind of a setting's value, which selects the rule of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A boolean. The flag needs no value.
    Boolean,
    /// A whole number from the first to the second number, both included.
    Number(u64, u64),
    /// An absolute path.
    Path,
    /// An IP address with a port.
    Address,
    /// An origin.
    Origin,
    /// A list of origins.
    Origins,
    /// A list of texts.
    List,
    /// One word of this list.
    Word(&'static [&'static str]),
    /// A PostgreSQL URL for connections without TLS.
    DatabaseUrl,
    /// A text with a rule that the program passes to the reader. The field `meaning` of the setting documents the rule.
    Text,
}

/// The entry of one setting in the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name of the setting as an environment variable. [`Setting::flag`] and [`Setting::key`] are derived from it.
    pub name: &'static str,
    /// The kind of the setting's value.
    pub kind: Kind,
    /// Text that is read if the setting has no value; empty for a setting without a default.
    pub default: &'static str,
    /// Value that `docs/config.toml` shows for a setting without a default; empty for a setting with one.
    pub example: &'static str,
    /// Effect and unit of the setting, in Markdown.
    pub meaning: &'static str,
    /// True if the value may hold a secret. Such a setting has no flag, because every user of the machine can read
    /// command lines, and no message repeats its value.
    pub secret: bool,
    /// The programs that read the setting.
    pub read_by: &'static [Program],
}

/// Settings that belong together, with a section of their own in `docs/config.toml`.
#[derive(Debug)]
pub(crate) struct Theme {
    pub(crate) title: &'static str,
    /// Text before the table, in Markdown.
    pub(crate) introduction: &'static str,
    pub(crate) settings: &'static [Setting],
}

impl Setting {
    /// Returns the name of the flag without the dashes, such as `data-dir`.
    pub fn flag(&self) -> String {
        self.key().replace('_', "-")
    }

    /// Returns the key in the settings file, such as `data_dir`.
    pub fn key(&self) -> String {
        self.name.trim_start_matches("PASSBOOK_").to_lowercase()
    }

    /// Returns true if `program` has a flag for this setting.
    pub(crate) fn has_flag(&self, program: Program) -> bool {
        !self.secret && self.read_by.contains(&program)
    }
}
