//! Honest clients: requests at a fixed rate, and the time that each takes.

use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

use crate::connection::{Connection, Response};

/// Number of clients. The last opens a connection for each request.
const CLIENTS: usize = 8;
/// Requests per second of all clients together. 50 people share them, so each stays within the default rate limits.
const RATE: f64 = 100.0;

/// The honest clients of a scenario.
pub(crate) struct Honest<'a> {
    pub(crate) base: &'a str,
    /// The path of the requests below the base address.
    pub(crate) path: &'static str,
    /// The tokens, which the requests use one after the other.
    pub(crate) tokens: &'a [String],
    /// The address of the clients.
    pub(crate) from: Ipv4Addr,
}

/// The responses that the clients have got.
#[derive(Default)]
pub(crate) struct Seen {
    /// Time from the moment at which a request was due to its response, ascending, in milliseconds.
    latencies: Vec<f64>,
    /// Requests without a response of status 200.
    pub(crate) failures: u32,
    pub(crate) first_failure: Option<String>,
}

impl Honest<'_> {
    /// Sends requests for `duration`.
    pub(crate) fn measure(&self, duration: Duration) -> Result<Seen, String> {
        let started = Instant::now();
        let clients = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|number| scope.spawn(move || self.client(number, started, duration)))
                .collect();
            clients
                .into_iter()
                .map(|client| client.join().map_err(|_| "a client panicked".to_owned()))
                .collect::<Vec<_>>()
        });
        let mut seen = Seen::default();
        for client in clients {
            let client = client?;
            seen.latencies.extend(client.latencies);
            seen.failures += client.failures;
            seen.first_failure = seen.first_failure.or(client.first_failure);
        }
        seen.latencies.sort_by(f64::total_cmp);
        Ok(seen)
    }

    fn client(&self, number: usize, started: Instant, duration: Duration) -> Seen {
        let interval = Duration::from_secs_f64(CLIENTS as f64 / RATE);
        let mut due = started + interval.mul_f64(number as f64 / CLIENTS as f64);
        let mut seen = Seen::default();
        let mut connection = None;
        let mut request = number;
        while started.elapsed() < duration {
            if let Some(early) = due.checked_duration_since(Instant::now()) {
                thread::sleep(early);
            }
            let token = self.tokens.get(request % self.tokens.len().max(1)).map_or("", String::as_str);
            match self.send(&mut connection, token) {
                Ok(()) => seen.latencies.push(due.elapsed().as_secs_f64() * 1000.0),
                Err(problem) => {
                    connection = None;
                    seen.failures += 1;
                    seen.first_failure.get_or_insert(problem);
                }
            }
            if number + 1 == CLIENTS {
                connection = None;
            }
            request += CLIENTS;
            due += interval;
        }
        seen
    }

    /// Sends a request over the open connection, or over a new one. As every HTTP client does, it repeats a request once if
    /// the server has closed a connection that was idle (RFC 9110 section 9.2.2).
    fn send(&self, connection: &mut Option<Connection>, token: &str) -> Result<(), String> {
        if let Some(open) = connection
            && let Ok(response) = open.get(self.path, token)
        {
            return checked(&response);
        }
        let mut open = Connection::open_from(self.base, self.from)?;
        let response = open.get(self.path, token)?;
        *connection = Some(open);
        checked(&response)
    }
}

fn checked(response: &Response) -> Result<(), String> {
    if response.status == 200 { Ok(()) } else { Err(format!("{}: {}", response.status, response.body)) }
}

impl Seen {
    /// Returns the number of requests with a response of status 200.
    pub(crate) fn count(&self) -> usize {
        self.latencies.len()
    }

    /// Returns a percentile of the latencies, in milliseconds. `share` is from 0 to 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of the list")]
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
    }
}
