//! The requests of a person while others send requests with credentials of that person that give no access.

use std::net::Ipv4Addr;
use std::time::Duration;

use super::floods::host;
use super::provider::{FOREIGN_CLIENT, KEY, Provider};
use super::setting::Setting;
use crate::load::attack::Attack;
use crate::load::honest::Honest;

/// Duration of each measurement.
const DURATION: Duration = Duration::from_secs(15);
/// Requests per minute: more than the owner sends, and fewer than the others send.
const RATE_OF_CLIENT: &str = "6600";
const RATE_OF_USER: &str = "7500";
/// Connections with an incomplete request.
const SOCKETS: [&str; 2] = ["4", "60"];
/// Maximum multiple of the quiet time.
const SLOWDOWN_MAX: f64 = 2.0;
/// A difference below this is noise, in milliseconds.
const NOISE_MILLISECONDS: f64 = 5.0;

/// The owner's requests without others, with each number of connections, and without others again.
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
    clients.measure(Duration::from_secs(3))?;
    let mut quiet = clients.measure(DURATION)?;
    let mut figures = Vec::new();
    let mut failed = false;
    for sockets in SOCKETS {
        let mut attacks = vec![Attack::start(1, 1, "incomplete", &[host(&server), sockets, &revoked])?];
        for token in [&revoked, &expired, &foreign] {
            attacks.push(Attack::start(1, 1, "requests", &[host(&server), "1", token])?);
        }
        let during = clients.measure(DURATION)?;
        let mut refused = 0.0;
        for attack in attacks {
            refused += attack.stop()?.value("responses");
        }
        let [median, slow] = [0.5, 0.99].map(|share| (quiet.percentile(share), during.percentile(share)));
        failed |= during.failures > 0 || quiet.failures > 0;
        failed |= [median, slow]
            .iter()
            .any(|(before, after)| *after > SLOWDOWN_MAX * before && after - before > NOISE_MILLISECONDS);
        figures.push(format!(
            "{sockets} sockets: {} × 200, {} others, median {:.1} → {:.1} ms (× {:.2}), 99th percentile {:.1} → {:.1} ms \
             (× {:.2}), {refused} hostile answers",
            during.count(), during.failures, median.0, median.1, median.1 / median.0, slow.0, slow.1, slow.1 / slow.0
        ));
        quiet = clients.measure(DURATION)?;
    }
    server.stop()?;
    if failed { Err(figures.join("; ")) } else { Ok(figures.join("; ")) }
}
