//! Runs two servers through `PgBouncer` in transaction mode: their responses equal those of the demo server, a revoked
//! token is refused at the next request, and prepared statements must be switched off exactly for the versions of
//! `PgBouncer` that `docs/deployment.md` names.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use super::suite::SuiteContext;
use crate::command::{print_line, read, run_shown};
use crate::connection::{Connection, Response};
use crate::pgbouncer::{self, Pooler, Program};
use crate::server::Server;

/// Number of concurrent connections.
const CALLERS: usize = 10;
const REQUESTS_EACH: usize = 4;
const REQUESTS: usize = CALLERS * REQUESTS_EACH;
/// Number of connections from the pooler to the database: `default_pool_size` of `xtask/lab/clients/pgbouncer.ini`.
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

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let work = context.work.join("pgbouncer");
    let program = pgbouncer::find(&work)?;
    run_shown("cargo", &["build", "--quiet", "--bin", "passbook-admin"], context.root)?;
    let mut direct = Connection::open(context.base)?;
    let mut expected = Vec::new();
    for path in PATHS {
        expected.push(expect(&mut direct, path, context.token, 200)?);
    }
    let settings = read(&context.committed("pgbouncer.ini"))?;
    let pooler = Pooler::start(&context.work.join("data/demo"), &work, &settings, &program)?;

    // This check comes first: the servers without prepared statements must also work on connections that still have
    // some.
    with_prepared_statements(context, &program, &pooler, &expected)?;
    let start = || start_server(context, &pooler, "false", "warn");
    let servers = [start()?, start()?];
    let failed = send_concurrently(&[&servers[0], &servers[1]], context.token, &expected)?;
    if !failed.is_empty() {
        return Err(format!("statements not prepared: failed with {failed:?}"));
    }
    print_line(&format!("statements not prepared: {REQUESTS} responses equal those without a pooler"));
    revoke_between_requests(context, &servers)?;
    print_line("a token that is revoked between two requests is refused at the second, by both servers");
    for server in servers {
        server.stop()?;
    }
    let log = pooler.stop();
    let clients = log.iter().filter(|line| line.contains("login attempt")).count();
    let behind = most_open(&log);
    if behind != CONNECTIONS_BEHIND || clients <= behind {
        return Err(format!("{clients} connections shared {behind}:\n{}", log.join("\n")));
    }
    print_line(&format!("{clients} server connections shared {behind} connections to PostgreSQL"));
    Ok(())
}

/// Returns the largest number of connections to PostgreSQL that were open at one time. The pooler replaces a connection
/// whose client left in a transaction.
fn most_open(log: &[String]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for line in log.iter().filter(|line| line.contains(" S-")) {
        if line.contains("new connection to server") {
            open += 1;
        } else if line.contains("closing because") {
            open = open.saturating_sub(1);
        }
        most = most.max(open);
    }
    most
}

/// Starts a server that reaches the database through the pooler. `prepares` is the value of the setting
/// `PASSBOOK_DATABASE_PREPARED_STATEMENTS`; `logged` is a log filter.
fn start_server(
    context: &SuiteContext<'_>,
    pooler: &Pooler,
    prepares: &str,
    logged: &str,
) -> Result<Server, String> {
    let environment = [
        ("PASSBOOK_DATABASE_URL", PathBuf::from(pooler.url())),
        ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", PathBuf::from(prepares)),
        ("PASSBOOK_LOG", PathBuf::from(logged)),
        ("XDG_CONFIG_HOME", context.work.join("settings")),
    ];
    Server::start(&context.root.join("target/debug/passbook-server"), &[], &environment)
}

/// Checks a server that uses prepared statements. An old pooler loses them: some requests fail, but no response is
/// wrong.
fn with_prepared_statements(
    context: &SuiteContext<'_>,
    program: &Program,
    pooler: &Pooler,
    expected: &[String],
) -> Result<(), String> {
    let keeps = program.keeps_prepared_statements();
    // Expected failures are not logged.
    let server = start_server(context, pooler, "true", if keeps { "warn" } else { "off" })?;
    let failed = send_concurrently(&[&server], context.token, expected)?;
    server.stop()?;
    let log = read(&context.work.join("data/demo/postgres/server.log"))?;
    let lost = log.lines().filter(|line| line.contains("ERROR:  prepared statement")).count();
    let outcome = format!(
        "PgBouncer {}, statements prepared: {} of {REQUESTS} requests failed, no response was wrong; {lost} statements lost",
        program.version,
        failed.len()
    );
    // The pooler keeps prepared statements if, and only if, no request failed and no statement was lost.
    if failed.is_empty() != keeps || (lost == 0) != keeps {
        return Err(format!("{outcome}: {failed:?}"));
    }
    print_line(&outcome);
    Ok(())
}

/// Sends requests to every server over concurrent connections. Returns the statuses other than 200.
///
/// # Errors
/// A response with status 200 and an unexpected body.
fn send_concurrently(servers: &[&Server], token: &str, expected: &[String]) -> Result<Vec<u16>, String> {
    let call = |caller: usize| -> Result<Vec<u16>, String> {
        let mut connection = Connection::open(servers[caller % servers.len()].base())?;
        let mut failed = Vec::new();
        for request in 0..REQUESTS_EACH {
            let at = (caller + 3 * request) % PATHS.len();
            let Response { status, body, .. } = connection.get(PATHS[at], token)?;
            match status {
                200 if body == expected[at] => {}
                200 => return Err(format!("{}: {body}\ninstead of: {}", PATHS[at], expected[at])),
                _ => failed.push(status),
            }
        }
        Ok(failed)
    };
    let results: Vec<Result<Vec<u16>, String>> = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|caller| scope.spawn(move || call(caller))).collect();
        let joined =
            callers.into_iter().map(|caller| caller.join().map_err(|_| "a caller panicked".to_owned()));
        joined.map(Result::flatten).collect()
    });
    Ok(results.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// Revokes a token between two requests on the same connection, for each server.
fn revoke_between_requests(context: &SuiteContext<'_>, servers: &[Server]) -> Result<(), String> {
    let (token, remarks) =
        run_admin(context, &["create", "--user", "demo@passbook.example", "--name", "pooled"])?;
    let id = remarks.split_whitespace().find(|word| uuid::Uuid::parse_str(word).is_ok());
    let id = id.ok_or_else(|| format!("no token id in: {remarks}"))?;
    let mut connections =
        servers.iter().map(|server| Connection::open(server.base())).collect::<Result<Vec<_>, _>>()?;
    for connection in &mut connections {
        expect(connection, PATHS[0], token.trim(), 200)?;
    }
    run_admin(context, &["revoke", id])?;
    for connection in &mut connections {
        expect(connection, PATHS[0], token.trim(), 401)?;
    }
    Ok(())
}

/// Runs `passbook-admin token`. Returns standard output and standard error.
fn run_admin(context: &SuiteContext<'_>, arguments: &[&str]) -> Result<(String, String), String> {
    let output = Command::new(context.root.join("target/debug/passbook-admin"))
        .arg("token")
        .args(arguments)
        .env("PASSBOOK_DATA_DIR", context.work.join("data/demo"))
        .env("XDG_CONFIG_HOME", context.work.join("settings"))
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

fn expect(connection: &mut Connection, path: &str, token: &str, status: u16) -> Result<String, String> {
    let response = connection.get(path, token)?;
    if response.status == status {
        Ok(response.body)
    } else {
        Err(format!("{path}: expected status {status}; received {response:?}"))
    }
}
