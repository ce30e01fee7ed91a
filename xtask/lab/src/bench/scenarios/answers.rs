//! Single answers: recurring payments, and the history of a portfolio against its SQL.

use super::super::capture;
use super::super::data::STANDARD;
use super::super::figures::{Outcome, median};
use super::super::load;
use super::super::pgbench::Script;
use super::super::setting::{Served, Setting};
use super::totals::PEOPLE;

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
        outcome.at_most(format!("history, {name}: the answer"), answer, "ms", 30.0);
        outcome.at_most(
            format!("history of 10 years and 12 accounts, {name}, against its SQL"),
            answer / sql,
            "×",
            2.0,
        );
    }
    growth(setting, &served, &mut outcome)?;
    served.stop()?;
    Ok(outcome)
}

/// The same history of people with more and more transactions, against the number of days on which an account has any.
fn growth(setting: &Setting, served: &Served<'_>, outcome: &mut Outcome) -> Result<(), String> {
    let (mut latencies, mut days) = (Vec::new(), Vec::new());
    for person in PEOPLE {
        let token = setting.generator().token(STANDARD.name, person)?;
        let request = served.get_as("/v1/portfolio/history?dateFrom=2016-11-22&dateTo=2026-11-21", &token)?;
        let rounds: Vec<f64> =
            (0..setting.options.rounds).map(|_| load::median_latency(&request, REQUESTS)).collect();
        latencies.push(median(rounds));
        let count = format!(
            "select count(*) from passbook.account_category_totals join passbook.users using (user_id) \
             where measure = 'BOOKED' and email = '{person}@bench.example'"
        );
        let counted = setting.postgres.query(STANDARD.name, &count)?;
        days.push(counted.trim().parse::<f64>().map_err(|error| format!("{count}: {error}"))?);
        outcome.figure(format!("history, {person}"), latencies[latencies.len() - 1], "ms");
    }
    let last = PEOPLE.len() - 1;
    let (slower, more_days) = (latencies[last] / latencies[0], days[last] / days[0]);
    outcome.figure("history, growth from 10,000 to 1,000,000 rows", slower, "×");
    outcome.at_most("history, its growth against that of days with rows", slower / more_days, "×", 1.0);
    Ok(())
}
