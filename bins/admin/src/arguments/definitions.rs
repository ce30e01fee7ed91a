//! The command lines that print the definitions of all commands for other programs.

use std::path::PathBuf;

use clap::Subcommand;
use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  passbook-admin completions bash > passbook-admin.bash";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  passbook-admin man man1";

#[derive(Debug, Subcommand)]
pub(crate) enum DefinitionsCommand {
    /// Print the completions of all commands for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Shell that loads the completions
        shell: Shell,
    },
    /// Write a man page for each command
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Folder for the pages; created if absent
        folder: PathBuf,
    },
}
