//! A page of 50 transactions of a person with 100,000: against the bare query, against the server's own transaction, and
//! beside two servers that do less: one only executes the statements and writes the page, one only returns its bytes. Server
//! and `pgbench` connect to PostgreSQL over the Unix socket, and in a second comparison over TCP. A page of one row and a
//! request of the grant alone show which part of a page its rows cost.

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
use super::super::postgres::PORT;
use super::super::setting::{CONNECTIONS, READER, Sample, Setting};

const PAGE: &str = "/v1/transactions?pageSize=50";

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get(PAGE)?;
    let (row, grant) = (served.get("/v1/transactions?pageSize=1")?, served.get("/v1/preferences")?);
    for request in [&row, &grant, &request] {
        served.warm_up(request)?;
    }
    let user = setting.user_id(STANDARD.name, PERSON)?;
    let bare = Script::committed(setting.committed("queries/page.sql"), &[("user", &user)]);
    let statements = capture::statements(&setting.postgres, &request)?;
    let transaction = Script::pipeline(setting.work.join("page_transaction.sql"), &statements)?;
    let bare_page = BareServer::page(setting, &user)?;
    let bare_handler = BareServer::handler(setting, &request)?;
    let rounds = alternate(
        setting.options.rounds,
        &[
            &|| setting.run_without_rls(STANDARD, None, &bare),
            &|| setting.run_as_reader(STANDARD, &transaction),
            &|| served.saturate(&request),
            &|| bare_page.saturate(setting),
            &|| bare_handler.saturate(setting),
            &|| served.saturate(&row),
            &|| served.saturate(&grant),
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
    outcome.figure(
        "page of the bare server, against the bare query",
        rounds.ratio((3, |s| s.rate), (0, |s| s.rate)),
        "",
    );
    outcome.figure(
        "CPU of the bare server for a page, against PostgreSQL's CPU of the bare query",
        rounds.ratio((3, |s| s.server_microseconds), (0, |s| s.postgres_microseconds)),
        "",
    );
    outcome.figure("page, against the bare server", rounds.ratio((2, |s| s.rate), (3, |s| s.rate)), "");
    rounds.describe(
        &mut outcome,
        &[
            "bare query, pgbench",
            "server's transaction, pgbench",
            "page, server",
            "page, bare server",
            "the same bytes, hyper handler without work",
            "page of one row, server",
            "grant without data, server",
        ],
    );
    over_tcp(setting, &bare, &mut outcome)?;
    Ok(outcome)
}

/// Compares the page with the bare query again, both over TCP.
fn over_tcp(setting: &Setting, bare: &Script, outcome: &mut Outcome) -> Result<(), String> {
    let host = setting.postgres.listen()?;
    let url = format!("postgresql://{READER}@{host}:{PORT}/{}", STANDARD.name);
    let served = setting.serve_url(url, STANDARD.name, PERSON)?;
    let request = served.get(PAGE)?;
    served.warm_up(&request)?;
    let rounds = alternate(
        setting.options.rounds,
        &[&|| setting.run_without_rls(STANDARD, Some(host), bare), &|| served.saturate(&request)],
    )?;
    served.stop()?;
    outcome.at_least(
        "page, against the bare query, both over TCP",
        rounds.ratio((1, |s| s.rate), (0, |s| s.rate)),
        "",
        0.37,
    );
    rounds.describe(outcome, &["bare query over TCP, pgbench", "page over TCP, server"]);
    Ok(())
}

/// A running server of the examples, which does less than the server.
struct BareServer {
    program: Program,
    request: Request,
}

impl BareServer {
    /// Starts `bare_page`, which executes the statements of the server for the newest token of a person.
    fn page(setting: &Setting, user: &str) -> Result<BareServer, String> {
        let newest = "select token_id from passbook.personal_access_tokens where user_id =";
        let query = format!("{newest} '{user}' and revoked_at is null order by created_at desc limit 1");
        let token = setting.postgres.query(STANDARD.name, &query)?;
        let database = setting.postgres.url(READER, STANDARD.name);
        let arguments = [database, CONNECTIONS.to_string(), user.to_owned(), token];
        BareServer::start(setting, "examples/bare_page", &arguments)
    }

    /// Starts `bare_handler`, which returns the bytes of the page.
    fn handler(setting: &Setting, page: &Request) -> Result<BareServer, String> {
        let file = setting.work.join("page.json");
        let body = Connection::open(page)?.exchange(page)?.to_vec();
        std::fs::write(&file, body).map_err(|error| format!("{}: {error}", file.display()))?;
        BareServer::start(setting, "examples/bare_handler", &[file.display().to_string()])
    }

    fn start(setting: &Setting, name: &str, arguments: &[String]) -> Result<BareServer, String> {
        let mut command = Command::new(setting.program(name));
        // As many threads as the server has.
        command.env("TOKIO_WORKER_THREADS", "1");
        let with_port = |port: &str| [&[port.to_owned()], arguments].concat();
        let program = Program::start(&mut command, with_port)?;
        let request = Request::get(&program.base, "/", "")?;
        Ok(BareServer { program, request })
    }

    fn saturate(&self, setting: &Setting) -> Result<Sample, String> {
        let before = cpu::of_process(self.program.process())?;
        let postgres = setting.postgres.cpu_seconds()?;
        let Load { rate, responses, .. } =
            load::saturate(&self.request, CONNECTIONS, setting.options.duration)?;
        let each = 1e6 / f64::from(responses);
        let server_microseconds = (cpu::of_process(self.program.process())? - before) * each;
        let postgres_microseconds = (setting.postgres.cpu_seconds()? - postgres) * each;
        Ok(Sample { rate, server_microseconds, postgres_microseconds })
    }
}
