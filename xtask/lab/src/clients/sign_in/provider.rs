//! Starts an identity provider, and stops it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use super::matrix::Shape;
use super::programs::Programs;

/// A running identity provider. The process ends when its standard input closes, so it also ends if this process is
/// killed.
#[derive(Debug)]
pub(super) struct Provider {
    child: Child,
    output: BufReader<ChildStdout>,
    issuer: String,
}

impl Provider {
    /// Starts the identity provider, and waits until it prints its issuer. The provider appends received requests to
    /// the file `requests`.
    pub(super) fn start(
        programs: &Programs,
        shape: Shape,
        plan: &Path,
        requests: &Path,
    ) -> Result<Provider, String> {
        // The log contains a warning that the provider's data is lost at its end. This is intended.
        let log = plan.with_extension("log");
        let mut child = programs
            .script("provider.mjs", &[plan, requests])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?)
            .spawn()
            .map_err(|error| format!("the provider: {error}"))?;
        let output = child.stdout.take().ok_or("the provider's standard output is not a pipe")?;
        let mut provider = Provider { child, output: BufReader::new(output), issuer: String::new() };
        let line = provider.next_line()?;
        let issuer = line.trim().strip_prefix("issuer ");
        let missing = || format!("the {} provider ended, see {}", shape.name(), log.display());
        issuer.ok_or_else(missing)?.clone_into(&mut provider.issuer);
        Ok(provider)
    }

    /// Replaces the signing key by another one with the same key identifier.
    pub(super) fn rotate_key(&mut self) -> Result<(), String> {
        let input = self.child.stdin.as_mut().ok_or("the provider's standard input is not a pipe")?;
        writeln!(input, "rotate").map_err(|error| format!("the provider: {error}"))?;
        match self.next_line()?.trim() {
            "rotated" => Ok(()),
            other => Err(format!("the provider must print `rotated`; received {other:?}")),
        }
    }

    fn next_line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| format!("the provider: {error}"))?;
        Ok(line)
    }

    /// Returns the issuer that the provider's documents and tokens name.
    pub(super) fn issuer(&self) -> &str {
        &self.issuer
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
