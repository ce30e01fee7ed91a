//! Makes the databases of the benchmark. A database remains for later runs while migrations and generator are the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use super::postgres::{Postgres, SUPERUSER, output};
use crate::command::{print_line, read};

/// The last day of the data. Requests name their days, so results do not depend on the current date.
pub(crate) const LAST_DAY: &str = "2026-11-21";
/// The measured person of scenarios that need only one.
pub(crate) const PERSON: &str = "rows-100000";
/// Rows of a batch, about.
const BATCH_ROWS: u64 = 200_000;
/// Parts of the people whose rows are stored at the same time.
const PARTS: u64 = 2;
/// Rows of each other person.
const OTHER_ROWS: u64 = 2000;
const ROLES: [&str; 2] = ["passbook_reader", "passbook_writer"];

/// A database of the benchmark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Database {
    pub(crate) name: &'static str,
    /// Number of people besides those that are measured.
    pub(crate) others: u64,
}

/// The measured people with 10 thousand, 100 thousand and a million rows, and 100 thousand rows of other people.
pub(crate) const STANDARD: Database = Database { name: "bench", others: 50 };
/// The measured person with 100 thousand rows, and 10 million rows of other people.
pub(crate) const LARGE: Database = Database { name: "bench_large", others: 5000 };

/// Programs and folders that make a database.
#[derive(Debug)]
pub(crate) struct Generator<'a> {
    pub(crate) root: &'a Path,
    pub(crate) postgres: &'a Postgres,
    pub(crate) admin: PathBuf,
    /// Divides the rows of the measured people.
    pub(crate) scale: u32,
}

impl Generator<'_> {
    /// Creates a migrated database without people.
    pub(crate) fn empty(&self, name: &str) -> Result<(), String> {
        self.postgres.query("postgres", &format!("drop database if exists {name}"))?;
        self.postgres.query("postgres", &format!("create database {name}"))?;
        self.admin(name, &["migrate"])?;
        for role in ROLES {
            self.postgres.query("postgres", &format!("alter role {role} login"))?;
        }
        Ok(())
    }

    /// Runs `passbook-admin` on a database and returns its standard output.
    pub(crate) fn admin(&self, database: &str, arguments: &[&str]) -> Result<String, String> {
        let url = self.postgres.url(SUPERUSER, database);
        let mut command = Command::new(&self.admin);
        output(command.args(arguments).env("PASSBOOK_ADMIN_DATABASE_URL", url))
    }

    /// Creates a token of a measured person.
    pub(crate) fn token(&self, database: &str, person: &str) -> Result<String, String> {
        let email = format!("{person}@bench.example");
        let printed = self.admin(database, &["token", "create", "--user", &email, "--name", "bench"])?;
        let token = printed.split_whitespace().find(|word| word.starts_with("pbk_"));
        token.map(str::to_owned).ok_or_else(|| "passbook-admin printed no token".to_owned())
    }

    /// Creates the database unless it exists and is current.
    pub(crate) fn ensure(&self, database: Database) -> Result<(), String> {
        let Database { name, others } = database;
        let fingerprint = self.fingerprint(others)?;
        if self.postgres.has_database(name)? {
            let comment = "select shobj_description(oid, 'pg_database') from pg_database where datname";
            if self.postgres.query("postgres", &format!("{comment} = '{name}'"))? == fingerprint {
                return Ok(());
            }
        }
        let started = Instant::now();
        print_line(&format!("making database {name}: {} rows of other people", others * OTHER_ROWS));
        self.empty(name)?;
        let folder = self.root.join("xtask/lab/bench/data");
        let day = ("last_day", LAST_DAY.to_owned());
        let people = [("people", others.to_string()), ("scale", self.scale.to_string()), day.clone()];
        self.postgres.execute_file(name, &folder.join("people.sql"), &people)?;
        let rows = self.postgres.query(name, "select sum(rows) from bench.people")?;
        let rows: u64 = rows.parse().map_err(|_| format!("sum(rows) is {rows:?}"))?;
        let batches = rows.div_ceil(BATCH_ROWS);
        for batch in 0..batches {
            self.store_batch(name, batch, batches)?;
            let seconds = started.elapsed().as_secs();
            print_line(&format!("  {} of {rows} rows after {seconds} s", rows * (batch + 1) / batches));
        }
        self.postgres.execute_file(name, &folder.join("recurring.sql"), &[day])?;
        self.postgres.query(name, "vacuum (analyze)")?;
        self.postgres.query(name, &format!("comment on database {name} is '{fingerprint}'"))?;
        self.postgres.query(name, "checkpoint").map(drop)
    }

    /// Stores a batch of the transactions of everybody, the parts at the same time.
    fn store_batch(&self, database: &str, batch: u64, batches: u64) -> Result<(), String> {
        let file = self.root.join("xtask/lab/bench/data/transactions.sql");
        let numbers = [("batch", batch), ("batches", batches), ("parts", PARTS)];
        let store = |part: u64| {
            let mut variables = vec![("part", part.to_string()), ("last_day", LAST_DAY.to_owned())];
            variables.extend(numbers.map(|(name, number)| (name, number.to_string())));
            self.postgres.execute_file(database, &file, &variables)
        };
        let store = &store;
        thread::scope(|scope| {
            let parts: Vec<_> = (0..PARTS).map(|part| scope.spawn(move || store(part))).collect();
            let mut stored =
                parts.into_iter().map(|part| part.join().map_err(|_| "a thread panicked".to_owned()));
            stored.try_for_each(Result::flatten)
        })
    }

    /// Returns a hash of everything that decides the content of the database.
    fn fingerprint(&self, others: u64) -> Result<String, String> {
        fingerprint(
            self.root,
            &["crates/schema/sql", "xtask/lab/bench/data"],
            &format!("{others} {} {LAST_DAY}", self.scale),
        )
    }
}

/// Returns a hash of the files in some folders and of the parameters of a generator.
pub(crate) fn fingerprint(root: &Path, folders: &[&str], parameters: &str) -> Result<String, String> {
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for folder in folders {
        let folder = root.join(folder);
        let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            add(&read(&file)?);
        }
    }
    add(parameters);
    Ok(format!("{hash:016x}"))
}
