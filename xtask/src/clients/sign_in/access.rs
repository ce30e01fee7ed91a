//! Checks which users get data through a client, and that a revoked client gets none: over the same connections, over
//! REST and MCP, with the old access token and with a refreshed one.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::household::{ACCESS, Household};
use super::journeys::SCOPE;
use super::programs::Programs;
use super::servers::Servers;
use crate::command::{print_line, write};

/// Name of the setting in which access is checked: the default mode, with a provider that always issues a refresh
/// token.
const SETTING: &str = "supabase-split";

/// Checks the access of each user. Returns one line per unexpected response.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("checking the access of owners, other users and revoked clients");
    let served = json!({ "rest": 200, "rest_code": null, "tools": 200, "tools_code": null });
    let refused = |status: u16, code: &str| json!({ "rest": status, "rest_code": code, "tools": status, "tools_code": code });
    let mut found = Vec::new();
    let mut compare = |case: &str, received: Value, expected: &Value| {
        if received != *expected {
            found.push(format!("{case}: received {received}, expected {expected}"));
        }
    };

    let start = |who| SignedInClient::start(who, programs, household, servers);
    compare("the owner of a dashboard", start(household.owner_of_dashboard())?.next()?, &served);
    let other_user = start(household.other_user_at_dashboard())?.next()?;
    compare("another user at a dashboard", other_user, &refused(403, "FORBIDDEN"));

    let mut client = start(household.client_to_revoke())?;
    compare("a client before it is revoked", client.next()?, &served);
    compare("the same client again", client.again("same token")?, &served);
    compare("with a refreshed token", client.again("refresh")?, &served);
    household.revoke()?;
    compare("a client after it is revoked", client.again("same token")?, &refused(401, "UNAUTHORIZED"));
    let refreshed = client.again("refresh")?;
    compare("a revoked client with a refreshed token", refreshed, &refused(401, "UNAUTHORIZED"));
    Ok(found)
}

/// A client process that sends its requests on command.
struct SignedInClient {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl SignedInClient {
    /// Starts the client, which signs in and sends its first requests.
    fn start(
        (person, client_id): (&str, &str),
        programs: &Programs,
        household: &Household,
        servers: &Servers,
    ) -> Result<SignedInClient, String> {
        let case = json!({
            "setting": SETTING, "base": servers.base(SETTING)?, "client_id": client_id, "person": person,
            "redirect_uri": household.redirect_uri(ACCESS, SETTING), "scope": SCOPE,
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
    fn next(&mut self) -> Result<Value, String> {
        let line = self.output.next().ok_or("access.mjs ended before it sent its requests")?;
        let line = line.map_err(|error| format!("access.mjs: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("access.mjs: {line}: {error}"))
    }

    /// Tells the client to send its requests again. `how` is `same token` or `refresh`.
    fn again(&mut self, how: &str) -> Result<Value, String> {
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
