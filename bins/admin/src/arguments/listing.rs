//! The flag for the format of a list.

use clap::{Args, ValueEnum};

/// The flag for the format of a list.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Listing {
    /// Format on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) output: Format,
}

/// The format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people
    Text,
    /// JSON for programs
    Json,
}
