//! PostgreSQL that is killed behind `PgBouncer` in transaction mode.

use std::path::PathBuf;
use std::process::Stdio;

use super::database::{Database, PASSWORD};
use super::experiment::Experiment;
use super::setting::Setting;
use crate::command::read;
use crate::pgbouncer::{self, Pooler};
use crate::server::Server;

/// Lets `PgBouncer` try every second to reach PostgreSQL again. By default it refuses all clients for 15 s.
const RETRY: &str = "server_login_retry = 1\n";

/// PostgreSQL stays down for longer than a request may wait, so that every client sees the fault: `PgBouncer` queues them.
const KILL: Experiment = Experiment {
    name: "kill PostgreSQL behind PgBouncer",
    cause: Database::kill_for_a_while,
    fix: Database::resume,
    milliseconds: 6_000,
    // A request that already waits for one of the pooler's connections waits on, until PostgreSQL is back or the time limit
    // of a request ends it. On a busy machine all requests do.
    allowed: &[503, 504],
    expected: None,
    ready: Some(503),
};

/// Kills PostgreSQL under load.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let program = pgbouncer::find(&setting.root.join("target/clients/pgbouncer"))?;
    let work = setting.work.join("pgbouncer");
    let role = "user=passbook_reader";
    let text = read(&setting.root.join("xtask/lab/clients/pgbouncer.ini"))?;
    let text = text.replace(role, &format!("{role} password={PASSWORD}")) + RETRY;
    let pooler = Pooler::start(&setting.work.join("data/demo"), &work, &text, &program)?;
    let mut environment = setting.environment.clone();
    environment.retain(|(name, _)| *name != "PASSBOOK_DATABASE_URL");
    environment.push(("PASSBOOK_DATABASE_URL", PathBuf::from(pooler.url())));
    if !program.keeps_prepared_statements() {
        environment.push(("PASSBOOK_DATABASE_PREPARED_STATEMENTS", PathBuf::from("false")));
    }
    let server = Server::start_with_log(&setting.program, &[], &environment, Stdio::null())?;
    let summary = KILL.run(setting.database, server.base(), setting.token)?;
    server.stop()?;
    Ok(format!("PgBouncer {}: {summary}", program.version))
}
