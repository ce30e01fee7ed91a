//! The check that the disk of the embedded database has space.

use std::path::Path;

use nix::sys::statvfs::statvfs;

use super::findings::{Findings, State};

/// The subject of the findings.
const SUBJECT: &str = "disk";
/// Free space below which `doctor` warns, in MiB.
const FREE_WARN: u64 = 1024;
/// Free space below which PostgreSQL may fail, in MiB: some files of its write-ahead log.
const FREE_MIN: u64 = 128;

/// Examines the file system of a folder.
pub(super) fn examine(folder: &Path, findings: &mut Findings) {
    let name = folder.display();
    match statvfs(folder) {
        Ok(system) => {
            #[allow(clippy::useless_conversion, reason = "the number has 32 bits on macOS")]
            let free = u64::from(system.blocks_available()).saturating_mul(system.fragment_size()) >> 20;
            let (state, text) = verdict(free);
            findings.add(state, SUBJECT, format!("{name}: {text}"));
        }
        Err(error) => findings.warning(SUBJECT, format!("the free space of {name} is unknown: {error}")),
    }
}

fn verdict(free: u64) -> (State, String) {
    let remedy = "free some, or move the data folder";
    match free {
        0..FREE_MIN => (State::Broken, format!("only {free} MiB are free, so PostgreSQL may stop: {remedy}")),
        FREE_MIN..FREE_WARN => (State::Warning, format!("only {free} MiB are free: {remedy}")),
        _ => (State::Ok, format!("{free} MiB are free")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_depends_on_the_free_space() {
        for (free, expected) in [
            (FREE_MIN - 1, State::Broken),
            (FREE_MIN, State::Warning),
            (FREE_WARN - 1, State::Warning),
            (FREE_WARN, State::Ok),
        ] {
            assert_eq!(verdict(free).0, expected, "{free}");
        }
    }
}
