//! Single answers: recurring payments, and the history of a portfolio against its SQL.

use super::super::capture;
use super::super::data::STANDARD;
use super::super::figures::{Outcome, median};
use super::super::load;
use super::super::pgbench::Script;
use super::super::setting::Setting;

/// Number of requests of which each run takes the median.
const REQUESTS: u32 = 25;

/// Recurring payments with 5,000 rows in the window of 25 months.
pub(super) fn recurring(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, "recurring")?;
    let request = served.get("/v1/recurring-payments?asOf=2026-11-21&limit=200")?;
    let latencies: Vec<f64> =
        (0..setting.options.rounds).map(|_| load::median_latency(&request, REQUESTS)).collect();
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.at_most("recurring payments, 5,000 rows in the window", median(latencies), "ms", 25.0);
    Ok(outcome)
}

/// Ten years of the history of twelve accounts, in months, against the server's own transaction.
pub(super) fn history(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, "portfolio")?;
    let mut outcome = Outcome::default();
    for (name, query) in [
        ("automatic interval", ""),
        ("months", "&interval=month"),
        ("months by account", "&interval=month&by=account"),
    ] {
        let path = format!("/v1/portfolio/history?dateFrom=2016-11-22&dateTo=2026-11-21{query}");
        let request = served.get(&path)?;
        let statements = capture::statements(&setting.postgres, &request)?;
        let script = Script::pipeline(setting.work.join("history.sql"), &statements)?;
        let (mut sql, mut answers) = (Vec::new(), Vec::new());
        for _ in 0..setting.options.rounds {
            sql.push(setting.latency_as_reader(STANDARD, &script)?);
            answers.push(load::median_latency(&request, REQUESTS));
        }
        let (sql, answer) = (median(sql), median(answers));
        outcome.figure(format!("history, {name}: its SQL"), sql, "ms");
        outcome.figure(format!("history, {name}: the answer"), answer, "ms");
        outcome.at_most(
            format!("history of 10 years and 12 accounts, {name}, against its SQL"),
            answer / sql,
            "×",
            2.0,
        );
    }
    served.stop()?;
    Ok(outcome)
}
