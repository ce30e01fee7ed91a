//! TLS to a real PostgreSQL: each `sslmode` against the right authority, a wrong one, a wrong host name, and a server
//! without TLS.

use std::path::PathBuf;

use passbook_store::{ConnectionFailure, ConnectionSettings};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tests::admin::run_program;
use tests::app::{App, settings};
use tests::database::{execute, one};
use tests::postgres::Postgres;
use tests::temporary::Folder;

use crate::outages::TIMEOUT;

/// The host name in the certificate of the server.
const HOST: &str = "db.example";

/// A server with TLS on 127.0.0.1, and the files of two authorities.
struct Servers {
    postgres: Postgres,
    folder: Folder,
}

fn authority(name: &str) -> (String, Issuer<'static, KeyPair>) {
    let key = KeyPair::generate().expect("a key");
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(rcgen::DnType::CommonName, name);
    let certificate = params.self_signed(&key).expect("a certificate");
    (certificate.pem(), Issuer::new(params, key))
}

impl Servers {
    async fn start() -> Servers {
        let postgres = Postgres::start("listen_addresses = '127.0.0.1'\n").await;
        let (right, issuer) = authority("right");
        let (wrong, _) = authority("wrong");
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![HOST.to_owned()]).expect("parameters");
        let certificate = params.signed_by(&key, &issuer).expect("a certificate");
        postgres.write("server.crt", &certificate.pem());
        postgres.write("server.key", &key.serialize_pem());
        let folder = Folder::create();
        let own = certificate.pem();
        for (name, text) in [("right.pem", &right), ("wrong.pem", &wrong), ("own.pem", &own)] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let servers = Servers { postgres, folder };
        servers.set_tls(true).await;
        servers
    }

    /// Switches TLS on or off, and waits until the server does so.
    async fn set_tls(&self, on: bool) {
        let superuser = self.postgres.session("postgres").await;
        let value = if on { "on" } else { "off" };
        execute(&superuser, &format!("alter system set ssl = {value}")).await;
        execute(&superuser, "select pg_reload_conf()").await;
        tests::until(async || self.connect(HOST, "sslmode=prefer").await == Ok(on)).await;
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a URL of the server by TCP. `parameters` may name the files of this folder.
    fn url(&self, host: &str, parameters: &str) -> String {
        let parameters = parameters.replace("FOLDER", &self.folder.path().display().to_string());
        let port = self.postgres.port();
        format!("postgresql://passbook_reader:secret@{host}:{port}/money?hostaddr=127.0.0.1&{parameters}")
    }

    /// Connects. Returns true if the connection has TLS, or the failure.
    async fn connect(&self, host: &str, parameters: &str) -> Result<bool, String> {
        let settings: ConnectionSettings =
            self.url(host, parameters).parse().unwrap_or_else(|error| panic!("{parameters}: {error}"));
        let (client, connection) = match settings.connect().await {
            Ok(connected) => connected,
            Err(error) => return Err(ConnectionFailure::new(settings.config(), &error).to_string()),
        };
        tokio::spawn(connection);
        let encrypted = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
        Ok(one(&client, encrypted).await)
    }
}

const UNTRUSTED: &str =
    "no authority of sslrootcert has issued the certificate of the server; set sslrootcert to";
const OTHER_HOST: &str =
    "the certificate of the server is not valid for the host; name the host as the certificate does";
const NO_TLS: &str =
    "the server does not offer TLS, which sslmode of the URL demands; enable it on the server (ssl = on)";

/// Parameters, the outcome with the host name of the certificate, with another host name, and without TLS.
type Case =
    (&'static str, Result<bool, &'static str>, Result<bool, &'static str>, Result<bool, &'static str>);

const CASES: &[Case] = &[
    ("", Ok(true), Ok(true), Ok(false)),
    ("sslmode=disable", Ok(false), Ok(false), Ok(false)),
    ("sslmode=prefer", Ok(true), Ok(true), Ok(false)),
    ("sslmode=require", Ok(true), Ok(true), Err(NO_TLS)),
    ("sslmode=require&sslrootcert=FOLDER/right.pem", Ok(true), Ok(true), Err(NO_TLS)),
    ("sslmode=require&sslrootcert=FOLDER/wrong.pem", Err(UNTRUSTED), Err(UNTRUSTED), Err(NO_TLS)),
    ("sslmode=verify-ca&sslrootcert=FOLDER/right.pem", Ok(true), Ok(true), Err(NO_TLS)),
    ("sslmode=verify-ca&sslrootcert=FOLDER/wrong.pem", Err(UNTRUSTED), Err(UNTRUSTED), Err(NO_TLS)),
    ("sslmode=verify-full&sslrootcert=FOLDER/right.pem", Ok(true), Err(OTHER_HOST), Err(NO_TLS)),
    ("sslmode=verify-full&sslrootcert=FOLDER/wrong.pem", Err(UNTRUSTED), Err(UNTRUSTED), Err(NO_TLS)),
    // The certificate of the server itself.
    ("sslmode=verify-full&sslrootcert=FOLDER/own.pem", Ok(true), Err(OTHER_HOST), Err(NO_TLS)),
    // The authorities of the system have not issued the certificate.
    ("sslmode=verify-full&sslrootcert=system", Err(UNTRUSTED), Err(UNTRUSTED), Err(NO_TLS)),
];

