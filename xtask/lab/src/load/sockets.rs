//! Hostile sockets: clients that never read, idle connections, expensive messages, and the program slowhttptest.

use std::net::Ipv4Addr;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::attack::{Attack, Totals, attacker};
use super::frames::Flood;
use super::honest::{Honest, Seen};
use super::metrics::{BYTES_PER_MEGABYTE, Fullest, Metrics, fullest, resident, resident_peak};
use super::setting::Setting;
use crate::bench::cpu;
use crate::bench::figures::Outcome;
use crate::command::print_line;
use crate::connection::Connection;
use crate::server::Server;

/// Duration of each measurement of honest clients.
const DURATION: Duration = Duration::from_secs(30);
/// The path of the responses that hostile clients request and do not read.
const UNREAD_PATH: &str = "/openapi.json";
/// The default of `PASSBOOK_WRITE_SECONDS`.
const WRITE_SECONDS: u64 = 30;
/// The value of this setting during floods of frames.
const WRITE_SECONDS_OF_FLOODS: u64 = 5;
/// Bytes of a response for which it has one second more to leave.
const WRITE_BYTES_PER_SECOND: u64 = 8 * 1024;
/// Time of an attack after the server had to close the first connections of it.
const AFTER_DEADLINE: Duration = Duration::from_secs(15);
/// Minimum part of the held sockets whose deadline the server must enforce. The others were closed in favour of honest
/// clients.
const LATE_MIN: f64 = 0.9;
/// Time limit for the end of all hostile connections after an attack.
const END_SECONDS_MAX: u64 = 120;
/// Connections of honest clients that may still be open.
const HONEST_CONNECTIONS_MAX: f64 = 16.0;
/// The counter of connections that the server closed because they missed a deadline.
const LATE: &str = "passbook_connections_late_total";
/// Honest clients must see at most this multiple of the quiet latency.
pub(super) const SLOWDOWN_MAX: f64 = 2.0;
/// Maximum processor time of a request whose grant is not known, in milliseconds.
const CALL_MILLISECONDS_MAX: f64 = 5.0;
/// Number of connections of a flood of frames at the same time.
const CONNECTIONS_OF_FLOOD: &str = "32";
/// Minimum number of connections of a flood that the server closes: each at least once.
const CLOSED_MIN: f64 = 32.0;
/// Maximum growth of the server's memory by a flood of frames, in MiB.
const FRAMES_GROWTH_MAX: f64 = 32.0;
const BYTES_PER_MEBIBYTE: f64 = 1024.0 * 1024.0;
const BYTES_PER_KIBIBYTE: f64 = 1024.0;

/// Returns the honest clients of a server, from an address.
pub(super) fn honest<'a>(setting: &'a Setting, server: &'a Server, from: Ipv4Addr) -> Honest<'a> {
    Honest { base: server.base(), path: "/v1/me", tokens: &setting.honest, from }
}

/// Returns host and port of a server.
pub(crate) fn host(server: &Server) -> &str {
    server.base().trim_start_matches("http://").trim_end_matches("/api")
}

/// Adds the latency of honest clients without and with an attack to the figures.
pub(super) fn compare(outcome: &mut Outcome, quiet: &Seen, during: &Seen) {
    outcome.figure("honest clients, quiet: median", quiet.percentile(0.5), "ms");
    outcome.figure("honest clients, quiet: 99th percentile", quiet.percentile(0.99), "ms");
    outcome.figure("honest clients, meanwhile: median", during.percentile(0.5), "ms");
    outcome.figure("honest clients, meanwhile: slowest of all", during.percentile(1.0), "ms");
    outcome.at_most(
        "honest clients, meanwhile: 99th percentile",
        during.percentile(0.99),
        "ms",
        SLOWDOWN_MAX * quiet.percentile(0.99),
    );
    if let Some(failure) = &during.first_failure {
        print_line(&format!("  the first failure: {failure}"));
    }
    outcome.at_most("honest clients, meanwhile: failed requests", f64::from(during.failures), "", 0.0);
}

/// The figures of an attack on sockets.
struct Attacked {
    quiet: Seen,
    during: Seen,
    before: Metrics,
    after: Metrics,
    resident_before: f64,
    /// Processor time of the server during the attack, in seconds.
    processor_seconds: f64,
    fullest: Fullest,
    totals: Totals,
}

/// Returns the time after which the server closes a connection whose client does not read a response, and a while.
fn beyond_write_deadline(server: &Server, write_seconds: u64) -> Result<Duration, String> {
    let response = Connection::open(server.base())?.get(UNREAD_PATH, "")?;
    let seconds = write_seconds + response.body.len() as u64 / WRITE_BYTES_PER_SECOND;
    Ok(Duration::from_secs(seconds) + AFTER_DEADLINE)
}

