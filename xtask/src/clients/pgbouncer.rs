//! `PgBouncer` in transaction mode between two servers and the demo's PostgreSQL: they answer as the demo does, refuse a
//! revoked token at the next request, and need their setting for it exactly where the documents say so.

mod kept;
mod program;

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::Site;
use crate::command::{read, run_shown, say, write};
use crate::server::Server;
use kept::{Answer, Kept};
use program::Program;

/// As many requests are under way at a time, each on a connection of its own.
const CALLERS: usize = 10;
const REQUESTS_EACH: usize = 4;
/// As `xtask/clients/pgbouncer.ini` has it.
const CONNECTIONS_BEHIND: usize = 2;
const PATHS: [&str; 8] = [
    "/v1/me",
    "/v1/transactions?pageSize=20",
    "/v1/cashflow/summary?timeRange=1y",
    "/v1/spending/categories?timeRange=1y",
    "/v1/spending/merchants/top?limit=5",
    "/v1/budgets/categories",
    "/v1/recurring-payments",
    "/v1/portfolio",
];

pub(super) fn run(site: &Site<'_>) -> Result<(), String> {
    let program = program::find(&site.work.join("pgbouncer"))?;
    run_shown("cargo", &["build", "--quiet", "--bin", "passbook-admin"], site.root)?;
    let mut direct = Kept::open(site.base)?;
    let mut expected = Vec::new();
    for path in PATHS {
        expected.push(expect(&mut direct, path, site.token, 200)?);
    }
    let pooler = Pooler::start(site, &program)?;

    // First, so that what it leaves behind is there for those that do without.
    let preparing = pooler.server(site, "true")?;
    let refused = ask_at_once(&[&preparing], site.token, &expected)?;
    preparing.stop()?;
    if refused.is_empty() != program.keeps_prepared_statements() {
        return Err(format!("PgBouncer {}, statements prepared: refused {refused:?}", program.version));
    }
    let asked = CALLERS * REQUESTS_EACH;
    say(&format!(
        "PgBouncer {}, statements prepared: {} of {asked} refused, none wrong",
        program.version,
        refused.len()
    ));

    let servers = [pooler.server(site, "false")?, pooler.server(site, "false")?];
    let refused = ask_at_once(&[&servers[0], &servers[1]], site.token, &expected)?;
    if !refused.is_empty() {
        return Err(format!("statements not prepared: refused {refused:?}"));
    }
    revoke_between_requests(site, &servers)?;
    for server in servers {
        server.stop()?;
    }
    let log = pooler.stop();
    let logged = |event: &str| log.iter().filter(|line| line.contains(event)).count();
    let (clients, behind) = (logged("login attempt"), logged("new connection to server"));
    if behind != CONNECTIONS_BEHIND || clients <= behind {
        return Err(format!("{clients} connections shared {behind}:\n{}", log.join("\n")));
    }
    say(&format!(
        "statements not prepared: {asked} of {asked} as without a pooler; revoked at once on both servers"
    ));
    say(&format!("{clients} connections of servers shared {behind} to PostgreSQL"));
    Ok(())
}

