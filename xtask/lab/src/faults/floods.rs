//! Floods of one kind of request or socket, while honest clients send requests.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::setting::Setting;
use crate::load::attack::Attack;
use crate::load::honest::Honest;
use crate::load::metrics::{BYTES_PER_MEGABYTE, Metrics, fullest, resident, resident_peak};
use crate::load::sockets::host;
use crate::load::tokens::{LOOK_UPS, look_ups_max};
use crate::server::Server;

const TOKENS: &str = "200000";
/// Sockets: addresses, and sockets of each. They are opened within 20 s.
const ADDRESSES: u32 = 300;
const SOCKETS_OF_EACH: u32 = 10;
/// Time for which a socket may send nothing, in seconds: until all are open, and a while.
const HEAD_SECONDS: &str = "35";
const IDLE_TIME: Duration = Duration::from_secs(30);
/// Time after which no socket may be open.
const END_TIME_MAX: Duration = Duration::from_secs(60);
/// Time between two looks, and of one measurement of honest clients.
const LOOK: Duration = Duration::from_millis(100);
const PART: Duration = Duration::from_secs(5);
/// Maximum growth of the server's memory, in MB.
const GROWTH_MAX: f64 = 48.0;
/// Honest clients have no rate limits, because all requests are of one user.
pub(super) const NO_LIMITS: [(&str, &str); 2] =
    [("PASSBOOK_RATE_LIMIT_USER", "0"), ("PASSBOOK_RATE_LIMIT_CLIENT", "0")];

/// Returns the honest clients of a server.
fn honest<'a>(server: &'a Server, tokens: &'a [String]) -> Honest<'a> {
    Honest { base: server.base(), path: "/v1/me", tokens, from: Ipv4Addr::LOCALHOST }
}

/// Well-formed tokens that nobody has, from one address.
pub(super) fn unknown_tokens(setting: &Setting<'_>) -> Result<String, String> {
    let server = setting.serve(&NO_LIMITS)?;
    let tokens = [setting.token.to_owned()];
    let clients = honest(&server, &tokens);
    clients.measure(PART)?;
    let (before, memory, started) =
        (Metrics::of(&server)?.value(LOOK_UPS), resident(&server)?, Instant::now());
    let attack = Attack::start(1, 1, "tokens", &[host(&server), TOKENS])?;
    let is_over = AtomicBool::new(false);
    let (totals, failures) = std::thread::scope(|scope| {
        let honest = scope.spawn(|| {
            let mut failures = 0;
            while !is_over.load(Ordering::Relaxed) {
                failures += clients.measure(PART)?.failures;
            }
            Ok::<u32, String>(failures)
        });
        let totals = attack.wait();
        is_over.store(true, Ordering::Relaxed);
        (totals, honest.join().unwrap_or_else(|_| Err("the clients panicked".to_owned())))
    });
    let (totals, failures, seconds) = (totals?, failures?, started.elapsed().as_secs_f64());
    let look_ups = Metrics::of(&server)?.value(LOOK_UPS) - before;
    let growth = (resident_peak(&server)? - memory) / BYTES_PER_MEGABYTE;
    server.stop()?;
    let summary = format!(
        "{} × 401, {} × 429 in {seconds:.0} s, {look_ups} look-ups, {failures} honest requests failed, memory +{growth:.1} MB",
        totals.value("unauthorized"),
        totals.value("limited")
    );
    let is_met = totals.value("other") == 0.0
        && look_ups <= look_ups_max(seconds)
        && failures == 0
        && growth < GROWTH_MAX;
    if is_met { Ok(summary) } else { Err(summary) }
}

/// Sockets that send nothing, with places for all of them, and with the default number of places.
pub(super) fn idle_sockets(setting: &Setting<'_>) -> Result<String, String> {
    let mut summaries = Vec::new();
    let total = f64::from(ADDRESSES * SOCKETS_OF_EACH);
    for (places, held_min) in [(4096.0, total), (1024.0, 1000.0)] {
        let connections = format!("{places}");
        let mut settings = NO_LIMITS.to_vec();
        settings.extend([("PASSBOOK_CONNECTIONS", &*connections), ("PASSBOOK_HEAD_SECONDS", HEAD_SECONDS)]);
        let server = setting.serve(&settings)?;
        let tokens = [setting.token.to_owned()];
        let clients = honest(&server, &tokens);
        clients.measure(PART)?;
        let memory = resident(&server)?;
        let attack = Attack::start(1, ADDRESSES, "idle", &[host(&server), &SOCKETS_OF_EACH.to_string()])?;
        let is_over = AtomicBool::new(false);
        let (seen, fullest) = std::thread::scope(|scope| {
            let sampled = scope.spawn(|| fullest(&server, &is_over));
            let seen = clients.measure(IDLE_TIME);
            is_over.store(true, Ordering::Relaxed);
            (seen, sampled.join().unwrap_or_else(|_| Err("the sampling panicked".to_owned())))
        });
        let (failures, fullest, ended) = (seen?.failures, fullest?, Instant::now());
        // The metrics and the honest clients have connections too.
        while Metrics::of(&server)?.value("passbook_connections_open") > 10.0 {
            if ended.elapsed() > END_TIME_MAX {
                return Err(format!("{places} places: sockets are open after {} s", END_TIME_MAX.as_secs()));
            }
            sleep(LOOK);
        }
        let opened = attack.stop()?.value("connected");
        let growth = (fullest.resident - memory) / BYTES_PER_MEGABYTE;
        server.stop()?;
        let summary = format!(
            "{places} places: {opened} opened, {} held, {failures} honest requests failed, memory +{growth:.1} MB",
            fullest.connections
        );
        if failures > 0 || fullest.connections < held_min || growth > GROWTH_MAX {
            return Err(summary);
        }
        summaries.push(summary);
    }
    Ok(summaries.join("; "))
}
