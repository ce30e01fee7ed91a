//! `cargo xtask fuzz mcp --seconds N`: sends malformed messages to the tool server for N seconds.
//!
//! The test `tests/it/mcp/fuzz.rs` generates the messages and checks the responses. Every run sends the same sequence
//! from its start; a longer run gets further. In an ordinary test run it sends a few thousand messages.

use std::path::Path;
use std::process::{Command, Stdio};

/// The arguments of cargo that run the test, built with the features of `cargo test --workspace`.
const TEST: [&str; 6] = ["test", "--workspace", "--test", "it", "mcp::fuzz::", "--"];
/// Environment variable that tells the test for how many seconds to send messages.
const SECONDS: &str = "PASSBOOK_TEST_FUZZ_SECONDS";

/// Sends messages for `seconds`.
///
/// # Errors
/// `seconds` is not a whole number, or the test failed.
pub fn run(root: &Path, seconds: &str) -> Result<(), String> {
    let seconds: u64 =
        seconds.parse().map_err(|_| format!("--seconds must be a whole number; received {seconds:?}"))?;
    let mut test = Command::new(crate::cargo());
    // The test prints the number of messages.
    test.args(TEST).args(["--nocapture"]).env(SECONDS, seconds.to_string());
    let status = test.current_dir(root).stdin(Stdio::null()).status();
    let status = status.map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("fuzz: the test failed ({status}); see the message above"))
    }
}
