//! `cargo lab fuzz TARGET --seconds N`: sends damaged input to a part of the project for N seconds.
//!
//! | target | input | test |
//! |---|---|---|
//! | `mcp` | messages to the tool server | `tests/it/tools/fuzz.rs` |
//! | `statements` | files of banks and apps | `crates/statements/tests/fuzz.rs` |
//!
//! A test generates the input and checks the outcome. Every run sends the same sequence from its start; a longer run
//! gets further. In an ordinary test run it sends a few thousand messages or files.

use std::path::Path;
use std::process::{Command, Stdio};

/// The targets, each with the arguments of cargo that run its test. The test is built with the features of
/// `cargo test --workspace`.
const TARGETS: [(&str, &[&str]); 2] = [
    ("mcp", &["test", "--workspace", "--test", "it", "tools::fuzz::", "--"]),
    ("statements", &["test", "--workspace", "--test", "fuzz", "--"]),
];
/// Environment variable that tells the test for how many seconds to send input.
const SECONDS: &str = "PASSBOOK_TEST_FUZZ_SECONDS";

/// Sends input to a target for `seconds`.
///
/// # Errors
/// There is no such target, `seconds` is not a whole number, or the test failed.
pub(crate) fn run(root: &Path, target: &str, seconds: &str) -> Result<(), String> {
    let arguments = TARGETS.iter().find(|(name, _)| *name == target).map(|(_, arguments)| arguments);
    let arguments =
        arguments.ok_or_else(|| format!("the target must be mcp or statements; received {target:?}"))?;
    let seconds: u64 =
        seconds.parse().map_err(|_| format!("--seconds must be a whole number; received {seconds:?}"))?;
    let mut test = Command::new(crate::repository::cargo());
    // The test prints the number of messages or files.
    test.args(*arguments).args(["--nocapture"]).env(SECONDS, seconds.to_string());
    let status = test.current_dir(root).stdin(Stdio::null()).status();
    let status = status.map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("fuzz: the test failed ({status}); see the message above"))
    }
}
