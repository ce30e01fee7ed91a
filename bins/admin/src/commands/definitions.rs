//! `completions` and `man`: the definitions of all commands for shells and for `man`.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use clap_complete::Shell;

use crate::error::CommandError;
use crate::output;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  passbook-admin completions bash > passbook-admin.bash";

const MAN_EXAMPLES: &str = "\
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

/// Name of the program in completions.
const PROGRAM: &str = "passbook-admin";

/// Start of the names by which completions for bash look up a subcommand.
const STATE: &str = "passbook__admin__subcmd__";
/// Start of the names that `clap_complete` gives to the same subcommands if the name of the program has a hyphen: without
/// the correction, bash completes no word after a subcommand (clap-rs/clap#6421).
const MISNAMED_STATE: &str = "passbook__subcmd__admin__subcmd__";

/// Prints the completions of a command line, or writes its man pages. Needs neither settings nor a database.
pub(crate) fn run(command: &DefinitionsCommand, mut line: clap::Command) -> Result<(), CommandError> {
    match command {
        DefinitionsCommand::Completions { shell } => print_completions(*shell, &mut line),
        DefinitionsCommand::Man { folder } => write_man_pages(folder, line),
    }
}

fn print_completions(shell: Shell, line: &mut clap::Command) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, line, PROGRAM, &mut script);
    let script = String::from_utf8_lossy(&script);
    output::lines([script.replace(MISNAMED_STATE, STATE).trim_end()])
}

/// Writes a page for each command, for example `passbook-admin-user-list.1`.
fn write_man_pages(folder: &Path, line: clap::Command) -> Result<(), CommandError> {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(line, folder));
    written.map_err(|error| {
        CommandError::configuration(format!(
            "the man pages cannot be written to {}: {error}; name a folder in which you may create files",
            folder.display()
        ))
    })?;
    Ok(())
}
