//! One user who keeps the server busy, and others who must not notice.

use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use super::honest::{Honest, Seen};
use super::metrics::{BYTES_PER_MEGABYTE, resident_peak};
use super::setting::{DATABASE, Setting};
use super::sockets::{compare, honest};
use crate::bench::figures::Outcome;
use crate::bench::postgres::SUPERUSER;
use crate::connection::Connection;
use crate::server::Server;

/// Duration of each measurement.
const DURATION: Duration = Duration::from_secs(30);
/// Parallel requests of the heavy user.
const HEAVY_CLIENTS: usize = 16;
/// Reads and sorts every row of the user, with a conversion of each amount.
const HEAVY_PATH: &str = "/v1/transactions?sort=amount_desc&pageSize=1&merchantQuery=1";
/// Parallel analyses of recurring payments.
const ANALYSES: usize = 8;
const RECURRING_PATH: &str = "/v1/recurring-payments";
/// Pause of a client before it repeats a request, in milliseconds.
const PAUSE_MILLISECONDS: u64 = 50;
const HEALTH_MILLISECONDS_MAX: f64 = 50.0;
const MEMORY_MAX: f64 = 150.0;

/// The responses that a busy user has got.
#[derive(Default)]
struct Responses {
    done: AtomicU32,
    limited: AtomicU32,
    unavailable: AtomicU32,
    other: AtomicU32,
}

impl Responses {
    /// Sends requests over `clients` connections until `is_over`, while `measure` runs.
    fn during<T>(
        &self,
        server: &Server,
        token: &str,
        path: &str,
        clients: usize,
        measure: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..clients {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        // A failed connection is opened again.
                        let _ = self.client(server, token, path, &is_over);
                    }
                });
            }
            let measured = measure();
            is_over.store(true, Ordering::Relaxed);
            measured
        })
    }

    fn client(&self, server: &Server, token: &str, path: &str, is_over: &AtomicBool) -> Result<(), String> {
        let mut connection = Connection::open(server.base())?;
        while !is_over.load(Ordering::Relaxed) {
            let status = connection.get(path, token)?.status;
            let counter = match status {
                200 => &self.done,
                429 => &self.limited,
                503 => &self.unavailable,
                _ => &self.other,
            };
            counter.fetch_add(1, Ordering::Relaxed);
            if status != 200 {
                std::thread::sleep(Duration::from_millis(PAUSE_MILLISECONDS));
            }
        }
        Ok(())
    }

    fn figures(&self, outcome: &mut Outcome) {
        for (name, counter) in
            [("200", &self.done), ("429", &self.limited), ("503", &self.unavailable), ("others", &self.other)]
        {
            let count = f64::from(counter.load(Ordering::Relaxed));
            outcome.figure(format!("responses of the busy user: {name}"), count, "");
        }
    }
}

/// 16 parallel heavy requests of one user, with the default rate limits and without.
pub(super) fn heavy(setting: &Setting) -> Result<Outcome, String> {
    let token = setting.token("heavy")?;
    let mut outcome = Outcome::default();
    for (name, limits) in [
        ("default limits", &[][..]),
        ("no rate limits", &[("PASSBOOK_RATE_LIMIT_USER", "0"), ("PASSBOOK_RATE_LIMIT_CLIENT", "0")]),
    ] {
        let server = setting.serve(limits)?;
        let clients = honest(setting, &server, Ipv4Addr::LOCALHOST);
        clients.measure(Duration::from_secs(2))?;
        let quiet = clients.measure(DURATION)?;
        let beside_program = beside_a_busy_processor(&clients)?;
        let beside_query = beside_a_busy_query(setting, &clients)?;
        let responses = Responses::default();
        let not_ready = AtomicU32::new(0);
        let during = responses.during(&server, &token, HEAVY_PATH, HEAVY_CLIENTS, || {
            let is_over = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let ready =
                            Connection::open(server.base()).and_then(|mut open| open.get("/ready", ""));
                        if ready.is_ok_and(|response| response.status != 200) {
                            not_ready.fetch_add(1, Ordering::Relaxed);
                        }
                        std::thread::sleep(Duration::from_millis(250));
                    }
                });
                let seen = clients.measure(DURATION);
                is_over.store(true, Ordering::Relaxed);
                seen
            })
        })?;
        let mut part = Outcome::default();
        for (what, seen) in [
            ("a program that only computes", &beside_program),
            ("the query of the busy user, sent by pgbench", &beside_query),
        ] {
            let name = format!("honest clients, beside {what}: 99th percentile");
            part.figure(name, seen.percentile(0.99), "ms");
        }
        compare(&mut part, &quiet, &during);
        responses.figures(&mut part);
        part.at_most("/ready without status 200", f64::from(not_ready.into_inner()), "", 0.0);
        outcome.add(name, part);
        server.stop()?;
    }
    Ok(outcome)
}

