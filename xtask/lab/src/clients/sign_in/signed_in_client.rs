//! A client that signs in once and then sends requests on command, over the same connections to REST and the tool server.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::household::{ACCESS, Household};
use super::journeys::SCOPE;
use super::programs::Programs;
use super::servers::Servers;
use crate::command::write;

/// Returns the outcome of requests that got a successful response.
pub(super) fn served() -> Value {
    json!({ "rest": 200, "rest_code": null, "tools": 200, "tools_code": null })
}

/// Returns the outcome of requests that got an error response.
pub(super) fn refused(status: u16, code: &str) -> Value {
    json!({ "rest": status, "rest_code": code, "tools": status, "tools_code": code })
}

/// A client process that sends its requests on command.
pub(super) struct SignedInClient {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl SignedInClient {
    /// Starts the client, which signs in and sends its first requests.
    pub(super) fn start(
        (person, client_id): (&str, &str),
        setting: &str,
        programs: &Programs,
        household: &Household,
        servers: &Servers,
    ) -> Result<SignedInClient, String> {
        let case = json!({
            "setting": setting, "base": servers.base(setting)?, "client_id": client_id, "person": person,
            "redirect_uri": household.redirect_uri(ACCESS, setting), "scope": SCOPE,
        });
        let plan = household.file("access.json");
        write(&plan, &json!({ "cases": [case] }).to_string())?;
        let mut command = programs.script("access.mjs", &[&plan]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("access.mjs: {error}"))?;
        let output = child.stdout.take().ok_or("the standard output is not a pipe")?;
        Ok(SignedInClient { input: child.stdin.take(), output: BufReader::new(output).lines(), child })
    }

    /// Returns the status and the error code of each surface in the next responses that the client prints.
    pub(super) fn next(&mut self) -> Result<Value, String> {
        let line = self.output.next().ok_or("access.mjs ended before it sent its requests")?;
        let line = line.map_err(|error| format!("access.mjs: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("access.mjs: {line}: {error}"))
    }

    /// Tells the client to send its requests again. `how` is `same token` or `refresh`.
    pub(super) fn again(&mut self, how: &str) -> Result<Value, String> {
        let input = self.input.as_mut().ok_or("the standard input is not a pipe")?;
        writeln!(input, "{how}").map_err(|error| format!("access.mjs: {error}"))?;
        self.next()
    }
}

impl Drop for SignedInClient {
    fn drop(&mut self) {
        // The process ends when its standard input closes.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
