//! Requests of the transaction list: a page deep in the list, filters, and the size of other people's data.

use serde_json::Value;

use super::super::data::{LARGE, PERSON, STANDARD};
use super::super::figures::{Outcome, median};
use super::super::http::{Connection, Request};
use super::super::load;
use super::super::setting::{Served, Setting};

/// Number of requests of which each run takes the median.
const REQUESTS: u32 = 50;
/// Share of the list before the deep page.
const DEPTH: f64 = 0.9;
const FILTERS: [(&str, &str); 6] = [
    ("merchantQuery of many rows", "merchantQuery=cafe"),
    ("merchantQuery of few rows", "merchantQuery=maison%20records%20oslo"),
    ("merchantQuery of no row", "merchantQuery=zzzzzz"),
    ("three categories", "categories=BOOKS,DENTIST,TAXI"),
    ("amount descending", "sort=amount_desc"),
    ("amount ascending", "sort=amount_asc"),
];

/// A page after nine tenths of the list, against the first page.
pub(super) fn deep(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let first = served.get("/v1/transactions?pageSize=50")?;
    let deep = served.get(&format!("/v1/transactions?pageSize=50&cursor={}", cursor(setting)?))?;
    check_rows(&deep)?;
    let latencies = latencies(setting, &[&first, &deep])?;
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.figure("first page", latencies[0], "ms");
    outcome.figure("page after nine tenths of the list", latencies[1], "ms");
    outcome.at_most("deep page, against the first page", latencies[1] / latencies[0], "×", 1.2);
    Ok(outcome)
}

/// Filters at 100,000 rows.
pub(super) fn filters(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let requests = FILTERS
        .iter()
        .map(|(_, query)| served.get(&format!("/v1/transactions?pageSize=50&{query}")))
        .collect::<Result<Vec<_>, _>>()?;
    let latencies = latencies(setting, &requests.iter().collect::<Vec<_>>())?;
    served.stop()?;
    let mut outcome = Outcome::default();
    for ((name, _), latency) in FILTERS.iter().zip(latencies) {
        outcome.at_most(*name, latency, "ms", 50.0);
    }
    Ok(outcome)
}

/// The same person among 100,000 and among 10 million rows of other people.
pub(super) fn others(setting: &Setting) -> Result<Outcome, String> {
    if !setting.options.large {
        return Err("needs --large: the database with 10 million rows takes long to make".to_owned());
    }
    let few = setting.serve(STANDARD, PERSON)?;
    let many = setting.serve(LARGE, PERSON)?;
    let mut outcome = Outcome::default();
    for (name, path) in [
        ("page", "/v1/transactions?pageSize=50"),
        ("cashflow of a month", "/v1/cashflow/summary?dateFrom=2026-10-22&dateTo=2026-11-21"),
        ("cashflow, all time", "/v1/cashflow/summary"),
        ("top merchants, all time", "/v1/spending/merchants/top"),
        ("merchantQuery", "/v1/transactions?merchantQuery=maison"),
    ] {
        let request = |served: &Served<'_>| served.get(path);
        let latencies = latencies(setting, &[&request(&few)?, &request(&many)?])?;
        outcome.figure(format!("{name}, 100,000 other rows"), latencies[0], "ms");
        outcome.figure(format!("{name}, 10,000,000 other rows"), latencies[1], "ms");
        outcome.at_most(
            format!("{name}, growth from 100,000 to 10,000,000 other rows"),
            latencies[1] / latencies[0],
            "×",
            1.1,
        );
    }
    few.stop()?;
    many.stop()?;
    Ok(outcome)
}

/// Returns the median over the rounds of each request's median latency, in milliseconds.
fn latencies(setting: &Setting, requests: &[&Request]) -> Result<Vec<f64>, String> {
    let mut rounds = vec![Vec::new(); requests.len()];
    for _ in 0..setting.options.rounds {
        for (latencies, request) in rounds.iter_mut().zip(requests) {
            latencies.push(load::median_latency(request, REQUESTS));
        }
    }
    Ok(rounds.into_iter().map(median).collect())
}

/// Returns the cursor after nine tenths of the person's rows, percent-encoded.
fn cursor(setting: &Setting) -> Result<String, String> {
    let query = format!(
        "select json_build_object('date', t.date, 'id', t.transaction_id) from passbook.transactions as t
         join passbook.users as u on u.user_id = t.user_id where u.email = '{PERSON}@bench.example'
         order by t.date desc, t.transaction_id desc
         offset (select {DEPTH} * count(*) from passbook.transactions as t
           join passbook.users as u on u.user_id = t.user_id where u.email = '{PERSON}@bench.example') limit 1"
    );
    let cursor = setting.postgres.query(STANDARD.name, &query)?;
    let encode = |byte: u8| {
        if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    Ok(cursor.bytes().filter(|byte| *byte != b' ').map(encode).collect())
}

fn check_rows(request: &Request) -> Result<(), String> {
    let mut connection = Connection::open(request)?;
    let body: Value = serde_json::from_slice(connection.exchange(request)?)
        .map_err(|error| format!("a page of transactions: {error}"))?;
    match body["transactions"].as_array().map(Vec::len) {
        Some(50) => Ok(()),
        count => Err(format!("the page has {count:?} transactions instead of 50")),
    }
}
