//! The log file of PostgreSQL. Each start begins a new file and keeps the file of the run before, so the logs cannot
//! fill the disk over the years. Error messages contain the last lines.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::error::Error;

const TAIL_LINES_MAX: usize = 12;
const TAIL_BYTES_MAX: u64 = 4096;

/// Creates an empty log file. The previous file gets the suffix `.1` and replaces an older one.
pub(crate) fn begin(path: &Path) -> Result<File, Error> {
    match std::fs::rename(path, path.with_added_extension("1")) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(Error::io("rename", path)(error)),
    }
    // `create_new` does not follow a symbolic link that another account may have put there.
    let mut options = OpenOptions::new();
    options.append(true).create_new(true).mode(0o600).open(path).map_err(Error::io("open", path))
}

/// Returns the last lines of a log, or a note that the log is empty.
pub(crate) fn tail(path: &Path) -> String {
    let lines =
        last_bytes(path).map(|bytes| last_lines(&String::from_utf8_lossy(&bytes))).unwrap_or_default();
    if lines.is_empty() { "(the log is empty)".to_owned() } else { lines }
}

/// Returns the last lines of a text that are not empty.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(TAIL_LINES_MAX)..].join("\n")
}

fn last_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(TAIL_BYTES_MAX);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_log_is_empty_and_the_previous_log_is_renamed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("server.log");
        for run in ["first", "second", "third"] {
            std::io::Write::write_all(&mut begin(&path).expect("a log"), run.as_bytes()).expect("room");
        }
        assert_eq!(std::fs::read_to_string(&path).expect("a log"), "third");
        assert_eq!(std::fs::read_to_string(path.with_added_extension("1")).expect("a log"), "second");
    }

    #[test]
    fn tail_is_the_last_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("server.log");
        assert_eq!(tail(&path), "(the log is empty)");
        let text: String = (0..10_000).map(|line| format!("line {line}\n\n")).collect();
        std::fs::write(&path, text).expect("room");
        let tail = tail(&path);
        assert_eq!(tail.lines().count(), TAIL_LINES_MAX);
        assert!(tail.ends_with("line 9999"), "{tail}");
    }
}
