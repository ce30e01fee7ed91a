//! The input file of a command.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::CommandError;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// A file that cannot be read is wrong usage, not wrong input.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, CommandError> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    if file.metadata().map_err(|error| unreadable(path, error))?.is_dir() {
        return Err(unreadable(path, "it is a folder"));
    }
    Ok(Box::new(file))
}

/// The error for a file that cannot be read.
pub(super) fn unreadable(path: &Path, reason: impl std::fmt::Display) -> CommandError {
    CommandError::configuration(format!(
        "{} cannot be read: {reason}; name a file that exists and that you may read",
        path.display()
    ))
}
