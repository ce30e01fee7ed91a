//! The files of a ledger: those that an `include` directive names, read within limits. An include must not read a device,
//! wait for a pipe or fill the memory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

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

/// Returns the files that an `include` in the file `from` names, sorted by name.
///
/// # Errors
///
/// The broken rule.
pub(super) fn included(from: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let path = from.parent().unwrap_or(Path::new("")).join(pattern);
    if !pattern.contains('*') {
        return Ok(vec![path]);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if folder.to_string_lossy().contains('*') {
        return Err("an include must have `*` in the file name only, not in a folder".to_owned());
    }
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("the folder must be readable: {error}"))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|file| fits(&name, &file.to_string_lossy())))
        .filter(|path| path.is_file())
        .collect();
    if paths.is_empty() {
        return Err("an include must match at least one file".to_owned());
    }
    paths.sort();
    Ok(paths)
}

/// Returns true if the name matches the pattern. Each part between two stars is taken at its first occurrence, which
/// finds a match if there is one, so that the time is at most the product of both lengths.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let (middle, end) = after.rsplit_once('*').unwrap_or(("", after));
    let Some(mut rest) = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(end)) else {
        return false;
    };
    for part in middle.split('*') {
        match rest.find(part) {
            Some(start) => rest = &rest[start + part.len()..],
            None => return false,
        }
    }
    true
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

    #[test]
    fn star_matches_any_characters() {
        for (pattern, name, expected) in [
            ("*.beancount", "2024.beancount", true),
            ("20*-*.bean", "2024-05.bean", true),
            ("*.beancount", "notes.txt", false),
            ("a*", "b", false),
            ("a*a", "a", false),
            ("*a*b", "xayb", true),
            ("*a*b", "bya", false),
            ("**", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn pattern_with_many_stars_takes_linear_time() {
        let (pattern, name) = (format!("{}b", "*a".repeat(1_000)), "a".repeat(5_000));
        assert!(!fits(&pattern, &name));
        assert!(fits(&pattern, &format!("{name}b")));
    }
}
