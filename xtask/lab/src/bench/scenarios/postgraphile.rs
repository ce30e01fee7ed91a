//! The page against `PostGraphile`, a GraphQL server, over the same tables with as many connections.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::alternation::alternate;
use super::super::child::Program;
use super::super::cpu;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::Outcome;
use super::super::http::{Connection, Request};
use super::super::load::{self, Load};
use super::super::postgres::SUPERUSER;
use super::super::setting::{CONNECTIONS, Sample, Setting};
use crate::clients::node;
use crate::command::read;

/// Number of rows of the page in `query.graphql`.
const PAGE_ROWS: usize = 50;

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get("/v1/transactions?pageSize=50")?;
    served.warm_up(&request)?;
    let postgraphile = start(setting)?;
    let user = setting.user_id(STANDARD.name, PERSON)?;
    let query = read(&setting.committed("postgraphile/query.graphql"))?;
    let body = json!({ "query": query, "variables": { "user": user } }).to_string();
    let graphql = Request::post(&postgraphile.base, "/graphql", "", &body)?;
    check_page(Connection::open(&graphql)?.exchange(&graphql)?)?;
    load::saturate(&graphql, CONNECTIONS, Duration::from_secs(3))?;
    let rounds = alternate(
        setting.options.rounds,
        &[&|| saturate(setting, &postgraphile, &graphql), &|| served.saturate(&request)],
    )?;
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.at_least("page, against PostGraphile", rounds.ratio((1, |s| s.rate), (0, |s| s.rate)), "×", 3.0);
    rounds.describe(&mut outcome, &["page, PostGraphile", "page, server"]);
    Ok(outcome)
}

/// Checks that a response is a whole page: `GraphQL` reports errors with status 200 too.
fn check_page(body: &[u8]) -> Result<(), String> {
    let response: Value = serde_json::from_slice(body).map_err(|error| format!("PostGraphile: {error}"))?;
    let rows = response["data"]["allTransactions"]["nodes"].as_array().map_or(0, Vec::len);
    if rows == PAGE_ROWS && response.get("errors").is_none() {
        return Ok(());
    }
    Err(format!("PostGraphile returned {rows} rows instead of {PAGE_ROWS}: {}", response["errors"]))
}

/// Installs and starts `PostGraphile`. It connects as the superuser, to whom row-level security does not apply.
fn start(setting: &Setting) -> Result<Program, String> {
    let folder = setting.work.join("postgraphile");
    let node = node::node(&setting.work)?;
    let packages = node::install_member(&setting.root, "bench/postgraphile", &folder)?;
    let mut command = Command::new(node);
    command.arg(node::find(&packages, ".bin/postgraphile")?).current_dir(&packages);
    command.env("NODE_ENV", "production").env("GRAPHILE_ENV", "production");
    let url = setting.postgres.url(SUPERUSER, STANDARD.name);
    Program::start(&mut command, |port| {
        let preset = ["-P", "postgraphile/presets/amber", "-c", &url, "-s", "passbook"];
        [&preset[..], &["-n", "127.0.0.1", "-p", port]].concat().into_iter().map(str::to_owned).collect()
    })
}

fn saturate(setting: &Setting, program: &Program, request: &Request) -> Result<Sample, String> {
    let server = cpu::of_process(program.process())?;
    let postgres = setting.postgres.cpu_seconds()?;
    let Load { rate, responses, .. } = load::saturate(request, CONNECTIONS, setting.options.duration)?;
    let server = cpu::of_process(program.process())? - server;
    let postgres = setting.postgres.cpu_seconds()? - postgres;
    let each = 1e6 / f64::from(responses);
    Ok(Sample { rate, server_microseconds: server * each, postgres_microseconds: postgres * each })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_with_errors_or_too_few_rows_is_no_measurement() {
        let nodes = vec![json!({ "transactionId": 1 }); PAGE_ROWS];
        let page = |nodes: &[Value]| json!({ "data": { "allTransactions": { "nodes": nodes } } });
        assert!(check_page(page(&nodes).to_string().as_bytes()).is_ok());
        assert!(check_page(page(&nodes[1..]).to_string().as_bytes()).is_err());
        let refused = json!({ "errors": [{ "message": "Cannot query field" }] }).to_string();
        assert!(check_page(refused.as_bytes()).expect_err("no page").contains("Cannot query field"));
    }
}
