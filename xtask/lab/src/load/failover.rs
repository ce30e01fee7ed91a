//! Patroni with three nodes: a standby is killed, and then the primary.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::cluster::Cluster;
use super::recovery::{PROMOTION_MILLISECONDS_MAX, WITHOUT_RATE_LIMITS, milliseconds};
use super::setting::{DATABASE, Setting};
use super::watch::Watch;
use crate::bench::figures::Outcome;
use crate::bench::postgres::{SUPERUSER, output};

/// Load before a fault.
const PAUSE: Duration = Duration::from_secs(3);
/// Load after a fault.
const AFTER: Duration = Duration::from_secs(6);

pub(super) fn patroni(setting: &Setting) -> Result<Outcome, String> {
    let mut cluster = Cluster::start(setting)?;
    let (tokens, primary) = prepare(setting, &cluster)?;
    let [valid, revoked] = &tokens;
    let server = setting.serve_at(&cluster.reader_url(), &WITHOUT_RATE_LIMITS)?;
    let mut outcome = Outcome::default();

    let watch = Watch::default();
    watch.during(server.base(), valid, || {
        std::thread::sleep(PAUSE);
        let standby = cluster.standbys().first().copied().ok_or("there is no standby")?;
        cluster.kill(standby)?;
        std::thread::sleep(AFTER);
        Ok(())
    })?;
    outcome.figure("standby killed: responses with status 200", watch.count(200), "");
    outcome.at_most("standby killed: other responses", watch.wrong() + watch.count(503), "", 0.0);

    // The grant is revoked on the primary. The standbys have replayed it, or not.
    let revoke = "update passbook.personal_access_tokens set revoked_at = now() where name = 'bench' and \
                  user_id = (select user_id from passbook.users where email = 'person-2@bench.example')";
    cluster.query(primary, DATABASE, revoke)?;
    std::thread::sleep(PAUSE);
    let (watch, stale) = (Watch::default(), Watch::default());
    let (killed, promoted) = watch.during(server.base(), valid, || {
        stale.during(server.base(), revoked, || {
            std::thread::sleep(PAUSE);
            cluster.kill(primary)?;
            let killed = Instant::now();
            let promoted = cluster.until("a standby is promoted", |cluster| {
                cluster.primary().is_some_and(|number| number != primary)
            })?;
            std::thread::sleep(AFTER);
            Ok((killed, promoted))
        })
    })?;
    let full = watch.full_service(killed).ok_or("not every response had status 200 after the promotion")?;
    outcome.figure("primary killed: responses with status 200", watch.count(200), "");
    outcome.figure("primary killed: responses with status 503 and Retry-After", watch.count(503), "");
    outcome.at_most("primary killed: other responses", watch.wrong(), "", 0.0);
    outcome.figure("from the crash to the promotion by Patroni", milliseconds(killed, promoted), "ms");
    let name = "from the promotion to full service";
    outcome.at_most(name, milliseconds(promoted, full), "ms", PROMOTION_MILLISECONDS_MAX);
    outcome.at_most("responses with status 200 to a revoked token", stale.count(200), "", 0.0);
    server.stop()?;
    Ok(outcome)
}

/// Creates database, people and two tokens, through a URL with all nodes. Returns the tokens and the number of the
/// primary.
fn prepare(setting: &Setting, cluster: &Cluster) -> Result<([String; 2], usize), String> {
    let primary = cluster.primary().ok_or("there is no primary")?;
    cluster.query(primary, "postgres", &format!("create database {DATABASE}"))?;
    let url = PathBuf::from(cluster.url(SUPERUSER, DATABASE, "read-write"));
    let admin = |arguments: &[&str]| {
        output(
            Command::new(setting.program("passbook-admin"))
                .args(arguments)
                .env("PASSBOOK_ADMIN_DATABASE_URL", &url),
        )
    };
    admin(&["migrate"])?;
    for role in ["passbook_reader", "passbook_writer"] {
        cluster.query(primary, "postgres", &format!("alter role {role} login"))?;
    }
    cluster.execute_file(primary, &setting.root.join("xtask/lab/load/people.sql"))?;
    let token = |person: &str| {
        let email = format!("{person}@bench.example");
        let printed = admin(&["token", "create", "--user", &email, "--name", "bench"])?;
        let token = printed.split_whitespace().find(|word| word.starts_with("pbk_"));
        token.map(str::to_owned).ok_or_else(|| "passbook-admin printed no token".to_owned())
    };
    let tokens = [token("person-1")?, token("person-2")?];
    let position = cluster.query(primary, "postgres", "select pg_current_wal_lsn()")?;
    let replayed = format!("select pg_last_wal_replay_lsn() >= '{position}'");
    cluster.until("the standbys have replayed everything", |cluster| {
        cluster
            .standbys()
            .into_iter()
            .all(|number| cluster.query(number, "postgres", &replayed).is_ok_and(|is| is == "t"))
    })?;
    Ok((tokens, primary))
}
