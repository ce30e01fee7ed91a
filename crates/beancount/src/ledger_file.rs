//! Reads the files of a ledger within limits: an include must not read a device, wait for a pipe or fill the memory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Maximum size of all files of a ledger together, in bytes.
const LEDGER_BYTES_MAX: u64 = 256 << 20;

/// The number of bytes that the files of a ledger may still have.
#[derive(Debug)]
pub(super) struct Budget {
    bytes: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bytes: LEDGER_BYTES_MAX }
    }
}

/// The reason why a file cannot be read. `Display` writes a rule.
#[derive(Debug)]
pub(super) enum Error {
    Unreadable(io::Error),
    NotRegular,
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable(error) => write!(f, "the file must be readable UTF-8: {error}"),
            Error::NotRegular => f.write_str("the file must be a regular file, not a folder, device or pipe"),
            Error::TooLarge => {
                write!(f, "the files of a ledger must have at most {LEDGER_BYTES_MAX} bytes together")
            }
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Unreadable(error)
    }
}

impl Budget {
    /// Reads a regular file, if the budget suffices.
    pub(super) fn read(&mut self, path: &Path) -> Result<String, Error> {
        // Opening a pipe waits for its writer, so the kind is examined first.
        if !fs::metadata(path)?.is_file() {
            return Err(Error::NotRegular);
        }
        let mut text = String::new();
        File::open(path)?.take(self.bytes + 1).read_to_string(&mut text)?;
        let read = text.len() as u64;
        self.bytes = self.bytes.checked_sub(read).ok_or(Error::TooLarge)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_is_rejected_without_reading_it() {
        let error = Budget::default().read(Path::new("/dev/zero")).expect_err("a device");
        assert!(matches!(error, Error::NotRegular), "{error}");
    }

    #[test]
    fn files_have_a_total_size() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let length = include_str!("../Cargo.toml").len() as u64;
        let mut budget = Budget { bytes: 2 * length - 1 };
        assert_eq!(budget.read(path).expect("the budget suffices").len() as u64, length);
        assert!(matches!(budget.read(path), Err(Error::TooLarge)));
    }
}
