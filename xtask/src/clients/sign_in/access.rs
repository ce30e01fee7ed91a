//! Whom a client serves, and that it ends when it is revoked: with the token that was good a moment ago, over the same
//! connections, on both surfaces, and with a token that the provider still gives for the refresh token.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::household::{ACCESS, Household};
use super::journeys::SCOPE;
use super::programs::Programs;
use super::servers::Servers;
use crate::command::{print_line, write};

/// The default mode, at a provider that always gives a refresh token.
const SETTING: &str = "supabase-split";

/// What is not as it should be.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("whom a client serves, and what a revoked one may read");
    let served = json!({ "rest": 200, "rest_code": null, "tools": 200, "tools_code": null });
    let refused = |status: u16, code: &str| json!({ "rest": status, "rest_code": code, "tools": status, "tools_code": code });
    let mut found = Vec::new();
    let mut compare = |what: &str, came: Value, expected: &Value| {
        if came != *expected {
            found.push(format!("{what}: {came} came, not {expected}"));
        }
    };

    let start = |who| Asker::start(who, programs, household, servers);
    compare("the owner of a dashboard", start(household.owner_of_dashboard())?.next()?, &served);
    let stranger = start(household.stranger_at_dashboard())?.next()?;
    compare("a stranger at a dashboard", stranger, &refused(403, "FORBIDDEN"));

    let mut asker = start(household.to_be_revoked())?;
    compare("a client before it is revoked", asker.next()?, &served);
    compare("the same, once more", asker.again("same token")?, &served);
    compare("with a refreshed token", asker.again("refresh")?, &served);
    household.revoke()?;
    compare("a client after it is revoked", asker.again("same token")?, &refused(401, "UNAUTHORIZED"));
    let refreshed = asker.again("refresh")?;
    compare("a revoked client with a refreshed token", refreshed, &refused(401, "UNAUTHORIZED"));
    Ok(found)
}

/// A client that asks when it is told to.
struct Asker {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Asker {
    /// Signs in, and asks for the first time.
    fn start(
        (person, client_id): (&str, &str),
        programs: &Programs,
        household: &Household,
        servers: &Servers,
    ) -> Result<Asker, String> {
        let case = json!({
            "setting": SETTING, "base": servers.base(SETTING)?, "client_id": client_id, "person": person,
            "redirect_uri": household.redirect_uri(ACCESS, SETTING), "scope": SCOPE,
        });
        let plan = household.file("access.json");
        write(&plan, &json!({ "cases": [case] }).to_string())?;
        let mut command = programs.script("access.mjs", &[&plan]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("access.mjs: {error}"))?;
        let output = child.stdout.take().ok_or("the output is piped")?;
        Ok(Asker { input: child.stdin.take(), output: BufReader::new(output).lines(), child })
    }

    /// What came the last time it asked.
    fn next(&mut self) -> Result<Value, String> {
        let line = self.output.next().ok_or("access.mjs ended before it had asked")?;
        let line = line.map_err(|error| format!("access.mjs: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("access.mjs: {line}: {error}"))
    }

    /// Asks again.
    fn again(&mut self, how: &str) -> Result<Value, String> {
        let input = self.input.as_mut().ok_or("the input is piped")?;
        writeln!(input, "{how}").map_err(|error| format!("access.mjs: {error}"))?;
        self.next()
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // It ends when its input does.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
