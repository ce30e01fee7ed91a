//! A month's cashflow and a tool call of 25 rows: against `pgbench` sending the server's own transaction.

use super::super::alternation::alternate;
use super::super::capture;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::Outcome;
use super::super::http::Request;
use super::super::pgbench::Script;
use super::super::setting::{Served, Setting};

pub(super) fn month(setting: &Setting) -> Result<Outcome, String> {
    let path = "/v1/cashflow/summary?dateFrom=2026-10-22&dateTo=2026-11-21";
    against_transaction(setting, "cashflow of a month", |served| served.get(path), 0.50)
}

pub(super) fn tool(setting: &Setting) -> Result<Outcome, String> {
    let call = r#"{"name":"search_transactions","arguments":{"pageSize":25}}"#;
    against_transaction(setting, "tools/call of 25 rows", |served| served.call("tools/call", call), 0.45)
}

fn against_transaction(
    setting: &Setting,
    name: &str,
    request: impl Fn(&Served<'_>) -> Result<Request, String>,
    bound: f64,
) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = request(&served)?;
    served.warm_up(&request)?;
    let statements = capture::statements(&setting.postgres, &request)?;
    let transaction = Script::pipeline(setting.work.join("transaction.sql"), &statements)?;
    let rounds = alternate(
        setting.options.rounds,
        &[&|| setting.run_as_reader(STANDARD, &transaction), &|| served.saturate(&request)],
    )?;
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.at_least(
        format!("{name}, against the server's transaction under pgbench"),
        rounds.ratio((1, |s| s.rate), (0, |s| s.rate)),
        "",
        bound,
    );
    rounds.describe(&mut outcome, &["server's transaction, pgbench", &format!("{name}, server")]);
    Ok(outcome)
}
