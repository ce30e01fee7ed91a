//! Load on an HTTP server: as many requests as possible, requests at a fixed rate, or one after the other.

use std::thread;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::http::{Connection, Request, SharedConnection};
use crate::command::print_line;

/// Number of threads that send as many requests as possible, which is also that of `pgbench`. A thread for each connection
/// would cost more processor time than the requests.
const THREADS: u32 = 2;

/// The result of a load.
#[derive(Debug)]
pub(super) struct Load {
    /// Responses per second.
    pub(super) rate: f64,
    /// Number of responses.
    pub(super) responses: u32,
    /// Time from request to response, ascending.
    latencies: Vec<Duration>,
}

impl Load {
    /// Returns a percentile of the latencies, in milliseconds. `share` is from 0 to 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of the list")]
    pub(super) fn percentile(&self, share: f64) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        let index = (f64::from(u32::try_from(last).unwrap_or(u32::MAX)) * share).round() as usize;
        self.latencies.get(index).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1000.0)
    }
}

/// Sends requests over `connections` connections for `duration`, each as soon as the response before it has arrived.
pub(super) fn saturate(request: &Request, connections: u32, duration: Duration) -> Result<Load, String> {
    let started = Instant::now();
    let shared = |thread: u32| -> Result<Vec<Duration>, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("runtime: {error}"))?;
        let of_thread = (connections + thread) / THREADS;
        runtime.block_on(async {
            let mut repeated = JoinSet::new();
            for _ in 0..of_thread {
                repeated.spawn(repeat(request.clone(), started, duration));
            }
            Ok(repeated.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
        })
    };
    let latencies = on_threads(THREADS, shared)?;
    Ok(load(latencies, started.elapsed()))
}

/// Sends a request over a connection of its own until `duration` has passed. Returns the latencies.
async fn repeat(request: Request, started: Instant, duration: Duration) -> Result<Vec<Duration>, String> {
    let mut connection = SharedConnection::open(&request).await?;
    let mut latencies = Vec::new();
    while started.elapsed() < duration {
        let sent = Instant::now();
        connection.exchange(&request).await?;
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

/// Sends `rate` requests per second over `connections` connections. A request that has to wait for the response before
/// it is measured from the moment at which it was due. Each connection has a thread, because timers of an event loop
/// would send requests together.
pub(super) fn at_rate(
    request: &Request,
    connections: u32,
    duration: Duration,
    rate: f64,
) -> Result<Load, String> {
    let started = Instant::now();
    let interval = Duration::from_secs_f64(f64::from(connections) / rate);
    let regular = |number: u32| -> Result<Vec<Duration>, String> {
        let mut connection = Connection::open(request)?;
        let mut latencies = Vec::new();
        // The connections take turns, so that the requests are spread evenly.
        let mut due = started + interval * number / connections;
        while started.elapsed() < duration {
            let mut sent = Instant::now();
            if let Some(early) = due.checked_duration_since(sent) {
                thread::sleep(early);
                sent = Instant::now();
            } else {
                sent = due;
            }
            due += interval;
            connection.exchange(request)?;
            latencies.push(sent.elapsed());
        }
        Ok(latencies)
    };
    let latencies = on_threads(connections, regular)?;
    Ok(load(latencies, started.elapsed()))
}

/// Runs `work` with each number below `threads` on a thread of its own. Returns the latencies of all.
fn on_threads(
    threads: u32,
    work: impl Fn(u32) -> Result<Vec<Duration>, String> + Sync,
) -> Result<Vec<Duration>, String> {
    let work = &work;
    let results: Vec<Result<Vec<Duration>, String>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|number| scope.spawn(move || work(number))).collect();
        let joined =
            threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked".to_owned()));
        joined.map(Result::flatten).collect()
    });
    Ok(results.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// Sends `count` requests, one after the other, over one connection.
fn sequence(request: &Request, count: u32) -> Result<Load, String> {
    let mut connection = Connection::open(request)?;
    let started = Instant::now();
    let mut latencies = Vec::new();
    for _ in 0..count {
        let sent = Instant::now();
        connection.exchange(request)?;
        latencies.push(sent.elapsed());
    }
    Ok(load(latencies, started.elapsed()))
}

/// Returns the median latency of `count` requests, one after the other, in milliseconds. If a request fails, its error
/// is printed and the result is not a number, which meets no bound.
pub(super) fn median_latency(request: &Request, count: u32) -> f64 {
    match sequence(request, count) {
        Ok(load) => load.percentile(0.5),
        Err(problem) => {
            print_line(&format!("  FAILED: {problem}"));
            f64::NAN
        }
    }
}

fn load(mut latencies: Vec<Duration>, elapsed: Duration) -> Load {
    latencies.sort();
    let responses = u32::try_from(latencies.len()).unwrap_or(u32::MAX);
    Load { rate: f64::from(responses) / elapsed.as_secs_f64(), responses, latencies }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_list() {
        let load = load((1..=101).map(Duration::from_millis).collect(), Duration::from_secs(1));
        assert_eq!((load.percentile(0.0), load.percentile(0.5), load.percentile(0.99)), (1.0, 51.0, 100.0));
        assert!((load.rate - 101.0).abs() < 0.001);
    }
}
