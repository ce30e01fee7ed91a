//! The setting of every scenario: folders, PostgreSQL, the databases, and servers.

use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use super::cpu;
use super::data::{Database, Generator};
use super::http::Request;
use super::load::{self, Load};
use super::options::Options;
use super::pgbench::{Run, Script, Target};
use super::postgres::{Postgres, SUPERUSER};
use crate::server::Server;

/// Number of connections of the load generator and of `pgbench`.
pub(super) const CONNECTIONS: u32 = 8;
/// Number of connections from the server to PostgreSQL. One person may use half of them at the same time.
const DATABASE_CONNECTIONS: u32 = 2 * CONNECTIONS;
/// The role with which the server reads.
pub(super) const READER: &str = "passbook_reader";

/// The setting of a run.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) root: PathBuf,
    /// Folder of all files of the benchmark.
    pub(super) work: PathBuf,
    pub(super) options: Options,
    pub(super) postgres: Postgres,
}

/// The result of one run of one contender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// Requests or transactions per second.
    pub(super) rate: f64,
    /// Processor time of the server per request, in microseconds.
    pub(super) server_microseconds: f64,
    /// Processor time of PostgreSQL per request or transaction, in microseconds.
    pub(super) postgres_microseconds: f64,
}

/// A server on a database, with a token of a measured person.
#[derive(Debug)]
pub(super) struct Served<'a> {
    setting: &'a Setting,
    pub(super) server: Server,
    pub(super) token: String,
}

impl Setting {
    pub(super) fn generator(&self) -> Generator<'_> {
        Generator {
            root: &self.root,
            postgres: &self.postgres,
            admin: self.program("passbook-admin"),
            scale: self.options.scale,
        }
    }

    /// Returns the path of a measured program.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.root.join("target").join(crate::command::DISTRIBUTION).join(name)
    }

    /// Returns the path of a committed file of the benchmark.
    pub(super) fn committed(&self, name: &str) -> PathBuf {
        self.root.join("xtask/lab/bench").join(name)
    }

    /// Makes the database if needed, and starts a server on it with a token of `person`.
    pub(super) fn serve(&self, database: Database, person: &str) -> Result<Served<'_>, String> {
        self.generator().ensure(database)?;
        self.serve_database(database.name, person)
    }

    /// Starts a server on an existing database with a token of `person`.
    pub(super) fn serve_database(&self, database: &str, person: &str) -> Result<Served<'_>, String> {
        self.serve_url(self.postgres.url(READER, database), database, person)
    }

    /// Starts a server that connects to PostgreSQL with this URL.
    pub(super) fn serve_url(&self, url: String, database: &str, person: &str) -> Result<Served<'_>, String> {
        let token = self.generator().token(database, person)?;
        let settings = self.work.join("settings");
        let log = self.work.join("passbook.log");
        // The log is written as in production: a line for each request.
        let log = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let environment = [
            ("PASSBOOK_DATABASE_URL", url.into()),
            ("PASSBOOK_DATABASE_CONNECTIONS", DATABASE_CONNECTIONS.to_string().into()),
            ("PASSBOOK_LOG", "info".into()),
            ("PASSBOOK_DATA_DIR", self.work.join("data")),
            ("XDG_CONFIG_HOME", settings),
        ];
        let program = self.program("passbook-server");
        let server = Server::start_with_log(&program, &[], &environment, Stdio::from(log))?;
        Ok(Served { setting: self, server, token })
    }

    /// Returns the identifier of a measured person.
    pub(super) fn user_id(&self, database: &str, person: &str) -> Result<String, String> {
        let query = format!("select user_id from passbook.users where email = '{person}@bench.example'");
        self.postgres.query(database, &query)
    }

    /// Runs a script as the server's role.
    pub(super) fn run_as_reader(&self, database: Database, script: &Script) -> Result<Sample, String> {
        let target = Target { postgres: &self.postgres, host: None, role: READER, database: database.name };
        target.run(script, CONNECTIONS, self.options.duration).map(Sample::from)
    }

    /// Returns the mean latency of a script over one connection as the server's role, in milliseconds.
    pub(super) fn latency_as_reader(&self, database: Database, script: &Script) -> Result<f64, String> {
        let target = Target { postgres: &self.postgres, host: None, role: READER, database: database.name };
        target.run(script, 1, self.options.duration).map(|run| 1000.0 / run.rate)
    }

    /// Runs a script without row-level security, over TCP to `host` or over the Unix socket.
    pub(super) fn run_without_rls(
        &self,
        database: Database,
        host: Option<&str>,
        script: &Script,
    ) -> Result<Sample, String> {
        let target = Target { postgres: &self.postgres, host, role: SUPERUSER, database: database.name };
        target.run(script, CONNECTIONS, self.options.duration).map(Sample::from)
    }
}

impl From<Run> for Sample {
    fn from(run: Run) -> Sample {
        Sample { rate: run.rate, server_microseconds: 0.0, postgres_microseconds: run.postgres_microseconds }
    }
}

impl Served<'_> {
    /// Returns a GET request of the measured person.
    pub(super) fn get(&self, path: &str) -> Result<Request, String> {
        self.get_as(path, &self.token)
    }

    /// Returns a GET request with another person's token.
    pub(super) fn get_as(&self, path: &str, token: &str) -> Result<Request, String> {
        Request::get(self.server.base(), path, token)
    }

    /// Returns a call of a tool.
    pub(super) fn call(&self, method: &str, parameters: &str) -> Result<Request, String> {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{parameters}}}"#);
        Request::post(self.server.base(), "/mcp", &self.token, &body)
    }

    /// Sends as many requests as possible over [`CONNECTIONS`] connections.
    pub(super) fn saturate(&self, request: &Request) -> Result<Sample, String> {
        let server = cpu::of_process(self.server.process())?;
        let postgres = self.setting.postgres.cpu_seconds()?;
        let Load { rate, responses, .. } =
            load::saturate(request, CONNECTIONS, self.setting.options.duration)?;
        let server = cpu::of_process(self.server.process())? - server;
        let postgres = self.setting.postgres.cpu_seconds()? - postgres;
        let each = 1e6 / f64::from(responses);
        Ok(Sample { rate, server_microseconds: server * each, postgres_microseconds: postgres * each })
    }

    /// Sends requests until every connection to PostgreSQL has chosen its plans.
    pub(super) fn warm_up(&self, request: &Request) -> Result<(), String> {
        load::saturate(request, CONNECTIONS, Duration::from_secs(1)).map(drop)
    }

    /// Stops the server.
    pub(super) fn stop(self) -> Result<(), String> {
        self.server.stop()
    }
}