/// Measures honest clients without attackers, and for `duration` with them.
fn attacked(
    setting: &Setting,
    server: &Server,
    duration: Duration,
    start: impl FnOnce() -> Result<Attack, String>,
) -> Result<Attacked, String> {
    let clients = honest(setting, server, Ipv4Addr::LOCALHOST);
    clients.measure(Duration::from_secs(2))?;
    let quiet = clients.measure(DURATION)?;
    let (before, resident_before) = (Metrics::of(server)?, resident(server)?);
    let processor = cpu::of_process(server.process())?;
    let attack = start()?;
    let is_over = AtomicBool::new(false);
    let (during, fullest) = std::thread::scope(|scope| {
        let sampled = scope.spawn(|| fullest(server, &is_over));
        let during = clients.measure(duration);
        is_over.store(true, Ordering::Relaxed);
        (during, sampled.join().map_err(|_| "the sampling panicked".to_owned()))
    });
    let after = Metrics::of(server)?;
    let processor_seconds = cpu::of_process(server.process())? - processor;
    let totals = attack.stop()?;
    Ok(Attacked {
        quiet,
        during: during?,
        before,
        after,
        resident_before,
        processor_seconds,
        fullest: fullest??,
        totals,
    })
}

impl Attacked {
    /// Returns the growth of a counter during the attack.
    fn growth(&self, counter: &str) -> f64 {
        self.after.value(counter) - self.before.value(counter)
    }

    fn sockets(&self, outcome: &mut Outcome) {
        outcome.figure("sockets attempted", self.totals.value("attempted"), "");
        outcome.figure("sockets held at the same time", self.fullest.connections, "");
        let refused = self.growth("passbook_connections_refused_total");
        outcome.figure("sockets refused: their address had 256", refused, "");
        let evicted = self.growth("passbook_connections_evicted_total");
        outcome.figure("sockets closed: all places were taken", evicted, "");
        let late = self.growth(LATE);
        outcome.figure("sockets closed: a time limit", late, "");
        let memory = (self.fullest.resident - self.resident_before) / self.fullest.connections.max(1.0);
        outcome.figure("memory per held socket", memory / BYTES_PER_KIBIBYTE, "KiB");
    }
}

