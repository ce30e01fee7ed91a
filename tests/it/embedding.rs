//! The example hosts of `docs/embedding.md`, run as programs: responses, callers and errors.

mod mounted;
mod own_ledger;
mod own_operation;

use std::process::Command;
use std::sync::Arc;

use hyper::Method;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_operations::{CatalogueEntry, Service};
use passbook_store::deadpool_postgres::{Manager, ManagerConfig, Pool, Runtime};
use passbook_store::{ConnectionSettings, Store};
use tests::app::{App, token_credential};
use tests::database::execute;
use tests::household::Household;
use tests::http::{Http, Reply};
use tests::server_process::{Ended, Running, run};

/// A running host, which is killed when the value is dropped.
pub(super) struct Host {
    running: Running,
    /// The first line of standard output: scheme, host and port.
    origin: String,
    http: Http,
}

impl Host {
    /// Starts a host with the given environment variables only.
    pub(super) fn start(package: &str, environment: &[(&str, &str)]) -> Host {
        let mut running = Running::start(command(package, environment, &[]));
        let origin = running.lines(1).remove(0);
        Host { running, origin, http: Http::default() }
    }

    /// Starts a host with the rows of its in-memory ledger. The host reads the file of the rows before it prints its
    /// origin.
    pub(super) fn with_ledger(package: &str, rows: &str) -> Host {
        Host::start(package, &[("LEDGER", ledger_file(rows).path().to_str().expect("UTF-8"))])
    }

    /// The next line of standard output.
    pub(super) fn line(&mut self) -> String {
        self.running.lines(1).remove(0)
    }

    /// Sends a GET request. `target` is the path below the origin, with its query.
    pub(super) async fn get(&self, target: &str, headers: &[(&str, &str)]) -> Reply {
        self.http.send(Method::GET, &format!("{}{target}", self.origin), headers).await
    }

    /// Sends a POST request with a body.
    pub(super) async fn post(&self, path: &str, headers: &[(&str, &str)], body: String) -> Reply {
        let url = format!("{}{path}", self.origin);
        self.http.send_body(Method::POST, &url, headers, body.into()).await
    }
}

/// The command that starts a host.
pub(super) fn command(package: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(tests::binary(package));
    command.args(arguments).env_clear().envs(environment.iter().copied());
    command
}

/// A file with the rows of the in-memory ledger of the hosts.
fn ledger_file(rows: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), rows).expect("the file is written");
    file
}

