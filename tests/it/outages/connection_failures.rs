//! Failures to connect to a server that answers with an error: both programs print one line with the setting, host, port, database,
//! role, reason and remedy, without the password, and exit with the same code.

use std::process::Command;

use tests::postgres_stub::{Answer, PostgresStub};

/// A password that no program may print.
const SECRET: &str = "hunter2";
/// The settings file of both programs and the first word of their commands.
const PROGRAMS: [(&str, &str, &[&str]); 2] = [
    ("passbook-server", "PASSBOOK_DATABASE_URL", &[]),
    ("passbook-admin", "PASSBOOK_ADMIN_DATABASE_URL", &["user", "list"]),
];

/// Runs both programs with a URL. Each must exit with `code` and print one line: the name of the setting, and `message`.
#[track_caller]
fn assert_failure(situation: &str, url: &str, code: i32, message: &str) {
    let home = tests::temporary::folder();
    for (program, setting, arguments) in PROGRAMS {
        let output = Command::new(tests::binary(program))
            .args(arguments)
            .env_clear()
            .env("HOME", home.path())
            .env("PASSBOOK_LISTEN", "127.0.0.1:0")
            .env(setting, url)
            .output()
            .expect("the program runs");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(stderr, format!("{setting}: {message}\n"), "{program}, {situation}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{program}, {situation}");
        assert!(!stderr.contains(SECRET) && !stderr.contains("db error"), "{program}, {situation}: {stderr}");
    }
}

/// A situation, the answer of the server, the exit code, and the reason with its remedy.
type Case = (&'static str, Answer, i32, &'static str);

const CASES: &[Case] = &[
    (
        "wrong password",
        Answer::Error("28P01", "password authentication failed for user \"operator\"", "auth_failed"),
        64,
        "the server rejects the role or its password; correct both (alter role … password '…' sets another one)",
    ),
    (
        "wrong password, reported in another language",
        Answer::Error(
            "28P01",
            "Passwort-Authentifizierung für Benutzer »operator« fehlgeschlagen",
            "auth_failed",
        ),
        64,
        "the server rejects the role or its password; correct both (alter role … password '…' sets another one)",
    ),
    (
        "no entry in pg_hba.conf without TLS",
        Answer::Error(
            "28000",
            "no pg_hba.conf entry for host \"10.0.0.9\", user \"operator\", database \"money\", no encryption",
            "ClientAuthentication",
        ),
        64,
        "the server accepts connections from this address only with TLS, and this one had none; remove sslmode=disable from \
         the URL, or enable TLS on the server (ssl = on)",
    ),
    (
        "a managed database that requires TLS",
        Answer::Error("28000", "connection is insecure (try using `sslmode=require`)", ""),
        64,
        "the server accepts connections from this address only with TLS, and this one had none; remove sslmode=disable from \
         the URL, or enable TLS on the server (ssl = on)",
    ),
    (
        "no entry in pg_hba.conf for the socket",
        Answer::Error(
            "28000",
            "no pg_hba.conf entry for host \"[local]\", user \"operator\", database \"money\", no encryption",
            "ClientAuthentication",
        ),
        64,
        "pg_hba.conf of the server has no entry for this role and database; correct them, or add an entry",
    ),
    (
        "the limit of the server",
        Answer::Error("53300", "sorry, too many clients already", "ProcArrayAdd"),
        69,
        "the server has no connection left for the role; close some, raise the limit of the server or the role, or use \
         fewer",
    ),
    (
        "a server that starts",
        Answer::Error("57P03", "the database system is starting up", "ProcessStartupPacket"),
        69,
        "the server is starting up; try again in a moment",
    ),
    (
        "a server that stops",
        Answer::Error("57P03", "the database system is shutting down", "ProcessStartupPacket"),
        69,
        "the server is shutting down; try again when it runs",
    ),
    (
        "an error of a pooler",
        Answer::Error("XX000", "Tenant or user not found", ""),
        69,
        "the server reports: Tenant or user not found (SQLSTATE XX000)",
    ),
    (
        "a server of another protocol",
        Answer::Closed,
        69,
        "the connection was closed before it was ready; check that a PostgreSQL server listens there, and see its log",
    ),
    (
        "a server that does not answer",
        Answer::Silence,
        69,
        "the server does not answer in time; correct the host and the port, or let the firewall pass them",
    ),
];

#[test]
fn failure_to_connect_is_one_line_with_address_reason_and_remedy() {
    for (situation, answer, code, reason) in CASES {
        let port = PostgresStub::start(*answer).port();
        let url = format!("postgresql://operator:{SECRET}@127.0.0.1:{port}/money?connect_timeout=1");
        let message = format!(
            "cannot connect to database \"money\" on 127.0.0.1:{port} as role \"operator\": {reason}"
        );
        assert_failure(situation, &url, *code, &message);
    }
}

#[test]
fn missing_password_exits_with_64() {
    let port = PostgresStub::start(Answer::PasswordRequest).port();
    let message = format!(
        "cannot connect to database \"money\" on 127.0.0.1:{port} as role \"operator\": the server asks for a password, \
         and the URL has none; add it: postgresql://role:password@host/database"
    );
    let url = format!("postgresql://operator@127.0.0.1:{port}/money");
    assert_failure("no password", &url, 64, &message);
}