/// Measures the time until the server has closed every hostile connection, and honest clients after that.
fn normal_again(setting: &Setting, server: &Server, outcome: &mut Outcome) -> Result<(), String> {
    let ended = Instant::now();
    while Metrics::of(server)?.value("passbook_connections_open") > HONEST_CONNECTIONS_MAX {
        if ended.elapsed() > Duration::from_secs(END_SECONDS_MAX) {
            return Err(format!("connections remain open after {END_SECONDS_MAX} s"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    outcome.figure("time until all hostile sockets were closed", ended.elapsed().as_secs_f64(), "s");
    let afterwards = honest(setting, server, Ipv4Addr::LOCALHOST).measure(Duration::from_secs(5))?;
    outcome.figure("honest clients, afterwards: 99th percentile", afterwards.percentile(0.99), "ms");
    outcome.at_most("honest clients, afterwards: failed requests", f64::from(afterwards.failures), "", 0.0);
    outcome.figure("largest memory of the server", resident_peak(server)? / BYTES_PER_MEGABYTE, "MB");
    Ok(())
}

/// The figures of an attack that holds sockets: honest clients without and with it, the sockets, and whether all is as
/// before.
fn held(
    setting: &Setting,
    server: Server,
    attacked: &Attacked,
    mut outcome: Outcome,
) -> Result<Outcome, String> {
    compare(&mut outcome, &attacked.quiet, &attacked.during);
    attacked.sockets(&mut outcome);
    normal_again(setting, &server, &mut outcome)?;
    server.stop()?;
    Ok(outcome)
}

/// Clients without a token that pipeline requests and never read: 1,024 at the same time, from 8 addresses. The attack
/// lasts until the server has closed their connections itself.
pub(super) fn unread(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&[])?;
    let duration = beyond_write_deadline(&server, WRITE_SECONDS)?;
    let start = || Attack::start(4, 2, "unread", &[host(&server), "128"]);
    let attacked = attacked(setting, &server, duration, start)?;
    let mut outcome = Outcome::default();
    outcome.figure("duration of the attack", duration.as_secs_f64(), "s");
    let (late, held_sockets) = (attacked.growth(LATE), attacked.fullest.connections);
    outcome.at_least(
        "sockets that the server closed at their write deadline",
        late,
        "",
        LATE_MIN * held_sockets,
    );
    held(setting, server, &attacked, outcome)
}

/// 20,000 attempts to open a connection that sends nothing, from 20 addresses within 20 s.
pub(super) fn idle(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&[])?;
    let start = || Attack::start(5, 4, "idle", &[host(&server), "1000"]);
    let attacked = attacked(setting, &server, DURATION, start)?;
    held(setting, server, &attacked, Outcome::default())
}

/// Tool calls of 256 KiB with unknown arguments, with a revoked token.
pub(super) fn calls(setting: &Setting) -> Result<Outcome, String> {
    let server = setting.serve(&[])?;
    let token = setting.token("heavy")?;
    setting.revoke_tokens("heavy")?;
    let start = || Attack::start(1, 1, "calls", &[host(&server), "4", &token]);
    let attacked = attacked(setting, &server, DURATION, start)?;
    let mut outcome = Outcome::default();
    compare(&mut outcome, &attacked.quiet, &attacked.during);
    let answered = attacked.totals.value("responses");
    outcome.figure("hostile calls answered", answered, "");
    let each = attacked.processor_seconds * 1000.0 / answered.max(1.0);
    outcome.at_most(
        "processor time of the server for each, with honest requests",
        each,
        "ms",
        CALL_MILLISECONDS_MAX,
    );
    outcome.at_most(
        "longest response to a hostile call",
        attacked.totals.value("bytes_max"),
        "bytes",
        8192.0,
    );
    normal_again(setting, &server, &mut outcome)?;
    server.stop()?;
    Ok(outcome)
}

/// Floods of HTTP/2 frames, each over 32 connections at the same time. The server must close every connection with the code
/// for a client that causes excessive load (RFC 9113 sections 7 and 10.5).
pub(super) fn frames(setting: &Setting) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    for (name, flood) in Flood::ALL {
        let write_seconds = WRITE_SECONDS_OF_FLOODS.to_string();
        let server = setting.serve(&[("PASSBOOK_WRITE_SECONDS", &write_seconds)])?;
        let duration = match flood {
            Flood::ZeroWindow => beyond_write_deadline(&server, WRITE_SECONDS_OF_FLOODS)?,
            Flood::RapidReset | Flood::Continuation | Flood::ErrorReset => DURATION,
        };
        let start = || Attack::start(1, 1, name, &[host(&server), CONNECTIONS_OF_FLOOD]);
        let attacked = attacked(setting, &server, duration, start)?;
        let growth = (resident_peak(&server)? - attacked.resident_before) / BYTES_PER_MEBIBYTE;
        let mut part = Outcome::default();
        part.figure("connections", attacked.totals.value("connected"), "");
        let closed = attacked.totals.value("closed");
        part.at_least("closed", closed, "", CLOSED_MIN);
        part.at_least("closed with ENHANCE_YOUR_CALM", attacked.totals.value("goaway"), "", closed);
        part.at_most("growth of the server's memory", growth, "MiB", FRAMES_GROWTH_MAX);
        let failures = f64::from(attacked.during.failures);
        part.at_most("honest clients, meanwhile: failed requests", failures, "", 0.0);
        outcome.add(name, part);
        server.stop()?;
    }
    Ok(outcome)
}

/// The attacks of the program slowhttptest, each with 1,000 connections. The program cannot choose its address, so the
/// honest clients have 127.0.0.2.
pub(super) fn slowhttptest(setting: &Setting) -> Result<Outcome, String> {
    crate::debian::find("slowhttptest", "slowhttptest")?;
    let server = setting.serve(&[])?;
    let clients = honest(setting, &server, Ipv4Addr::new(127, 0, 0, 2));
    clients.measure(Duration::from_secs(2))?;
    let mut outcome = Outcome::default();
    for (name, arguments) in [
        ("headers", &["-H", "-i", "5", "-x", "24", "-p", "3", "-u", "/api/health"][..]),
        ("body", &["-B", "-i", "5", "-s", "200000", "-x", "10", "-p", "3", "-u", "/api/mcp"]),
        (
            "read",
            &[
                "-X",
                "-w",
                "10",
                "-y",
                "20",
                "-n",
                "5",
                "-z",
                "32",
                "-k",
                "3",
                "-p",
                "3",
                "-u",
                "/api/openapi.json",
            ],
        ),
    ] {
        let quiet = clients.measure(DURATION)?;
        let before = Metrics::of(&server)?.value("passbook_connections_refused_total");
        let attack = Slowhttptest::start(&server, arguments)?;
        let is_over = AtomicBool::new(false);
        let (during, fullest) = std::thread::scope(|scope| {
            let sampled = scope.spawn(|| fullest(&server, &is_over));
            let during = clients.measure(DURATION);
            is_over.store(true, Ordering::Relaxed);
            (during, sampled.join().map_err(|_| "the sampling panicked".to_owned()))
        });
        drop(attack);
        let during = during?;
        let mut part = Outcome::default();
        compare(&mut part, &quiet, &during);
        part.figure("sockets held at the same time", fullest??.connections, "");
        let refused = Metrics::of(&server)?.value("passbook_connections_refused_total") - before;
        part.figure("sockets refused: their address had 256", refused, "");
        outcome.add(name, part);
    }
    normal_again(setting, &server, &mut outcome)?;
    server.stop()?;
    Ok(outcome)
}

/// A running slowhttptest. Dropping it kills the process.
struct Slowhttptest(Child);

impl Slowhttptest {
    /// The last of the arguments is the path.
    fn start(server: &Server, arguments: &[&str]) -> Result<Slowhttptest, String> {
        let (path, arguments) = arguments.split_last().ok_or("no path")?;
        let url = format!("http://{}{path}", host(server));
        let mut command = attacker("slowhttptest");
        command.args(["-c", "1000", "-r", "200", "-l", "60"]).args(arguments).arg(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Slowhttptest).map_err(|error| format!("chrt: {error}"))
    }
}

impl Drop for Slowhttptest {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
