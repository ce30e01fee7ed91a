//! `cargo xtask fuzz mcp --seconds N`: broken messages to the tool server for as long as is said.
//!
//! The cases and what a good answer is are a test, `tests/it/mcp/fuzz.rs`, which runs a few thousand of them by itself.
//! They are the same in every run, so a longer run adds later ones; the time bounds a run and is never a result.

use std::path::Path;
use std::process::{Command, Stdio};

/// The test that sends them, built as `cargo test --workspace` builds it.
const TEST: [&str; 6] = ["test", "--workspace", "--test", "it", "mcp::fuzz::", "--"];
/// How the test is told the time.
const SECONDS: &str = "PASSBOOK_TEST_FUZZ_SECONDS";

/// Sends messages for some seconds.
pub fn run(root: &Path, seconds: &str) -> Result<(), String> {
    let seconds: u64 =
        seconds.parse().map_err(|_| format!("--seconds must be a whole number; received {seconds:?}"))?;
    let mut test = Command::new(crate::cargo());
    // Shown as it is printed: the number of cases is the report.
    test.args(TEST).args(["--nocapture"]).env(SECONDS, seconds.to_string());
    let status = test.current_dir(root).stdin(Stdio::null()).status();
    let status = status.map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("fuzz: the case is named above ({status})")) }
}
