//! A running identity provider.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use super::matrix::Shape;
use super::programs::Programs;

/// It ends when its standard input does, so also when this process is killed.
#[derive(Debug)]
pub(super) struct Provider {
    child: Child,
    issuer: String,
}

impl Provider {
    /// Starts it, and waits until it says who it is.
    pub(super) fn start(
        programs: &Programs,
        shape: Shape,
        plan: &Path,
        seen: &Path,
    ) -> Result<Provider, String> {
        // It warns that it forgets everything when it ends, as it should.
        let log = plan.with_extension("log");
        let child = programs
            .script("provider.mjs", &[plan, seen])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?)
            .spawn()
            .map_err(|error| format!("the provider: {error}"))?;
        let mut provider = Provider { child, issuer: String::new() };
        let output = provider.child.stdout.take().ok_or("the provider's output is piped")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map_err(|error| format!("the provider: {error}"))?;
        let issuer = line.trim().strip_prefix("issuer ");
        let missing = || format!("the {} provider ended, see {}", shape.name(), log.display());
        issuer.ok_or_else(missing)?.clone_into(&mut provider.issuer);
        Ok(provider)
    }

    /// As its documents and tokens name it.
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
