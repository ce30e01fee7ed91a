//! The statements of `initialize` and `tools/list`: the check of the grant must be the only query.

use super::super::capture;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::Outcome;
use super::super::setting::Setting;

/// Statements that begin or end a transaction.
const CONTROL: [&str; 2] = ["begin", "commit"];
const INITIALIZE: &str =
    r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#;

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let mut outcome = Outcome::default();
    for (method, parameters) in [("initialize", INITIALIZE), ("tools/list", "{}")] {
        let statements = capture::statements(&setting.postgres, &served.call(method, parameters)?)?;
        let queries = statements.iter().filter(|statement| {
            let sql = statement.sql.to_lowercase();
            !CONTROL.iter().any(|word| sql.starts_with(word))
        });
        let count = u32::try_from(queries.count()).unwrap_or(u32::MAX);
        outcome.at_most(format!("queries of {method}"), f64::from(count), "", 1.0);
    }
    served.stop()?;
    Ok(outcome)
}
