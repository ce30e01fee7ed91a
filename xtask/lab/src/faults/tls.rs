//! TLS between the server and PostgreSQL, and somebody in between who has another certificate, or none.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::floods::NO_LIMITS;
use super::load::{Load, PAUSE};
use super::setting::Setting;
use crate::bench::postgres::Postgres;
use crate::command::{create_folder, read, run_quietly, write};
use crate::connection::Connection;

/// Creates an authority in the folder `$0`, and a certificate of it for 127.0.0.1.
const CERTIFY: &str = r#"set -e; cd "$0"; new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
openssl req -x509 $new -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
openssl req $new -subj /CN=database -keyout server.key -out server.csr
printf 'subjectAltName=IP:127.0.0.1\n' > names
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt"#;
/// Gives the key to the account of PostgreSQL.
const INSTALL: &str = r#"set -e; cp "$0/server.crt" "$0/server.key" "$1"; chown --reference="$1" "$1"/server.*; chmod 600 "$1"/server.*"#;
/// The only way into the copy over the network.
const RULE: &str = "hostssl all passbook_reader 127.0.0.1/32 scram-sha-256\n";
/// Time for which nobody may be trusted.
const UNTRUSTED: Duration = Duration::from_secs(4);
/// Maximum time from the end of that to a response with status 200.
const RECOVERY_TIME_MAX: Duration = Duration::from_secs(10);
const LOAD_TIME: Duration = Duration::from_secs(3);
const PATH: &str = "/v1/me";

/// Requests while the certificate is right, another authority's, and missing.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let folder = setting.work.join("tls");
    let postgres = Postgres::copy_of(setting.database.socket_folder(), &folder, &[])?;
    let cluster = postgres.cluster();
    let [right, other] = ["right", "other"].map(|name| setting.work.join(name));
    for authority in [&right, &other] {
        create_folder(authority)?;
        run_quietly("sh", &["-c", CERTIFY, &authority.display().to_string()], &[])?;
    }
    let install = |authority: &Path| {
        let (from, to) = (authority.display().to_string(), cluster.display().to_string());
        run_quietly("sh", &["-c", INSTALL, &from, &to], &[])
    };
    install(&right)?;
    let rules = cluster.join("pg_hba.conf");
    write(&rules, &format!("{RULE}{}", read(&rules)?))?;
    postgres.resume_with(&["listen_addresses=127.0.0.1"])?;
    let change = |statement: &str| {
        postgres.query("passbook", statement)?;
        postgres.query("passbook", "select pg_reload_conf()")?;
        // The new settings hold for new connections, some milliseconds later.
        sleep(Duration::from_millis(300));
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'passbook_reader'";
        postgres.query("passbook", end)
    };
    change("alter system set ssl = on")?;
    let root = right.join("ca.pem").display().to_string();
    let url = setting.database.url_at("127.0.0.1", 5432);
    let url = url.replace("sslmode=disable", &format!("sslmode=verify-full&sslrootcert={root}"));
    let server = setting.serve(&[("PASSBOOK_DATABASE_URL", &url), NO_LIMITS[0], NO_LIMITS[1]])?;
    let load = Load::start(server.base(), setting.token, PAUSE)?;
    sleep(LOAD_TIME);
    let encrypted = postgres.query(
        "passbook",
        "select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where ssl and usename = 'passbook_reader'",
    )?;
    let seen = load.stop()?;
    if encrypted == "0" || seen.problem().is_some() || seen.statuses().any(|status| status != 200) {
        return Err(format!("{encrypted} sessions with TLS: {seen}"));
    }
    let status =
        |path: &str| Connection::open(server.base())?.get(path, setting.token).map(|reply| reply.status);
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    for (name, fault, fix) in [
        ("another authority", "select 1", "select 1"),
        ("no TLS", "alter system set ssl = off", "alter system set ssl = on"),
    ] {
        if name == "another authority" {
            install(&other)?;
        }
        change(fault)?;
        let started = Instant::now();
        while started.elapsed() < UNTRUSTED {
            match status(PATH)? {
                503 => refused += 1,
                status => return Err(format!("{name}: status {status}")),
            }
        }
        if status("/ready")? != 503 {
            return Err(format!("{name}: /ready succeeds"));
        }
        install(&right)?;
        change(fix)?;
        let fixed = Instant::now();
        while status(PATH)? != 200 {
            if fixed.elapsed() > RECOVERY_TIME_MAX {
                return Err(format!("{name}: no success after the fix"));
            }
            sleep(Duration::from_millis(20));
        }
        slowest = slowest.max(fixed.elapsed());
    }
    server.stop()?;
    Ok(format!(
        "{encrypted} sessions with TLS, {seen}; another authority or no TLS: {refused} × 503, recovered after {} ms",
        slowest.as_millis()
    ))
}
