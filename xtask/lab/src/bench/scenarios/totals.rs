//! Totals over all time and over a year, of people with 10,000, 100,000 and 1,000,000 rows.

use super::super::data::STANDARD;
use super::super::figures::{Outcome, median};
use super::super::load;
use super::super::setting::Setting;

/// People by their number of rows, ascending.
pub(super) const PEOPLE: [&str; 3] = ["rows-10000", "rows-100000", "rows-1000000"];
/// Number of requests of which each run takes the median.
const REQUESTS: u32 = 15;
/// The last year of the data.
const YEAR: &str = "dateFrom=2025-11-22&dateTo=2026-11-21";
const PATHS: [(&str, &str); 4] = [
    ("cashflow", "/v1/cashflow/summary"),
    ("spending summary", "/v1/spending/summary"),
    ("spending by category", "/v1/spending/categories"),
    ("top merchants", "/v1/spending/merchants/top"),
];

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PEOPLE[0])?;
    let mut tokens = Vec::new();
    for person in PEOPLE {
        tokens.push(setting.generator().token(STANDARD.name, person)?);
    }
    let mut outcome = Outcome::default();
    for (name, path) in PATHS {
        // 20 years in months are within the maximum number of periods.
        for (span, query) in [("all time", ""), ("one year", YEAR)] {
            let requests = tokens
                .iter()
                .map(|token| served.get_as(&format!("{path}?{query}"), token))
                .collect::<Result<Vec<_>, _>>()?;
            let mut rounds = vec![Vec::new(); PEOPLE.len()];
            for _ in 0..setting.options.rounds {
                for (latencies, request) in rounds.iter_mut().zip(&requests) {
                    latencies.push(load::median_latency(request, REQUESTS));
                }
            }
            let latencies: Vec<f64> = rounds.into_iter().map(median).collect();
            let name = format!("{name}, {span}");
            for (person, latency) in PEOPLE.iter().zip(&latencies).take(2) {
                outcome.figure(format!("{name}, {person}"), *latency, "ms");
            }
            outcome.at_most(format!("{name}, rows-1000000"), latencies[2], "ms", 20.0);
            outcome.at_most(
                format!("{name}, growth from 10,000 to 1,000,000 rows"),
                latencies[2] / latencies[0],
                "×",
                2.0,
            );
        }
    }
    served.stop()?;
    Ok(outcome)
}
