//! The query before a command that removes rows.

use std::io::{IsTerminal as _, Write as _};

use clap::Args;

use super::transaction::Rehearsal;
use crate::error::CommandError;

/// The flag that answers the query.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Confirmation {
    /// Do it without asking. Required if standard input is not a terminal
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Waits for an answer on the terminal. Does not wait with `--yes` and in a dry run.
///
/// # Errors
/// Another answer than yes, or no terminal.
pub(super) fn confirm(
    query: &str,
    confirmation: Confirmation,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    if confirmation.yes || rehearsal.dry_run {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(CommandError::configuration(
            "this command asks for a confirmation, but standard input is not a terminal; give --yes to do it without \
             asking, or --dry-run to see what it does",
        ));
    }
    let mut stderr = std::io::stderr();
    drop(write!(stderr, "{query} [y/N] "));
    drop(stderr.flush());
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.map_err(|error| CommandError::internal("the terminal cannot be read", &error))?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CommandError::configuration("nothing was changed, because the answer is not y")),
    }
}
