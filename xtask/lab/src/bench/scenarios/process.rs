//! The server as a process: latency at half of the saturated rate, memory with idle connections, and the first answer of
//! the demo.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::super::cpu;
use super::super::data::{PERSON, STANDARD};
use super::super::figures::{Outcome, median};
use super::super::http::{Connection, Request};
use super::super::load;
use super::super::setting::{CONNECTIONS, Setting};
use crate::server::Server;

/// Number of connections that are open and idle.
const IDLE_CONNECTIONS: usize = 1000;
const BYTES_PER_MEGABYTE: f64 = 1e6;
/// Time between the last request and the measurement of memory, in seconds.
const IDLE_SECONDS: u64 = 2;

/// Latency of the page at half of the saturated rate.
pub(super) fn latency(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get("/v1/transactions?pageSize=50")?;
    served.warm_up(&request)?;
    let duration = setting.options.duration;
    let (mut rates, mut medians, mut tails, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..setting.options.rounds {
        let saturated = load::saturate(&request, CONNECTIONS, duration)?.rate;
        let half = load::at_rate(&request, CONNECTIONS, duration, saturated / 2.0)?;
        let (middle, tail) = (half.percentile(0.5), half.percentile(0.99));
        rates.push(half.rate);
        medians.push(middle);
        tails.push(tail);
        ratios.push(tail / middle);
    }
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.figure("half of the saturated rate", median(rates), "/s");
    outcome.figure("median latency at that rate", median(medians), "ms");
    outcome.figure("99th percentile at that rate", median(tails), "ms");
    outcome.at_most("99th percentile against the median", median(ratios), "×", 5.0);
    Ok(outcome)
}

/// Resident memory with idle connections, each of which has sent a request.
pub(super) fn memory(setting: &Setting) -> Result<Outcome, String> {
    let served = setting.serve(STANDARD, PERSON)?;
    let request = served.get("/v1/transactions?pageSize=50")?;
    served.warm_up(&request)?;
    let process = served.server.process();
    let before = resident(process)?;
    let mut connections = Vec::new();
    for _ in 0..IDLE_CONNECTIONS {
        let mut connection = Connection::open(&request)?;
        connection.exchange(&request)?;
        connection.release_buffer();
        connections.push(connection);
    }
    thread::sleep(Duration::from_secs(IDLE_SECONDS));
    let idle = resident(process)?;
    drop(connections);
    served.stop()?;
    let mut outcome = Outcome::default();
    outcome.figure("resident memory after load, without idle connections", before, "MB");
    outcome.at_most("resident memory with 1,000 idle connections", idle, "MB", 40.0);
    Ok(outcome)
}

#[expect(clippy::cast_precision_loss, reason = "the memory of a process is far below 2^53 bytes")]
fn resident(process: u32) -> Result<f64, String> {
    Ok(cpu::resident_bytes(process)? as f64 / BYTES_PER_MEGABYTE)
}

/// Time from the start of `passbook-server --demo` to the end of its first answer.
pub(super) fn demo(setting: &Setting) -> Result<Outcome, String> {
    let data = setting.work.join("demo");
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for _ in 0..setting.options.rounds {
        if data.exists() {
            std::fs::remove_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
        }
        first.push(first_answer(setting, &data)?);
        later.push(first_answer(setting, &data)?);
    }
    let mut outcome = Outcome::default();
    outcome.figure("first answer of --demo, in a folder of an earlier run", median(later), "s");
    outcome.at_most("first answer of --demo, in a new folder", median(first), "s", 3.0);
    Ok(outcome)
}

fn first_answer(setting: &Setting, data: &Path) -> Result<f64, String> {
    let environment =
        [("PASSBOOK_DATA_DIR", data.to_path_buf()), ("XDG_CONFIG_HOME", setting.work.join("settings"))];
    let program = setting.program("passbook-server");
    let started = Instant::now();
    let server = Server::start_with_log(&program, &["--demo"], &environment, Stdio::null())?;
    let token = server.token().ok_or("the demo printed no token")?.to_owned();
    let request = Request::get(server.base(), "/v1/cashflow/summary?timeRange=1m", &token)?;
    Connection::open(&request)?.exchange(&request)?;
    let seconds = started.elapsed().as_secs_f64();
    server.stop()?;
    Ok(seconds)
}
