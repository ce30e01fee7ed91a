//! The example hosts of `docs/embedding.md`, run as programs: responses, callers and errors.

mod mounted;
mod own_ledger;
mod own_operation;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::Arc;
use tests::database::execute;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::person::UserId;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_operations::{Entry, Service};
use passbook_store::deadpool_postgres::{Manager, ManagerConfig, Pool, Runtime};
use passbook_store::{ConnectionSettings, Store};
use tests::app::App;
use tests::household::Household;

/// A running host, which is killed when the value is dropped.
pub(super) struct Host {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Host {
    /// Starts a host with the given environment variables only.
    pub(super) fn start(package: &str, environment: &[(&str, &str)]) -> Host {
        let mut child = command(package, environment, &[]).spawn().expect("the host starts");
        let lines = BufReader::new(child.stdout.take().expect("standard output is a pipe")).lines();
        Host { child, lines }
    }

    /// The next line of standard output.
    pub(super) fn line(&mut self) -> String {
        self.lines.next().expect("the host prints a line before it ends").expect("the line is text")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Killing fails if the host has already ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that starts a host.
pub(super) fn command(package: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(tests::binary(package));
    command.args(arguments).env_clear().envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A file with the rows of the in-memory ledger of the hosts.
pub(super) fn ledger_file(rows: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), rows).expect("the file is written");
    file
}

/// A request for every operation, with parameters that make the response independent of the current day.
pub(super) fn targets() -> Vec<String> {
    let target = |entry: Entry| {
        let declared = entry.declarations(Surface::Rest);
        let has = |name: &str| declared.iter().any(|parameter| parameter.name == name);
        let query = match (has("dateFrom"), has("month"), has("asOf")) {
            (true, ..) => "?dateFrom=2026-11-01&dateTo=2026-11-30",
            (_, true, _) => "?year=2026&month=11",
            (.., true) => "?asOf=2026-11-21",
            (false, false, false) => "",
        };
        format!("{}{query}", entry.spec.path)
    };
    Entry::all().into_iter().map(target).collect()
}

fn run(app: &App, token: &str, arguments: &[&str]) -> Output {
    let url = app.database.url("passbook_reader");
    let mut host =
        command("passbook-direct-host", &[("DATABASE_URL", &url), ("PASSBOOK_TOKEN", token)], arguments);
    host.stderr(Stdio::piped()).output().expect("the host starts and ends")
}

#[tokio::test]
async fn direct_host_prints_its_report_or_the_error() {
    let app = App::start().await;
    let mut household = Household::new();
    for (day, cents, currency, merchant) in [
        ("2026-11-01", 2_150, "EUR", Some("Librairie")),
        ("2026-11-02", 999, "EUR", None),
        ("2026-11-30", 4_000, "EUR", Some("Marché")),
        ("2026-11-03", 450, "USD", Some("Coffee & Co")),
        ("2026-11-04", 100, "EUR", Some("librairie")),
        ("2026-12-01", 77_777, "EUR", Some("Later")),
    ] {
        let row = household.expense(day, ExpenseCategory::Books, cents, currency);
        row.merchant_name = merchant.map(str::to_owned);
    }
    app.load(household.records()).await;
    // The token has no surface for tools: a process that holds the token itself uses no surface.
    let (token, id) = app.token_with(household.user.user_id, &[Scope::SpendingRead], true, false).await;
    let output = run(&app, &token, &["2026-11-15"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = "Marché: 4000 cents\nlibrairie: 2250 cents\nCoffee & Co: 0 cents\nall: 7249 cents of EUR\n\
        Some spending has no exchange rate and is missing from these totals.\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);

    let (without, _) = app.token_with(household.user.user_id, &[Scope::CashflowRead], true, true).await;
    app.revoke_token(id).await;
    for (token, arguments, cause) in [
        (without.as_str(), &["2026-11-15"][..], "spending:read"),
        (&token, &["2026-11-15"], "The access token is missing or invalid."),
        ("pbk_nothing", &["2026-11-15"], "The access token is missing or invalid."),
        (&token, &["2026-11-31"], "must be a calendar day"),
        (&token, &[], "name a day of the month"),
    ] {
        let failed = run(&app, token, arguments);
        let stderr = String::from_utf8_lossy(&failed.stderr);
        assert_eq!((failed.status.code(), &failed.stdout[..]), (Some(1), &b""[..]), "{stderr}");
        assert!(stderr.contains(cause), "{cause}: {stderr}");
    }
}

/// Returns a store over the pool of a host.
fn over_pool(pool: &Pool, settings: &ConnectionSettings) -> Store {
    Store::from_pool(pool.clone(), settings.connector().clone())
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test is the sign-in of the host")]
async fn store_shares_the_pool_and_the_application_name_of_the_host() {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    app.load(household.records()).await;
    let user = household.user.user_id;
    let (_, token) = app.token_with(user, Scope::ALL, true, false).await;
    let credential =
        Credential::new(UserId::from_authenticated(user), GrantReference::PersonalAccessToken(token));

    let mut connection = app.database.configuration(passbook_schema::READER);
    connection.application_name("bookkeeping");
    let settings = ConnectionSettings::from(connection.clone());
    let manager = Manager::from_config(connection, settings.connector().clone(), ManagerConfig::default());
    let pool = Pool::builder(manager).max_size(1).runtime(Runtime::Tokio1).build().expect("a pool");
    let service = Service::new(Arc::new(over_pool(&pool, &settings)));
    let cashflow = service.call::<CashflowSummary>(&credential, Params::default()).await.expect("a result");
    assert_eq!(cashflow.expense_total.amount_cents, 2_150);
    assert_eq!(pool.status().size, 1, "the store has opened its connection in the pool of the host");
    let client = pool.get().await.expect("the store has returned the connection");
    let row = client.query_one("select current_setting('application_name')", &[]).await.expect("a row");
    assert_eq!(row.get::<_, &str>(0), "bookkeeping");
}

const ROWS: &str = "ada|2026-11-03|EXPENSE|BOOKS|2150|EUR|posted|CARD BOOKS|Librairie\n\
                    ada|2026-11-04|EXPENSE|COFFEE|450|EUR|posted|CARD CAFE|Café\n";

fn print_table(person: &str, arguments: &[&str]) -> (bool, String, String) {
    let rows = ledger_file(ROWS);
    let path = rows.path().to_str().expect("UTF-8");
    let environment = [("LEDGER", path), ("PERSON", person)];
    let output = command("passbook-table-cli", &environment, arguments)
        .stderr(std::process::Stdio::piped())
        .output()
        .expect("the program starts and ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn command_line_prints_a_result_as_a_table() {
    let arguments = ["top_merchants", "dateFrom=2026-11-01", "dateTo=2026-11-30"];
    let (success, printed, errors) = print_table("ada", &arguments);
    assert!(success, "{errors}");
    let expected = "dateFrom: 2026-11-01\n\
                    dateTo: 2026-11-30\n\
                    \n\
                    merchants\n\
                    merchant   percentOfTotal  total      transactionCount\n\
                    Librairie  82.69           21.50 EUR  1\n\
                    Café       17.31           4.50 EUR   1\n\
                    totalExpense: 26.00 EUR\n";
    assert_eq!(printed, expected);
}

#[test]
fn command_line_names_the_fault() {
    for (person, arguments, expected) in [
        ("ada", &["top_merchants", "limit=0"][..], "limit must be a whole number from 1 to 100; received 0"),
        ("ada", &["merchants"], "there is no operation"),
        ("eve", &["me"], "the ledger has no person"),
        ("ada", &[], "name an operation"),
    ] {
        let (success, _, errors) = print_table(person, arguments);
        assert!(!success && errors.contains(expected), "{arguments:?}: {errors}");
    }
}

/// Grants a job to everybody, as `docs/grants.md` describes for sessions and jobs of a host.
async fn grant_job(app: &App, job: &str, scopes: &str) {
    let superuser = app.database.connect("postgres").await;
    let view = format!(
        "create or replace view passbook_read.grants as \
         select stored.user_id, stored.credential, stored.reference, stored.owner_user_id, stored.scopes, \
           stored.rest, stored.mcp, stored.revoked, stored.expired \
         from passbook.stored_grants as stored \
         union all \
         select users.user_id, 'host', '{job}', users.user_id, '{scopes}'::text[], true, false, false, false \
         from passbook.users as users"
    );
    execute(&superuser, &view).await;
}

fn household(email: &str) -> Household {
    let mut household = Household::new();
    household.user.email = email.to_owned();
    household
}

#[tokio::test]
async fn job_prints_a_mail_for_everybody_from_one_snapshot() {
    let app = App::start().await;
    let mut ada = household("ada@example.org");
    for (day, cents, currency, merchant) in [
        ("2026-11-21", 2_150, "EUR", "Librairie"),
        ("2026-11-15", 1_000, "EUR", "Zoo"),
        ("2026-11-18", 500, "USD", "Diner"),
        ("2026-11-14", 4_200, "EUR", "Librairie"),
    ] {
        let row = ada.expense(day, ExpenseCategory::Books, cents, currency);
        row.merchant_name = Some(merchant.to_owned());
    }
    for month in ["2026-06", "2026-07", "2026-08", "2026-09", "2026-10"] {
        let row = ada.expense(&format!("{month}-25"), ExpenseCategory::Subscriptions, 1_599, "EUR");
        row.merchant_name = Some("Netflix".to_owned());
    }
    let bob = household("bob@example.org");
    app.load(ada.records()).await;
    app.load(bob.records()).await;
    grant_job(&app, "weekly-mail", "{spending:read,recurring-payments:read}").await;
    let (reader, writer) =
        (app.database.url(passbook_schema::READER), app.database.url(passbook_schema::WRITER));
    let run = |job: &str, lister: &str| {
        let environment = [("DATABASE_URL", reader.as_str()), ("WRITER_DATABASE_URL", lister), ("JOB", job)];
        let mut program = command("passbook-weekly-mail-job", &environment, &["2026-11-21"]);
        let output = program.stderr(Stdio::piped()).output().expect("the job starts and ends");
        (
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };

    let (mails, log) = run("weekly-mail", &writer);
    let expected = "To: ada@example.org\n\
        Spent: 31.50 EUR (-25.00 % against the week before)\n\
        Some spending has no exchange rate and is missing here.\n  \
        Librairie: 21.50 EUR (68.25 %)\n  \
        Zoo: 10.00 EUR (31.75 %)\n  \
        Diner: 0.00 EUR (0.00 %)\n\
        Due 2026-11-25: Netflix, 15.99 EUR\n";
    let none = "To: bob@example.org\nSpent: 0.00 EUR\n";
    assert!(mails.contains(expected) && mails.contains(none), "{mails}{log}");
    let (mails, _) = run("unknown-job", &writer);
    let refused = "No mail to bob@example.org: The access token is missing or invalid.\n";
    assert!(mails.contains(refused) && !mails.contains("Spent"), "{mails}");
    let (mails, log) = run("weekly-mail", &reader);
    assert!(mails.is_empty() && log.contains("permission denied"), "{mails}{log}");
}