/// Measures honest clients while a process that sends no requests keeps one processor busy. The difference to the heavy
/// user is not explained by the use of a processor alone.
fn beside_a_busy_processor(clients: &Honest<'_>) -> Result<Seen, String> {
    let failed = |error: std::io::Error| format!("sh: {error}");
    let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().map_err(failed)?;
    let seen = clients.measure(DURATION);
    busy.kill().and_then(|()| busy.wait()).map_err(failed)?;
    seen
}

/// Measures honest clients while one connection of `pgbench` repeats the query of the busy user, which the server does not
/// see. No order and no limit of the server can give honest clients less latency than this.
fn beside_a_busy_query(setting: &Setting, clients: &Honest<'_>) -> Result<Seen, String> {
    let failed = |error: std::io::Error| format!("pgbench: {error}");
    let mut pgbench = Command::new(setting.postgres.program("pgbench"));
    pgbench.args(setting.postgres.connect_options(SUPERUSER)).env("PGOPTIONS", "-c jit=off");
    pgbench.args(["-n", "-M", "prepared", "-c", "1", "-T", "600", "-f"]);
    pgbench.arg(setting.root.join("xtask/lab/load/heavy.sql")).arg(DATABASE);
    let mut busy = pgbench.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
    let seen = clients.measure(DURATION);
    let ended = busy.try_wait().map_err(failed)?;
    busy.kill().and_then(|()| busy.wait()).map_err(failed)?;
    if let Some(status) = ended {
        return Err(format!("pgbench ended with {status}"));
    }
    seen
}

/// 8 parallel analyses over 100,000 rows in 25 months, without rate limits.
pub(super) fn recurring(setting: &Setting) -> Result<Outcome, String> {
    let token = setting.token("wide")?;
    let server = setting.serve(&[("PASSBOOK_RATE_LIMIT_USER", "0"), ("PASSBOOK_RATE_LIMIT_CLIENT", "0")])?;
    let no_token = [String::new()];
    let health =
        Honest { base: server.base(), path: "/health", tokens: &no_token, from: Ipv4Addr::LOCALHOST };
    let quiet = health.measure(Duration::from_secs(5))?;
    let responses = Responses::default();
    let during = responses.during(&server, &token, RECURRING_PATH, ANALYSES, || health.measure(DURATION))?;
    let mut outcome = Outcome::default();
    outcome.figure("/health, quiet: 99th percentile", quiet.percentile(0.99), "ms");
    outcome.at_most(
        "/health, meanwhile: 99th percentile",
        during.percentile(0.99),
        "ms",
        HEALTH_MILLISECONDS_MAX,
    );
    outcome.at_most("/health, meanwhile: failed requests", f64::from(during.failures), "", 0.0);
    responses.figures(&mut outcome);
    outcome.at_most(
        "largest memory of the server",
        resident_peak(&server)? / BYTES_PER_MEGABYTE,
        "MB",
        MEMORY_MAX,
    );
    server.stop()?;
    Ok(outcome)
}
