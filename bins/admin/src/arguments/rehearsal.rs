//! The flag for a dry run.

use clap::Args;

/// The flag for a dry run.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rehearsal {
    /// Do everything, including all checks, but store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
