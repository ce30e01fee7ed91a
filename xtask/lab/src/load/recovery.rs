//! The database is killed under load, and a standby is promoted.

use std::time::{Duration, Instant};

use super::postgres_probe::until_accepting;
use super::setting::{DATABASE, READER, Setting};
use super::watch::Watch;
use crate::bench::figures::Outcome;
use crate::bench::postgres::{PORT, Postgres};

/// Load before the fault, and time for which the database is away.
const PAUSE: Duration = Duration::from_secs(2);
/// Load after the fault.
const AFTER: Duration = Duration::from_secs(5);
/// Number of repetitions. The slowest counts.
const ROUNDS: usize = 3;
/// Bounds of the time to the first success after a restart, and to full service after a promotion, in milliseconds.
const RESTART_MILLISECONDS_MAX: f64 = 1000.0;
pub(super) const PROMOTION_MILLISECONDS_MAX: f64 = 5000.0;
/// The rate limits would hide the responses that matter.
pub(super) const WITHOUT_RATE_LIMITS: [(&str, &str); 2] =
    [("PASSBOOK_RATE_LIMIT_USER", "0"), ("PASSBOOK_RATE_LIMIT_CLIENT", "0")];

/// Returns the time from one moment to another, in milliseconds.
pub(super) fn milliseconds(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1000.0
}

/// Kills the main process of PostgreSQL, and starts it again.
pub(super) fn kill(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&WITHOUT_RATE_LIMITS)?;
    let watch = Watch::default();
    let mut slowest: f64 = 0.0;
    watch.during(server.base(), &setting.honest[0], || {
        for _ in 0..ROUNDS {
            std::thread::sleep(PAUSE);
            setting.postgres.kill()?;
            std::thread::sleep(PAUSE);
            let accepting = std::thread::scope(|scope| {
                let accepting = scope.spawn(|| until_accepting(setting.postgres.socket_folder()));
                setting.postgres.resume()?;
                accepting.join().map_err(|_| "the probe panicked".to_owned())?
            })?;
            std::thread::sleep(PAUSE);
            let success =
                watch.first_success(accepting).ok_or("no response had status 200 after the restart")?;
            slowest = slowest.max(milliseconds(accepting, success));
        }
        Ok(())
    })?;
    let mut outcome = Outcome::default();
    outcome.figure("responses with status 200", watch.count(200), "");
    outcome.figure("responses with status 503 and Retry-After", watch.count(503), "");
    outcome.at_most("other responses", watch.wrong(), "", 0.0);
    let name = "from accepted connections to the first success, slowest of 3";
    outcome.at_most(name, slowest, "ms", RESTART_MILLISECONDS_MAX);
    server.stop()?;
    Ok(outcome)
}

/// Kills a primary, and promotes its standby after a moment.
pub(super) fn promotion(setting: &Setting) -> Result<Outcome, String> {
    let folder = setting.work.join("standby");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let standby = setting.postgres.standby(&folder)?;
    let hosts = [&setting.postgres, &standby].map(host).join(",");
    let url = format!("postgresql://{READER}@{hosts}/{DATABASE}?target_session_attrs=prefer-standby");
    let server = setting.serve_at(&url, &WITHOUT_RATE_LIMITS)?;
    let watch = Watch::default();
    let times = watch.during(server.base(), &setting.honest[0], || {
        std::thread::sleep(PAUSE);
        setting.postgres.kill()?;
        let killed = Instant::now();
        std::thread::sleep(PAUSE);
        let unavailable = Instant::now();
        standby.promote()?;
        let promoted = Instant::now();
        std::thread::sleep(AFTER);
        Ok((killed, unavailable, promoted))
    });
    setting.postgres.resume()?;
    let (killed, unavailable, promoted) = times?;
    let full =
        watch.full_service(unavailable).ok_or("not every response had status 200 after the promotion")?;
    let mut outcome = Outcome::default();
    outcome.figure("responses with status 200", watch.count(200), "");
    outcome.figure("responses with status 503 and Retry-After", watch.count(503), "");
    outcome.at_most("other responses", watch.wrong(), "", 0.0);
    let without_primary = watch.successes_between(killed, unavailable);
    outcome.at_most("responses with status 200 while there was no primary", without_primary, "", 0.0);
    let name = "from the end of the promotion to full service";
    outcome.at_most(name, milliseconds(promoted, full), "ms", PROMOTION_MILLISECONDS_MAX);
    server.stop()?;
    Ok(outcome)
}

/// Returns folder and port of a server's socket, as a part of a URL.
fn host(postgres: &Postgres) -> String {
    format!("{}:{PORT}", postgres.socket_folder().display().to_string().replace('/', "%2F"))
}
