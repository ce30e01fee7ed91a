//! Clients that send requests all the time, and what they see.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::connection::{Connection, Response};

/// Number of clients. All are of one user, who has concurrent requests for half of the database connections.
pub(super) const CLIENTS: usize = 12;
/// Usual pause of a client between two requests, which leaves time for the database.
pub(super) const PAUSE: Duration = Duration::from_millis(2);
const PATHS: [&str; 4] = [
    "/v1/me",
    "/v1/transactions?pageSize=20",
    "/v1/cashflow/summary?timeRange=1y",
    "/v1/spending/categories?timeRange=1y",
];

/// Running clients.
pub(super) struct Load {
    shared: Arc<Shared>,
    clients: Vec<JoinHandle<()>>,
}

struct Shared {
    is_over: AtomicBool,
    /// Number of responses with status 200 since the last other one.
    streak: AtomicUsize,
    seen: Mutex<Seen>,
}

/// The responses of an experiment.
#[derive(Default)]
pub(super) struct Seen {
    counts: BTreeMap<u16, usize>,
    slowest: Duration,
    problem: Option<String>,
}

impl Load {
    /// Starts the clients. Each path is requested once before, so that later bodies can be compared.
    pub(super) fn start(base: &str, token: &str, pause: Duration) -> Result<Load, String> {
        let mut connection = Connection::open(base)?;
        let mut expected = Vec::new();
        for path in PATHS {
            match connection.get(path, token)? {
                Response { status: 200, body, .. } => expected.push(body),
                response => return Err(format!("before the fault, {path}: {response:?}")),
            }
        }
        let shared = Arc::new(Shared {
            is_over: AtomicBool::new(false),
            streak: AtomicUsize::new(0),
            seen: Mutex::default(),
        });
        let clients = (0..CLIENTS).map(|client| {
            let (shared, base, token, expected) =
                (shared.clone(), base.to_owned(), token.to_owned(), expected.clone());
            std::thread::spawn(move || {
                if let Err(problem) = shared.send(client, &base, &token, &expected, pause) {
                    shared.report(problem);
                }
            })
        });
        let clients = clients.collect();
        Ok(Load { shared, clients })
    }

    pub(super) fn streak(&self) -> usize {
        self.shared.streak.load(Ordering::Relaxed)
    }

    pub(super) fn reset_streak(&self) {
        self.shared.streak.store(0, Ordering::Relaxed);
    }

    /// Stops the clients after their last response.
    pub(super) fn stop(self) -> Result<Seen, String> {
        self.shared.is_over.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.join().map_err(|_| "a client panicked".to_owned())?;
        }
        Ok(std::mem::take(&mut *self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Shared {
    /// Sends requests over one connection until the end.
    fn send(
        &self,
        client: usize,
        base: &str,
        token: &str,
        expected: &[String],
        pause: Duration,
    ) -> Result<(), String> {
        let mut connection = Connection::open(base)?;
        let mut number = client;
        while !self.is_over.load(Ordering::Relaxed) {
            let started = Instant::now();
            let response = connection.get(PATHS[number % PATHS.len()], token)?;
            self.record(&response, &expected[number % PATHS.len()], started.elapsed());
            number += 1;
            std::thread::sleep(pause);
        }
        Ok(())
    }

    fn record(&self, response: &Response, expected: &str, taken: Duration) {
        match response.status {
            200 if response.body == expected => {
                self.streak.fetch_add(1, Ordering::Relaxed);
            }
            200 => self.report(format!("a wrong body: {}", response.body)),
            status => {
                self.streak.store(0, Ordering::Relaxed);
                if status == 503 && !response.has_retry_after {
                    self.report("a response with status 503 has no Retry-After".to_owned());
                }
            }
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen.counts.entry(response.status).or_default() += 1;
        seen.slowest = seen.slowest.max(taken);
    }

    fn report(&self, problem: String) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).problem.get_or_insert(problem);
    }
}

impl Seen {
    pub(super) fn statuses(&self) -> impl Iterator<Item = u16> {
        self.counts.keys().copied()
    }

    /// Returns the first problem that no experiment may have.
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (status, count) in &self.counts {
            write!(f, "{count} × {status}, ")?;
        }
        write!(f, "slowest {} ms", self.slowest.as_millis())
    }
}