/// A request for every operation, with parameters that make the response independent of the current day.
pub(super) fn targets() -> Vec<String> {
    let target = |entry: CatalogueEntry| {
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
    CatalogueEntry::all().into_iter().map(target).collect()
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
    let url = app.database.url("passbook_reader");
    let run = |token: &str, arguments: &[&str]| {
        let environment = [("DATABASE_URL", url.as_str()), ("PASSBOOK_TOKEN", token)];
        run(command("passbook-direct-host", &environment, arguments))
    };
    let ended = run(&token, &["2026-11-15"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let expected = [
        "Marché: 4000 cents",
        "librairie: 2250 cents",
        "row 1: 999 cents",
        "all: 7249 cents of EUR",
        "Some spending has no exchange rate and is missing from these totals.",
    ];
    assert_eq!(ended.stdout, expected);

    let (without, _) = app.token_with(household.user.user_id, &[Scope::CashflowRead], true, true).await;
    app.revoke_token(id).await;
    for (token, arguments, cause) in [
        (without.as_str(), &["2026-11-15"][..], "spending:read"),
        (&token, &["2026-11-15"], "The access token is missing or invalid."),
        ("pbk_nothing", &["2026-11-15"], "The access token is missing or invalid."),
        (&token, &["2026-11-31"], "must be a calendar day"),
        (&token, &[], "name a day of the month"),
    ] {
        assert_fails(&run(token, arguments), cause);
    }
}

/// Checks that a program has printed nothing, and on standard error the cause of its failure.
#[track_caller]
pub(super) fn assert_fails(ended: &Ended, cause: &str) {
    assert_eq!((ended.code, ended.stdout.len()), (Some(1), 0), "{ended:?}");
    assert!(ended.stderr.contains(cause), "{cause}: {}", ended.stderr);
}

#[tokio::test]
async fn store_shares_the_pool_and_the_application_name_of_the_host() {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    app.load(household.records()).await;
    let user = household.user.user_id;
    let (_, token) = app.token_with(user, Scope::ALL, true, false).await;
    let credential = token_credential(user, token);

    let mut connection = app.database.configuration(passbook_schema::READER);
    connection.application_name("bookkeeping");
    let settings = ConnectionSettings::from(connection.clone());
    let manager = Manager::from_config(connection, settings.connector().clone(), ManagerConfig::default());
    let pool = Pool::builder(manager).max_size(1).runtime(Runtime::Tokio1).build().expect("a pool");
    let store = Store::from_pool(pool.clone(), settings.connector().clone());
    let service = Service::new(Arc::new(store));
    let cashflow = service.call::<CashflowSummary>(&credential, Params::default()).await.expect("a result");
    assert_eq!(cashflow.expense_total.amount_cents, 2_150);
    assert_eq!(pool.status().size, 1, "the store has opened its connection in the pool of the host");
    let client = pool.get().await.expect("the store has returned the connection");
    let row = client.query_one("select current_setting('application_name')", &[]).await.expect("a row");
    assert_eq!(row.get::<_, &str>(0), "bookkeeping");
}

const ROWS: &str = "ada|2026-11-03|EXPENSE|BOOKS|2150|EUR|posted|CARD BOOKS|Librairie\n\
                    ada|2026-11-04|EXPENSE|COFFEE|450|EUR|posted|CARD CAFE|Café\n";

fn print_table(person: &str, arguments: &[&str]) -> Ended {
    let rows = ledger_file(ROWS);
    let path = rows.path().to_str().expect("UTF-8");
    run(command("passbook-table-cli", &[("LEDGER", path), ("PERSON", person)], arguments))
}

#[test]
fn command_line_prints_a_result_as_a_table() {
    let arguments = ["top_merchants", "dateFrom=2026-11-01", "dateTo=2026-11-30"];
    let ended = print_table("ada", &arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let expected = [
        "dateFrom: 2026-11-01",
        "dateTo: 2026-11-30",
        "",
        "merchants",
        "merchant   net        percentOfTotal  refunds   total      transactionCount",
        "Librairie  21.50 EUR  82.69           0.00 EUR  21.50 EUR  1",
        "Café       4.50 EUR   17.31           0.00 EUR  4.50 EUR   1",
        "net: 26.00 EUR",
        "refunds: 0.00 EUR",
        "totalExpense: 26.00 EUR",
    ];
    assert_eq!(ended.stdout, expected);
}

#[test]
fn command_line_names_the_fault() {
    for (person, arguments, expected) in [
        ("ada", &["top_merchants", "limit=0"][..], "limit must be a whole number from 1 to 100; received 0"),
        ("ada", &["merchants"], "there is no operation"),
        ("eve", &["me"], "the ledger has no person"),
        ("ada", &[], "name an operation"),
    ] {
        assert_fails(&print_table(person, arguments), expected);
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

#[tokio::test]
async fn job_prints_a_mail_for_everybody_from_one_snapshot() {
    let app = App::start().await;
    let [mut ada, mut bob] = [Household::new(), Household::new()];
    ada.user.email = "ada@example.org".to_owned();
    bob.user.email = "bob@example.org".to_owned();
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
    app.load([ada.records(), bob.records()].concat()).await;
    grant_job(&app, "weekly-mail", "{spending:read,recurring-payments:read}").await;
    let (reader, writer) =
        (app.database.url(passbook_schema::READER), app.database.url(passbook_schema::WRITER));
    let run = |job: &str, lister: &str| {
        let environment = [("DATABASE_URL", reader.as_str()), ("WRITER_DATABASE_URL", lister), ("JOB", job)];
        let ended = run(command("passbook-weekly-mail-job", &environment, &["2026-11-21"]));
        (ended.stdout.iter().map(|line| format!("{line}\n")).collect::<String>(), ended.stderr)
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
