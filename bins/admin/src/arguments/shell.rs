//! The command line of the database shell.

use std::ffi::OsString;

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin psql
  passbook-admin psql --command 'select email from passbook.users'
  passbook-admin psql --write --command 'analyze'

The exit code is that of psql. If psql cannot be found, the exit code is 69.";

/// The database shell to open.
#[derive(Debug, Args)]
pub(crate) struct DatabaseShell {
    /// Allow changes. Without this flag each transaction is read-only until the session sets another default
    #[arg(long)]
    pub(crate) write: bool,
    /// Arguments for psql. The name and the password of the database are passed in the environment instead
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}
