//! Loading: a million transactions with `passbook-admin load` against `COPY`, and the exchange rates of a day.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::super::data::STANDARD;
use super::super::figures::{Outcome, median};
use super::super::postgres::SUPERUSER;
use super::super::setting::Setting;
use crate::command::{print_line, write};

/// The person whose transactions are loaded.
const PERSON: &str = "rows-1000000";
const DATABASE: &str = "bench_load";
const RATES_DATABASE: &str = "bench_rates";
/// The columns that a loader writes; the others are generated.
const COLUMNS: &str = "user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, \
                       pending, provider_category, merchant_name, linked_transaction_id";

pub(super) fn load(setting: &Setting) -> Result<Outcome, String> {
    let generator = setting.generator();
    generator.ensure(STANDARD)?;
    let files = Files::write(setting)?;
    let (mut loads, mut copies, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..setting.options.rounds {
        files.empty_database(setting)?;
        let bundle = files.transactions.display().to_string();
        loads.push(timed(|| generator.admin(DATABASE, &["load", &bundle, "--user", &email()]).map(drop))?);
        files.empty_database(setting)?;
        setting.postgres.query(DATABASE, "alter table passbook.transactions disable trigger user")?;
        copies.push(timed(|| files.copy(setting, "passbook.transactions"))?);
        setting.postgres.query(
            DATABASE,
            &format!("create table public.plain as select {COLUMNS} from passbook.transactions where false"),
        )?;
        plain.push(timed(|| files.copy(setting, "public.plain"))?);
        print_line(&format!(
            "  round {}: {:.1} s, {:.1} s, {:.1} s",
            round + 1,
            loads[round],
            copies[round],
            plain[round]
        ));
    }
    let (loaded, copied, plain) = (median(loads), median(copies), median(plain));
    let mut outcome = Outcome::default();
    outcome.figure("passbook-admin load, 1,000,000 transactions", loaded, "s");
    outcome.figure("COPY into the same table without derived data", copied, "s");
    outcome.figure("COPY into a table without keys, indexes and generated columns", plain, "s");
    outcome.figure("load, against COPY into a plain table", loaded / plain, "×");
    outcome.at_most("load, against COPY into the same table without derived data", loaded / copied, "×", 2.4);
    Ok(outcome)
}

/// Returns the e-mail address of [`PERSON`].
fn email() -> String {
    format!("{PERSON}@bench.example")
}

/// The files of a load: people, accounts and rates as a bundle, the transactions as a bundle and as `COPY` data.
struct Files {
    base: PathBuf,
    transactions: PathBuf,
    data: PathBuf,
}

impl Files {
    /// Writes the files from the data of [`PERSON`].
    fn write(setting: &Setting) -> Result<Files, String> {
        let folder = setting.work.join("load");
        crate::command::create_folder(&folder)?;
        let files = Files {
            base: folder.join("base.json"),
            transactions: folder.join("transactions.json"),
            data: folder.join("transactions.copy"),
        };
        let variables = [("email", email())];
        let select = |name: &str, output: &Path| {
            let file = setting.committed(&format!("load/{name}.sql"));
            setting.postgres.select_into(STANDARD.name, &file, &variables, output)
        };
        select("base", &files.base)?;
        select("transactions", &files.transactions)?;
        // The database generates identifiers from those of the bundle, so `COPY` data come from a loaded bundle.
        files.empty_database(setting)?;
        setting
            .generator()
            .admin(DATABASE, &["load", &files.transactions.display().to_string(), "--user", &email()])?;
        let copy = format!(
            "copy (select {COLUMNS} from passbook.transactions order by date, transaction_id) to stdout"
        );
        let data = File::create(&files.data).map_err(|error| format!("{}: {error}", files.data.display()))?;
        psql(setting, &copy, Stdio::null(), data.into())?;
        Ok(files)
    }

    /// Creates the database anew, with the people, accounts and rates.
    fn empty_database(&self, setting: &Setting) -> Result<(), String> {
        let generator = setting.generator();
        generator.empty(DATABASE)?;
        generator.admin(DATABASE, &["load", &self.base.display().to_string()])?;
        setting.postgres.query(DATABASE, "checkpoint").map(drop)
    }

    fn copy(&self, setting: &Setting, table: &str) -> Result<(), String> {
        let data = File::open(&self.data).map_err(|error| format!("{}: {error}", self.data.display()))?;
        psql(setting, &format!("copy {table} ({COLUMNS}) from stdin"), data.into(), Stdio::null())
    }
}

fn psql(setting: &Setting, statement: &str, input: Stdio, output: Stdio) -> Result<(), String> {
    let mut command = Command::new(setting.postgres.program("psql"));
    command.args(setting.postgres.connect_options(SUPERUSER));
    command
        .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, DATABASE])
        .stdin(input)
        .stdout(output);
    let status = command.status().map_err(|error| format!("psql: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("psql: {statement}: {status}")) }
}

/// The rates of the newest day and of a day in the middle of the data, corrected in a database with 1.2 million rows.
pub(super) fn rates(setting: &Setting) -> Result<Outcome, String> {
    let generator = setting.generator();
    generator.ensure(STANDARD)?;
    let postgres = &setting.postgres;
    postgres.query("postgres", &format!("drop database if exists {RATES_DATABASE}"))?;
    postgres.query("postgres", &format!("create database {RATES_DATABASE} template {}", STANDARD.name))?;
    let file = setting.work.join("rates.csv");
    let mut outcome = Outcome::default();
    for (name, day) in [("the newest day", "2026-11-20"), ("a day ten years ago", "2016-11-18")] {
        let mut seconds = Vec::new();
        for round in 0..setting.options.rounds {
            // Different rates in each round, so that every round changes the rows of the day.
            write(&file, &format!("Date,USD,GBP,CHF\n{day},1.2{round}1,0.8{round}1,1.0{round}1\n"))?;
            let path = file.display().to_string();
            seconds.push(timed(|| generator.admin(RATES_DATABASE, &["rates", "load", &path]).map(drop))?);
        }
        outcome.at_most(format!("rates of {name} into 1.2 million rows"), median(seconds), "s", 2.0);
    }
    postgres.query("postgres", &format!("drop database {RATES_DATABASE}"))?;
    Ok(outcome)
}

fn timed(run: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let started = Instant::now();
    run()?;
    Ok(started.elapsed().as_secs_f64())
}
