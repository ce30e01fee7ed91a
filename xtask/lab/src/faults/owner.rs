//! The requests of a person while others send requests with credentials of that person that give no access.

use std::net::Ipv4Addr;
use std::time::Duration;

use super::provider::{FOREIGN_CLIENT, KEY, Provider};
use super::setting::Setting;
use crate::load::attack::Attack;
use crate::load::honest::{Honest, Seen};
use crate::load::sockets::host;

/// Duration of each measurement, and number of measurements with and without others. The middle one counts: other programs
/// of the machine delay some.
const DURATION: Duration = Duration::from_secs(4);
const ROUNDS: usize = 5;
/// Requests per minute: more than the owner sends, and fewer than the others send.
const RATE_OF_CLIENT: &str = "6600";
const RATE_OF_USER: &str = "7500";
/// Connections with an incomplete request.
const SOCKETS: [&str; 2] = ["4", "60"];
/// Maximum multiple of the quiet time.
const SLOWDOWN_MAX: f64 = 2.0;

/// The owner's requests of several measurements.
#[derive(Default)]
struct Rounds {
    medians: Vec<f64>,
    slow: Vec<f64>,
    successes: usize,
    failures: u32,
}

impl Rounds {
    fn add(&mut self, seen: &Seen) {
        self.medians.push(seen.percentile(0.5));
        self.slow.push(seen.percentile(0.99));
        self.successes += seen.count();
        self.failures += seen.failures;
    }
}

fn middle(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The owner's requests without others and with them, by turns, for each number of connections.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let provider = Provider::start(setting)?;
    let issuer = provider.issuer();
    let server = setting.serve(&[
        ("PASSBOOK_RATE_LIMIT_CLIENT", RATE_OF_CLIENT),
        ("PASSBOOK_RATE_LIMIT_USER", RATE_OF_USER),
        ("PASSBOOK_OIDC_ISSUER", &issuer),
        Provider::SETTINGS,
    ])?;
    let database = setting.database;
    let owner = [database.token("")?];
    let clients = Honest { base: server.base(), path: "/v1/me", tokens: &owner, from: Ipv4Addr::LOCALHOST };
    let revoked = database.token("revoked_at = now()")?;
    let expired = database.token("expires_at = now() - interval '1 second'")?;
    let foreign = provider.token(FOREIGN_CLIENT, KEY, 0)?;
    clients.measure(DURATION)?;
    let mut figures = Vec::new();
    let mut failed = false;
    for sockets in SOCKETS {
        let (mut before, mut after, mut others) = (Rounds::default(), Rounds::default(), 0.0);
        for _ in 0..ROUNDS {
            before.add(&clients.measure(DURATION)?);
            let mut attacks = vec![Attack::start(1, 1, "incomplete", &[host(&server), sockets, &revoked])?];
            for token in [&revoked, &expired, &foreign] {
                attacks.push(Attack::start(1, 1, "requests", &[host(&server), "1", token])?);
            }
            after.add(&clients.measure(DURATION)?);
            for attack in attacks {
                others += attack.stop()?.value("responses");
            }
        }
        failed |= before.failures + after.failures > 0;
        let mut ratios = Vec::new();
        for (name, before, after) in [
            ("median", &mut before.medians, &mut after.medians),
            ("99th percentile", &mut before.slow, &mut after.slow),
        ] {
            let (before, after) = (middle(before), middle(after));
            failed |= after > SLOWDOWN_MAX * before;
            ratios.push(format!("{name} {before:.1} → {after:.1} ms (× {:.2})", after / before));
        }
        figures.push(format!(
            "{sockets} sockets: {} × 200, {} other, {}, {others} hostile answers",
            after.successes,
            after.failures,
            ratios.join(", ")
        ));
    }
    server.stop()?;
    if failed { Err(figures.join("; ")) } else { Ok(figures.join("; ")) }
}
