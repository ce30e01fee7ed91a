//! Schemathesis: requests made from the OpenAPI document, those that fit it and those that do not, and every answer
//! held against it. The checks, the few refusals that a schema cannot express, and the configuration are in
//! `xtask/clients`.

use std::process::{Command, Stdio};

use super::suite::SuiteContext;
use crate::python::Python;

/// Requests per operation and phase at most.
const EXAMPLES: &str = "200";
/// The same requests every time.
const SEED: &str = "20261121";

/// What needs an identity provider, which this server has none of: 404. The suite `sign-in` drives it.
const SIGN_IN: &str = "^/(oauth/|[.]well-known/(oauth-authorization-server|openid-configuration))";

/// Every operation as the owner of the demo household; the tool itself repeats requests without and with other tokens.
pub(super) fn with_token(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, Some(context.token))
}

/// Every operation as nobody: refusals must be described too.
pub(super) fn without_token(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, None)
}

fn run(context: &SuiteContext<'_>, token: Option<&str>) -> Result<(), String> {
    let python = Python::in_folder(context.work.join("schemathesis"));
    python.install(&context.committed("requirements.txt"))?;
    let program = python.program("schemathesis");
    // The token is a header of the configuration, by environment: what is on a command line can be seen by others.
    let configuration = if token.is_some() { "schemathesis.toml" } else { "schemathesis-without-token.toml" };
    let mut command = Command::new(&program);
    command
        .args(["--no-color", "--config-file"])
        .arg(context.committed(configuration))
        .args(["run", &format!("{}/openapi.json", context.base)])
        .args(["--phases", "examples,coverage,fuzzing", "--workers", "2", "--continue-on-failure"])
        .args(["--max-examples", EXAMPLES, "--seed", SEED, "--generation-database", "none"])
        .args(["--exclude-path-regex", SIGN_IN])
        // Our check takes the place of the one it wraps.
        .args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"])
        .env("SCHEMATHESIS_HOOKS", "schemathesis_checks")
        .env("PYTHONPATH", context.committed(""))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PASSBOOK_TOKEN", token.unwrap_or_default())
        .current_dir(&context.work)
        .stdin(Stdio::null());
    let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
    if status.success() { Ok(()) } else { Err(format!("the report above says why ({status})")) }
}
