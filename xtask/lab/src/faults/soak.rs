//! Requests for a long time: every body is right, and memory does not grow.

use std::thread::sleep;
use std::time::Duration;

use super::floods::NO_LIMITS;
use super::load::Load;
use super::setting::Setting;
use crate::load::metrics::{BYTES_PER_MEGABYTE, resident};

/// Pause of a client between two requests: all clients together send about 60 in a second.
const PAUSE: Duration = Duration::from_millis(200);
/// Time until the memory counts.
const WARM_UP: Duration = Duration::from_secs(60);
const MINUTES: u64 = 5;
const MINUTES_ON_DEMAND: u64 = 30;
/// Maximum growth of the server's memory, in MB.
const GROWTH_MAX: f64 = 8.0;

pub(super) fn short(setting: &Setting<'_>) -> Result<String, String> {
    soak(setting, MINUTES)
}

pub(super) fn long(setting: &Setting<'_>) -> Result<String, String> {
    soak(setting, MINUTES_ON_DEMAND)
}

fn soak(setting: &Setting<'_>, minutes: u64) -> Result<String, String> {
    let server = setting.serve(&NO_LIMITS)?;
    let load = Load::start(server.base(), setting.token, PAUSE)?;
    sleep(WARM_UP);
    let before = resident(&server)? / BYTES_PER_MEGABYTE;
    sleep(Duration::from_secs(minutes * 60).saturating_sub(WARM_UP));
    let after = resident(&server)? / BYTES_PER_MEGABYTE;
    let seen = load.stop()?;
    server.stop()?;
    let summary = format!("{seen}, memory {before:.1} MB after a minute, {after:.1} MB at the end");
    match seen.problem() {
        Some(problem) => Err(format!("{problem}: {summary}")),
        None if after - before > GROWTH_MAX || seen.statuses().any(|status| status != 200) => Err(summary),
        None => Ok(summary),
    }
}