#[track_caller]
fn assert_outcome(outcome: Result<bool, String>, expected: Result<bool, &str>, situation: &str) {
    match (outcome, expected) {
        (Err(failure), Err(words)) => assert!(failure.contains(words), "{situation}: {failure}"),
        (outcome, expected) => assert_eq!(outcome, expected.map_err(str::to_owned), "{situation}"),
    }
}

#[tokio::test]
async fn each_sslmode_accepts_exactly_the_servers_that_it_promises() {
    let servers = Servers::start().await;
    for (parameters, expected, expected_elsewhere, _) in CASES {
        assert_outcome(servers.connect(HOST, parameters).await, *expected, parameters);
        let elsewhere = servers.connect("other.example", parameters).await;
        assert_outcome(elsewhere, *expected_elsewhere, &format!("other host, {parameters}"));
    }
    servers.set_tls(false).await;
    for (parameters, _, _, expected) in CASES {
        assert_outcome(servers.connect(HOST, parameters).await, *expected, &format!("no TLS, {parameters}"));
    }
}

#[tokio::test]
async fn both_programs_name_setting_and_remedy_of_a_wrong_certificate() {
    let servers = Servers::start().await;
    for (program, setting, arguments) in [
        ("passbook-server", "PASSBOOK_DATABASE_URL", &[][..]),
        ("passbook-admin", "PASSBOOK_ADMIN_DATABASE_URL", &["user", "list"]),
    ] {
        let run = |parameters: &str| {
            let environment = [(setting, &*servers.url(HOST, parameters))];
            let printed = run_program(program, &environment, arguments).failed(64);
            assert!(printed.starts_with(&format!("{setting}: ")) && !printed.contains("secret"), "{printed}");
            printed
        };
        let untrusted = run("sslmode=verify-full&sslrootcert=FOLDER/wrong.pem");
        assert!(untrusted.contains(UNTRUSTED), "{untrusted}");
        let missing = run("sslmode=verify-full&sslrootcert=FOLDER/none.pem");
        let file = servers.file("none.pem").display().to_string();
        assert!(missing.contains(&file) && missing.contains("name a PEM file"), "{missing}");
    }
}

/// The sign-in with a password contains the hash of the certificate, so a server in between would be noticed.
#[tokio::test]
async fn password_sign_in_is_bound_to_the_certificate() {
    let servers = Servers::start().await;
    let superuser = servers.postgres.session("postgres").await;
    execute(&superuser, "alter role passbook_reader password 'secret'").await;
    let rules = "local all all trust\nhostssl all passbook_reader 127.0.0.1/32 scram-sha-256\n\
                 host all all 127.0.0.1/32 trust\n";
    servers.postgres.write("pg_hba.conf", rules);
    execute(&superuser, "select pg_reload_conf()").await;
    let wrong = "sslmode=require&channel_binding=disable&password=wrong";
    tests::until(async || servers.connect(HOST, wrong).await.is_err()).await;
    assert_eq!(servers.connect(HOST, "sslmode=require&channel_binding=require").await, Ok(true));
}

#[tokio::test]
async fn requests_are_served_and_cancelled_over_tls() {
    let servers = Servers::start().await;
    let url = servers.url(HOST, "sslmode=verify-full&sslrootcert=FOLDER/right.pem");
    let settings = settings(&[
        ("PASSBOOK_DATABASE_URL", &url),
        ("PASSBOOK_DATABASE_CONNECTIONS", "1"),
        ("PASSBOOK_REQUEST_SECONDS", "1"),
    ]);
    let app = App::start_with_url(settings).await;
    let superuser = servers.postgres.session("postgres").await;
    let limits = "alter role passbook_reader set statement_timeout = '1min'; \
                  alter role passbook_reader set lock_timeout = '1min'; \
                  select pg_terminate_backend(pid) from pg_stat_activity where usename = 'passbook_reader'; \
                  begin; lock table passbook.personal_access_tokens";
    execute(&superuser, limits).await;
    let token = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
    let reply = tokio::time::timeout(TIMEOUT, app.get("/v1/me", token.reveal())).await.expect("it ends");
    reply.assert_error(504, "TIMEOUT", "");
    // The cancellation has reached PostgreSQL, long before the limit of the statement.
    let waiting = "select count(*) from pg_stat_activity where usename = 'passbook_reader' and wait_event_type = 'Lock'";
    let observer = servers.postgres.session("postgres").await;
    let cancelled = tests::until(async || one::<i64>(&observer, waiting).await == 0);
    tokio::time::timeout(std::time::Duration::from_secs(20), cancelled)
        .await
        .expect("the statement is cancelled");
    execute(&superuser, "rollback").await;
    assert_eq!(app.get("/v1/me", token.reveal()).await.status, 401);
}
