//! The arguments of `backup` and `restore`.

use std::path::PathBuf;

use clap::Args;

use super::Rehearsal;

pub(super) const BACKUP_EXAMPLES: &str = "\
Examples:
  passbook-admin backup money.passbook
  passbook-admin backup money.passbook --force";

pub(super) const RESTORE_EXAMPLES: &str = "\
Examples:
  passbook-admin restore money.passbook --dry-run
  passbook-admin restore money.passbook";

/// A backup to write.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewBackup {
    /// File to write, or - for standard output
    pub(crate) file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// A backup to restore.
#[derive(Clone, Debug, Args)]
pub(crate) struct Restoration {
    /// File of the backup, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
