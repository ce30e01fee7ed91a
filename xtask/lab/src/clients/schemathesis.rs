//! Runs Schemathesis: it generates valid and invalid requests from the OpenAPI document, and validates every response.
//!
//! `xtask/lab/clients` has the configuration and a check for the few rejections that a schema cannot express.

use std::process::{Command, Stdio};

use super::suite::SuiteContext;
use crate::python::Python;

/// Maximum number of requests per operation and phase.
const EXAMPLES: &str = "200";
/// The same without a token, when the server reads no parameter.
const EXAMPLES_WITHOUT_TOKEN: &str = "20";
/// Seed of the generated requests. It is constant, so that every run sends the same requests.
const SEED: &str = "20261121";

/// Pattern of the paths with status 404 because this server has no identity provider. The suite `sign-in` covers these
/// paths.
const SIGN_IN: &str = "^/(oauth/|[.]well-known/(oauth-authorization-server|openid-configuration))";

/// Tests every operation with the demo's token. Schemathesis repeats requests without a token and with invalid ones.
pub(super) fn with_token(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, Some(context.token))
}

/// Tests every operation without a token: the document must describe the error responses too.
pub(super) fn without_token(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, None)
}

fn run(context: &SuiteContext<'_>, token: Option<&str>) -> Result<(), String> {
    let python = Python::in_folder(context.work.join("schemathesis"));
    python.install(&context.committed("requirements.txt"))?;
    let program = python.program("schemathesis");
    // The configuration reads the token from the environment: a command line would show it to other users.
    let (configuration, examples) = match token {
        Some(_) => ("schemathesis.toml", EXAMPLES),
        None => ("schemathesis-without-token.toml", EXAMPLES_WITHOUT_TOKEN),
    };
    let mut command = Command::new(&program);
    command
        .args(["--no-color", "--config-file"])
        .arg(context.committed(configuration))
        .args(["run", &format!("{}/openapi.json", context.base)])
        .args(["--phases", "examples,coverage,fuzzing", "--workers", "2", "--continue-on-failure"])
        .args(["--max-examples", examples, "--seed", SEED, "--generation-database", "none"])
        .args(["--exclude-path-regex", SIGN_IN])
        // The check in `schemathesis_checks.py` replaces the excluded check, which it calls itself.
        .args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"])
        .env("SCHEMATHESIS_HOOKS", "schemathesis_checks")
        .env("PYTHONPATH", context.committed(""))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PASSBOOK_TOKEN", token.unwrap_or_default())
        .current_dir(&context.work)
        .stdin(Stdio::null());
    let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
    if status.success() { Ok(()) } else { Err(format!("see the report above ({status})")) }
}