/// Asks every server over several connections at once. Returns the statuses that are not 200; another answer than the
/// expected one is an error.
fn ask_at_once(servers: &[&Server], token: &str, expected: &[String]) -> Result<Vec<u16>, String> {
    let call = |caller: usize| -> Result<Vec<u16>, String> {
        let mut kept = Kept::open(servers[caller % servers.len()].base())?;
        let mut refused = Vec::new();
        for request in 0..REQUESTS_EACH {
            let at = (caller + 3 * request) % PATHS.len();
            let Answer { status, body } = kept.ask(PATHS[at], token)?;
            match status {
                200 if body == expected[at] => {}
                200 => return Err(format!("{}: {body}\ninstead of: {}", PATHS[at], expected[at])),
                _ => refused.push(status),
            }
        }
        Ok(refused)
    };
    let answers: Vec<Result<Vec<u16>, String>> = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|caller| scope.spawn(move || call(caller))).collect();
        let joined =
            callers.into_iter().map(|caller| caller.join().map_err(|_| "a caller panicked".to_owned()));
        joined.map(Result::flatten).collect()
    });
    Ok(answers.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// A token of its own, taken back between two requests on a kept connection to each server.
fn revoke_between_requests(site: &Site<'_>, servers: &[Server]) -> Result<(), String> {
    let (token, said) = administer(site, &["create", "--user", "demo@passbook.example", "--name", "pooled"])?;
    let id = said.split_whitespace().nth(1).ok_or_else(|| format!("a token's identifier: {said}"))?;
    let mut connections =
        servers.iter().map(|server| Kept::open(server.base())).collect::<Result<Vec<_>, _>>()?;
    for kept in &mut connections {
        expect(kept, PATHS[0], token.trim(), 200)?;
    }
    administer(site, &["revoke", id])?;
    for kept in &mut connections {
        expect(kept, PATHS[0], token.trim(), 401)?;
    }
    Ok(())
}

/// What `passbook-admin token` prints, and what it remarks.
fn administer(site: &Site<'_>, arguments: &[&str]) -> Result<(String, String), String> {
    let output = Command::new(site.root.join("target/debug/passbook-admin"))
        .arg("token")
        .args(arguments)
        .env("PASSBOOK_DATA_DIR", site.work.join("data/demo"))
        .env("XDG_CONFIG_HOME", site.work.join("settings"))
        .env_remove("PASSBOOK_ADMIN_DATABASE_URL")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("passbook-admin: {error}"))?;
    let remarks = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("passbook-admin token {}: {}\n{remarks}", arguments[0], output.status));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), remarks))
}

fn expect(kept: &mut Kept, path: &str, token: &str, status: u16) -> Result<String, String> {
    let answer = kept.ask(path, token)?;
    if answer.status == status {
        Ok(answer.body)
    } else {
        Err(format!("{path} must be {status}: {answer:?}"))
    }
}

/// A running `PgBouncer`. Dropped, it is killed: it keeps nothing.
struct Pooler {
    child: Child,
    socket_folder: String,
    log: Receiver<String>,
}

impl Pooler {
    /// Starts it before the demo's PostgreSQL and waits until it listens.
    fn start(site: &Site<'_>, program: &Program) -> Result<Pooler, String> {
        // Port and folder, as crates/embedded/src/address.rs writes them.
        let address = read(&site.work.join("data/demo/postgres/address"))?;
        let socket_folder = address.split_once('\n').ok_or("the demo's address has two parts")?.1.to_owned();
        let settings = site.work.join("pgbouncer/pgbouncer.ini");
        let mut text = read(&site.committed("pgbouncer.ini"))?.replace("FOLDER", &socket_folder);
        text.push_str(program.settings());
        write(&settings, &text)?;
        let mut command = program.command();
        command.arg(&settings).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let owner = |path: &str| std::fs::metadata(path).map_err(|error| format!("{path}: {error}"));
        let (folder, ours) = (owner(&socket_folder)?, owner(&settings.display().to_string())?);
        // Like PostgreSQL it refuses root, and the folder is that account's.
        if folder.uid() != ours.uid() {
            command.uid(folder.uid()).gid(folder.gid());
        }
        let mut child = command.spawn().map_err(|error| format!("pgbouncer: {error}"))?;
        let said = child.stderr.take().ok_or("what it says is piped")?;
        let (sender, log) = channel();
        thread::spawn(move || {
            BufReader::new(said).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let pooler = Pooler { child, socket_folder, log };
        let mut said = Vec::new();
        while let Ok(line) = pooler.log.recv() {
            if line.contains("process up") {
                return Ok(pooler);
            }
            said.push(line);
        }
        Err(format!("pgbouncer ended before it listened:\n{}", said.join("\n")))
    }

    /// A server behind it.
    fn server(&self, site: &Site<'_>, prepares: &str) -> Result<Server, String> {
        let url =
            format!("postgresql:///passbook?user=passbook_reader&host={}&port=6432", self.socket_folder);
        let environment = [
            ("PASSBOOK_DATABASE_URL", PathBuf::from(url)),
            ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", PathBuf::from(prepares)),
            ("XDG_CONFIG_HOME", site.work.join("settings")),
        ];
        Server::start(&site.root.join("target/debug/passbook-server"), &[], &environment)
    }

    /// Ends it. Returns what it said.
    fn stop(mut self) -> Vec<String> {
        self.end();
        self.log.iter().collect()
    }

    fn end(&mut self) {
        // Already gone after `stop`.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.end();
    }
}
