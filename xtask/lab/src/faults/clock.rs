//! Steps of the server's clock, by the library `libfaketime`. PostgreSQL keeps the time.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::provider::{CLIENT, KEY, Provider};
use super::setting::Setting;
use crate::command::write;
use crate::connection::Connection;

const HOUR: i64 = 3_600;
const YEAR: i64 = 366 * 24 * HOUR;
/// Requests per minute of a client, and how many may come at once.
const RATE: &str = "600";
const BURST: usize = 200;
const REQUESTS_PER_SECOND: f64 = 10.0;
/// Requests directly after a step, and how many may be served besides those that the time of the requests allows.
const REQUESTS: usize = 50;
const ALLOWED_MAX: f64 = 5.0;
/// Time in which the rate allows a request again.
const REFILL: Duration = Duration::from_secs(1);
const PATH: &str = "/v1/me";

/// Returns the library, which is downloaded if it is missing.
pub(super) fn library(root: &Path) -> Result<String, String> {
    let path = format!("usr/lib/{}-linux-gnu/faketime/libfaketimeMT.so.1", std::env::consts::ARCH);
    crate::debian::unpack("libfaketime", &path, &root.join("target/tools"))
}

/// Steps of an hour and a year, forward and back. A token is valid by the time of the server, a rate limit by the time that
/// has passed.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let library = match library(setting.root) {
        Ok(library) => library,
        Err(problem) => return Ok(format!("not tried: libfaketime is missing. {problem}")),
    };
    let clock = setting.work.join("clock");
    step(&clock, 0)?;
    let provider = Provider::start(setting)?;
    let path = clock.display().to_string();
    let server = setting.serve(&[
        ("LD_PRELOAD", &library),
        ("FAKETIME_TIMESTAMP_FILE", &path),
        ("FAKETIME_NO_CACHE", "1"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ("PASSBOOK_RATE_LIMIT_USER", "0"),
        ("PASSBOOK_RATE_LIMIT_CLIENT", RATE),
        ("PASSBOOK_OIDC_ISSUER", &provider.issuer()),
        Provider::SETTINGS,
    ])?;
    let status = |token: &str| Connection::open(server.base())?.get(PATH, token).map(|reply| reply.status);
    let issued = provider.token(CLIENT, KEY, 0)?;
    expect(status(&issued)?, 200, "an access token before the steps")?;
    let mut allowed = Vec::new();
    for (number, seconds) in (1..).zip([HOUR, -HOUR, YEAR, -YEAR]) {
        let mut connection = Connection::open(server.base())?;
        let mut served = || -> Result<usize, String> {
            let mut served = 0;
            for _ in 0..REQUESTS {
                match connection.get(PATH, setting.token)?.status {
                    200 => served += 1,
                    429 => {}
                    status => return Err(format!("{seconds} s: status {status}")),
                }
            }
            Ok(served)
        };
        // Requests at more than the rate, until the limit answers them.
        for _ in 0..=2 * BURST / REQUESTS {
            served()?;
        }
        step(&clock, seconds)?;
        let started = Instant::now();
        let more = served()?;
        if more as f64 > ALLOWED_MAX + REQUESTS_PER_SECOND * started.elapsed().as_secs_f64() {
            return Err(format!("{seconds} s: {more} of {REQUESTS} requests beyond the rate are served"));
        }
        allowed.push(more.to_string());
        // A token that was verified before a step back stays valid: the server remembers it for up to 5 minutes.
        let unseen = provider.token(CLIENT, KEY, number)?;
        expect(status(&unseen)?, 401, &format!("{seconds} s: an access token of another time"))?;
        let current = provider.token(CLIENT, KEY, seconds)?;
        expect(status(&current)?, 200, &format!("{seconds} s: an access token of this time"))?;
        sleep(REFILL);
        expect(
            status(setting.token)?,
            200,
            &format!("{seconds} s: a personal access token, a second later"),
        )?;
        expect(Connection::open(server.base())?.get("/ready", "")?.status, 200, "/ready")?;
        step(&clock, 0)?;
        expect(status(&issued)?, 200, &format!("{seconds} s: an access token after the step back"))?;
    }
    server.stop()?;
    Ok(format!(
        "an hour and a year, forward and back: access tokens 401 and 200 by the server's time, personal tokens 200, {} of \
         {REQUESTS} requests beyond the rate served",
        allowed.join(", ")
    ))
}

fn expect(status: u16, expected: u16, what: &str) -> Result<(), String> {
    if status == expected { Ok(()) } else { Err(format!("{what} has status {status}, not {expected}")) }
}

/// Sets the distance of the server's clock from the system's, in seconds. The file is replaced as one step.
fn step(clock: &PathBuf, seconds: i64) -> Result<(), String> {
    let next = clock.with_extension("next");
    write(&next, &format!("{seconds:+}\n"))?;
    std::fs::rename(&next, clock).map_err(|error| format!("{}: {error}", clock.display()))
}
