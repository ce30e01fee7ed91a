//! Signs in to the dashboard of the server itself in a browser, at every setting: the journey from the sign-in to the
//! revoked consent, and attacks on the sign-in.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::json;

use super::household::Household;
use super::matrix::SETTINGS;
use super::servers::Servers;
use crate::clients::pictures;
use crate::clients::suite::SuiteContext;
use crate::command::{print_line, write};

/// The line that the program prints when every browser is signed in. It continues when its standard input has a line.
const REVOKE: &str = "revoke";

/// Runs the browsers. Returns a line if the program reported problems, which it prints itself.
pub(super) fn faults(
    context: &SuiteContext<'_>,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("signing in to the dashboard of the server in a browser");
    let (person, _) = household.owner_of_dashboard();
    let mut cases = Vec::new();
    for setting in &SETTINGS {
        let origin = servers.base(setting.name)?.trim_end_matches("/api");
        let case = json!({ "setting": setting.name, "origin": origin, "issuer": servers.issuer(setting) });
        cases.push(case);
    }
    let plan = household.file("browser-journey.json");
    write(&plan, &json!({ "person": person, "cases": cases }).to_string())?;
    let mut child = pictures::program(context, "sign_in.mjs")?
        .arg(&plan)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("sign_in.mjs: {error}"))?;
    let output = child.stdout.take().ok_or("the standard output is not a pipe")?;
    let driven = drive(&mut child, output, household);
    // The program ends when its standard input closes.
    drop(child.stdin.take());
    let status = child.wait().map_err(|error| format!("sign_in.mjs: {error}"))?;
    driven?;
    let problem = format!("the dashboard of the server in a browser: see the problems above ({status})");
    Ok(if status.success() { Vec::new() } else { vec![problem] })
}

/// Shows the output of the program, and revokes the consent when the program asks for it.
fn drive(child: &mut Child, output: ChildStdout, household: &Household) -> Result<(), String> {
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("sign_in.mjs: {error}"))?;
        if line != REVOKE {
            print_line(&line);
            continue;
        }
        household.revoke_consent_to_own_dashboard()?;
        let input = child.stdin.as_mut().ok_or("the standard input is not a pipe")?;
        writeln!(input, "revoked").map_err(|error| format!("sign_in.mjs: {error}"))?;
    }
    Ok(())
}
