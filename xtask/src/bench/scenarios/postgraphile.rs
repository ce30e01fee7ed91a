//! The page against `PostGraphile`, a GraphQL server, over the same tables with as many connections.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::super::alternation::alternate;
use super::super::child::Program;
use super::super::cpu;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::Outcome;
use super::super::http::Request;
use super::super::load::{self, Load};
use super::super::postgres::SUPERUSER;
use super::super::setting::{CONNECTIONS, Sample, Setting};
use crate::clients::node;
use crate::command::read;

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get("/v1/transactions?pageSize=50")?;
    served.warm_up(&request)?;
    let postgraphile = start(setting)?;
    let user = setting.user_id(STANDARD.name, PERSON)?;
    let query = read(&setting.committed("postgraphile/query.graphql"))?;
    let body = json!({ "query": query, "variables": { "user": user } }).to_string();
    let graphql = Request::post(&postgraphile.base, "/graphql", "", &body)?;
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

/// Installs and starts `PostGraphile`. It connects as the superuser, to whom row-level security does not apply.
fn start(setting: &Setting) -> Result<Program, String> {
    let folder = setting.work.join("postgraphile");
    let node = node::node(&setting.work)?;
    node::install_list(&setting.committed("postgraphile"), &folder)?;
    let mut command = Command::new(node);
    command.arg(folder.join("node_modules/.bin/postgraphile")).current_dir(&folder);
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
