//! Honest clients for 20 minutes: nothing may fail, and memory must not grow.

use std::net::Ipv4Addr;
use std::time::Duration;

use super::honest::Honest;
use super::metrics::{BYTES_PER_MEGABYTE, resident};
use super::setting::Setting;
use crate::bench::figures::Outcome;

/// Duration of the warm-up, and of each of the measured parts.
const PART: Duration = Duration::from_secs(120);
const PARTS: usize = 9;
/// Maximum growth of the server's memory after the warm-up, in MB.
const GROWTH_MAX: f64 = 8.0;

pub(super) fn soak(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&[])?;
    let clients = Honest {
        base: server.base(),
        path: "/v1/transactions?pageSize=20",
        tokens: &setting.honest,
        from: Ipv4Addr::LOCALHOST,
    };
    let warm_up = clients.measure(PART)?;
    let before = resident(&server)?;
    let (mut failures, mut requests) = (warm_up.failures, warm_up.count());
    for _ in 0..PARTS {
        let part = clients.measure(PART)?;
        failures += part.failures;
        requests += part.count();
    }
    let mut outcome = Outcome::default();
    outcome.figure("requests", requests as f64, "");
    outcome.at_most("failed requests", f64::from(failures), "", 0.0);
    outcome.figure("memory of the server after 2 minutes", before / BYTES_PER_MEGABYTE, "MB");
    let growth = (resident(&server)? - before) / BYTES_PER_MEGABYTE;
    outcome.at_most("growth of the memory in the 18 minutes after that", growth, "MB", GROWTH_MAX);
    server.stop()?;
    Ok(outcome)
}
