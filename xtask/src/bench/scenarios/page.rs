//! A page of 50 transactions of a person with 100,000: against the bare query, against the server's own transaction, and
//! beside a handler that returns the same bytes.

use std::process::Command;

use super::super::alternation::alternate;
use super::super::capture;
use super::super::child::Program;
use super::super::cpu;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::Outcome;
use super::super::http::{Connection, Request};
use super::super::load::{self, Load};
use super::super::pgbench::Script;
use super::super::setting::{CONNECTIONS, Sample, Setting};

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get("/v1/transactions?pageSize=50")?;
    served.warm_up(&request)?;
    let user = setting.user_id(STANDARD.name, PERSON)?;
    let bare = Script::committed(setting.committed("queries/page.sql"), &[("user", &user)]);
    let statements = capture::statements(&setting.postgres, &request)?;
    let transaction = Script::pipeline(setting.work.join("page_transaction.sql"), &statements)?;
    let bare_handler = BareHandler::start(setting, &request)?;
    let rounds = alternate(
        setting.options.rounds,
        &[
            &|| setting.run_without_rls(STANDARD, &bare),
            &|| setting.run_as_reader(STANDARD, &transaction),
            &|| served.saturate(&request),
            &|| bare_handler.saturate(setting),
        ],
    )?;
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.at_least(
        "page, against the bare query",
        rounds.ratio((2, |s| s.rate), (0, |s| s.rate)),
        "",
        0.42,
    );
    outcome.at_least(
        "the server's transaction under pgbench, against the bare query",
        rounds.ratio((1, |s| s.rate), (0, |s| s.rate)),
        "",
        0.65,
    );
    outcome.at_most(
        "server CPU of a page, against PostgreSQL's CPU of the bare query",
        rounds.ratio((2, |s| s.server_microseconds), (0, |s| s.postgres_microseconds)),
        "",
        0.6,
    );
    rounds.describe(
        &mut outcome,
        &[
            "bare query, pgbench",
            "server's transaction, pgbench",
            "page, server",
            "the same bytes, hyper handler without work",
        ],
    );
    Ok(outcome)
}

/// A running `bare_handler`, which returns the bytes of the page.
struct BareHandler {
    program: Program,
    request: Request,
}

impl BareHandler {
    fn start(setting: &Setting, page: &Request) -> Result<BareHandler, String> {
        let file = setting.work.join("page.json");
        let body = Connection::open(page)?.exchange(page)?.to_vec();
        std::fs::write(&file, body).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut command = Command::new(setting.program("examples/bare_handler"));
        let file = file.display().to_string();
        let program = Program::start(&mut command, |port| vec![port.to_owned(), file.clone()])?;
        let request = Request::get(&program.base, "/", "")?;
        Ok(BareHandler { program, request })
    }

    fn saturate(&self, setting: &Setting) -> Result<Sample, String> {
        let before = cpu::of_process(self.program.process())?;
        let Load { rate, responses, .. } =
            load::saturate(&self.request, CONNECTIONS, setting.options.duration)?;
        let used = cpu::of_process(self.program.process())? - before;
        let server_microseconds = used * 1e6 / f64::from(responses);
        Ok(Sample { rate, server_microseconds, postgres_microseconds: 0.0 })
    }
}
