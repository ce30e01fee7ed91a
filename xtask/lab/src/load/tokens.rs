//! A million well-formed tokens that nobody has.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use super::attack::Attack;
use super::metrics::{BYTES_PER_MEGABYTE, Metrics, resident, resident_peak};
use super::setting::Setting;
use super::sockets::{honest, host};
use crate::bench::figures::Outcome;

/// Number of tokens.
const TOKENS: &str = "1000000";
/// Maximum growth of the server's memory, in MB.
const GROWTH_MAX: f64 = 32.0;
/// The counter of look-ups in the database.
pub(crate) const LOOK_UPS: &str =
    "passbook_database_query_duration_seconds_count{query=\"find_personal_access_token\"}";

/// Returns the number of look-ups that one address may cause: 50 at once, and 10 per second
/// (`crates/auth/src/unseen_tokens.rs`).
pub(crate) fn look_ups_max(seconds: f64) -> f64 {
    50.0 + 10.0 * seconds
}

/// Sends all tokens from one address, while honest clients run from another.
pub(super) fn unknown(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&[("PASSBOOK_LOG", "warn")])?;
    let clients = honest(setting, &server, Ipv4Addr::LOCALHOST);
    clients.measure(Duration::from_secs(2))?;
    let quiet = clients.measure(Duration::from_secs(10))?;
    let (before, memory) = (Metrics::of(&server)?.value(LOOK_UPS), resident(&server)?);
    let started = Instant::now();
    let attack = Attack::start(1, 1, "tokens", &[host(&server), TOKENS])?;
    let during = clients.measure(Duration::from_secs(20))?;
    let totals = attack.wait()?;
    let seconds = started.elapsed().as_secs_f64();
    let look_ups = Metrics::of(&server)?.value(LOOK_UPS) - before;
    let mut outcome = Outcome::default();
    outcome.figure("tokens sent", totals.value("responses"), "");
    outcome.figure("time", seconds, "s");
    outcome.figure("answered 401 after a look-up", totals.value("unauthorized"), "");
    outcome.figure("answered 429 without one", totals.value("limited"), "");
    outcome.at_most("answered otherwise", totals.value("other"), "", 0.0);
    outcome.at_most(
        "answers 401 without a counted look-up",
        totals.value("unauthorized") - look_ups,
        "",
        0.0,
    );
    outcome.at_most("look-ups in the database", look_ups, "", look_ups_max(seconds));
    let growth = (resident_peak(&server)? - memory) / BYTES_PER_MEGABYTE;
    outcome.at_most("growth of the server's memory", growth, "MB", GROWTH_MAX);
    outcome.figure("honest clients, quiet: 99th percentile", quiet.percentile(0.99), "ms");
    outcome.figure("honest clients, meanwhile: 99th percentile", during.percentile(0.99), "ms");
    outcome.at_most("honest clients, meanwhile: failed requests", f64::from(during.failures), "", 0.0);
    server.stop()?;
    Ok(outcome)
}
