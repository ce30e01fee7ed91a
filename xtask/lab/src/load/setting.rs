//! The setting of every scenario: folders, PostgreSQL with the people, tokens, and servers.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::bench::data::{Generator, fingerprint};
use crate::bench::postgres::{Postgres, output};
use crate::command::{create_folder, print_line};
use crate::server::Server;

/// The name of the database with the people.
pub(super) const DATABASE: &str = "load";
/// The role with which the server reads.
pub(super) const READER: &str = "passbook_reader";
/// Number of people whose honest clients are measured.
const HONEST_PEOPLE: usize = 50;

/// The setting of a run.
pub(super) struct Setting {
    pub(super) root: PathBuf,
    /// Folder of all files of the load tests.
    pub(super) work: PathBuf,
    pub(super) postgres: Postgres,
    /// A token of each person whose honest clients are measured.
    pub(super) honest: Vec<String>,
}

impl Setting {
    /// Starts PostgreSQL, and makes the database unless it exists and is current.
    pub(super) fn start(root: &Path) -> Result<Setting, String> {
        let work = root.join("target/load");
        create_folder(&work.join("settings"))?;
        create_folder(&work.join("results"))?;
        let postgres = Postgres::start(&work.join("postgres"))?;
        let mut setting = Setting { root: root.to_path_buf(), work, postgres, honest: Vec::new() };
        setting.ensure_database()?;
        print_line("creating tokens");
        let people = (1..=HONEST_PEOPLE).map(|number| setting.token(&format!("person-{number}")));
        setting.honest = people.collect::<Result<_, _>>()?;
        Ok(setting)
    }

    fn generator(&self) -> Generator<'_> {
        let admin = self.program("passbook-admin");
        Generator { root: &self.root, postgres: &self.postgres, admin, scale: 1 }
    }

    fn ensure_database(&self) -> Result<(), String> {
        let wanted = fingerprint(&self.root, &["crates/schema/sql", "xtask/lab/load"], "")?;
        if self.postgres.has_database(DATABASE)? {
            let comment = format!(
                "select shobj_description(oid, 'pg_database') from pg_database where datname = '{DATABASE}'"
            );
            if self.postgres.query("postgres", &comment)? == wanted {
                return Ok(());
            }
        }
        print_line("making the database");
        self.generator().empty(DATABASE)?;
        self.postgres.execute_file(DATABASE, &self.root.join("xtask/lab/load/people.sql"), &[])?;
        let people = self.postgres.query(DATABASE, "select count(*) from passbook.users")?;
        if people == "0" {
            return Err(format!("people.sql failed; the log is {}", self.postgres.log().display()));
        }
        self.postgres.query("postgres", &format!("comment on database {DATABASE} is '{wanted}'")).map(drop)
    }

    /// Creates a token of a person.
    pub(super) fn token(&self, person: &str) -> Result<String, String> {
        self.generator().token(DATABASE, person)
    }

    /// Revokes all tokens of a person.
    pub(super) fn revoke_tokens(&self, person: &str) -> Result<(), String> {
        let revoke = format!(
            "update passbook.personal_access_tokens set revoked_at = now() where user_id in \
             (select user_id from passbook.users where email = '{person}@bench.example')"
        );
        self.postgres.query(DATABASE, &revoke).map(drop)
    }

    /// Returns the path of a measured program.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.root.join("target").join(crate::command::DISTRIBUTION).join(name)
    }

    /// Starts a server with metrics. `settings` are those that differ from the defaults.
    pub(super) fn serve(&self, settings: &[(&str, &str)]) -> Result<Server, String> {
        self.serve_at(&self.postgres.url(READER, DATABASE), settings)
    }

    /// Starts a server on another URL.
    pub(super) fn serve_at(&self, url: &str, settings: &[(&str, &str)]) -> Result<Server, String> {
        let log = self.work.join("passbook.log");
        let log = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut environment = vec![
            ("PASSBOOK_DATABASE_URL", PathBuf::from(url)),
            ("PASSBOOK_METRICS_LISTEN", PathBuf::from("127.0.0.1:0")),
            ("XDG_CONFIG_HOME", self.work.join("settings")),
        ];
        environment.extend(settings.iter().map(|(name, value)| (*name, PathBuf::from(value))));
        Server::start_with_defaults(&self.program("passbook-server"), &environment, Stdio::from(log))
    }

    /// Executes a program and returns its standard output.
    pub(super) fn output(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        output(std::process::Command::new(program).args(arguments).current_dir(&self.root))
    }
}
