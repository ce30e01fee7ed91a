//! Clients that send requests all the time and remember every response with its moment.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::connection::Connection;

const CLIENTS: usize = 8;
/// Pause of a client between two requests, in milliseconds.
const PAUSE_MILLISECONDS: u64 = 4;
/// Time without other statuses after which the service counts as full.
const FULL_SERVICE: Duration = Duration::from_millis(500);
const PATHS: [&str; 3] = ["/v1/me", "/v1/transactions?pageSize=20", "/v1/cashflow/summary?timeRange=1y"];

/// The responses of all clients.
#[derive(Default)]
pub(super) struct Watch {
    responses: Mutex<Vec<Response>>,
}

#[derive(Clone, Copy)]
struct Response {
    sent: Instant,
    arrived: Instant,
    /// 0 for a connection that failed.
    status: u16,
    has_retry_after: bool,
}

impl Watch {
    /// Runs the clients while `experiment` runs.
    pub(super) fn during<T>(
        &self,
        base: &str,
        token: &str,
        experiment: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let is_over = &is_over;
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        self.client(base, token, client, is_over);
                    }
                });
            }
            let result = experiment();
            is_over.store(true, Ordering::Relaxed);
            result
        })
    }

    fn client(&self, base: &str, token: &str, client: usize, is_over: &AtomicBool) {
        let Ok(mut connection) = Connection::open(base) else {
            let now = Instant::now();
            return self.record(Response { sent: now, arrived: now, status: 0, has_retry_after: false });
        };
        let mut number = client;
        while !is_over.load(Ordering::Relaxed) {
            let sent = Instant::now();
            let response = connection.get(PATHS[number % PATHS.len()], token);
            let (status, has_retry_after) =
                response.as_ref().map_or((0, false), |response| (response.status, response.has_retry_after));
            self.record(Response { sent, arrived: Instant::now(), status, has_retry_after });
            if response.is_err() {
                return;
            }
            number += 1;
            std::thread::sleep(Duration::from_millis(PAUSE_MILLISECONDS));
        }
    }

    fn record(&self, response: Response) {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).push(response);
    }

    fn all(&self) -> Vec<Response> {
        let mut responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner).clone();
        responses.sort_by_key(|response| response.arrived);
        responses
    }

    /// Returns the moment of the first response with status 200 to a request after `since`.
    pub(super) fn first_success(&self, since: Instant) -> Option<Instant> {
        let all = self.all();
        all.iter()
            .find(|response| response.status == 200 && response.sent >= since)
            .map(|found| found.arrived)
    }

    /// Returns the moment after `since` from which every response had status 200 for a while.
    pub(super) fn full_service(&self, since: Instant) -> Option<Instant> {
        let all = self.all();
        let last_failure =
            all.iter().rev().find(|response| response.status != 200 && response.arrived >= since);
        let from = last_failure.map_or(since, |response| response.arrived);
        (all.last()?.arrived.saturating_duration_since(from) >= FULL_SERVICE).then_some(from)
    }

    /// Returns the number of responses with a status.
    pub(super) fn count(&self, status: u16) -> f64 {
        self.all().iter().filter(|response| response.status == status).count() as f64
    }

    /// Returns the number of responses that are neither 200 nor 503 with `Retry-After`.
    pub(super) fn wrong(&self) -> f64 {
        let is_wrong = |response: &&Response| {
            !(response.status == 200 || response.status == 503 && response.has_retry_after)
        };
        self.all().iter().filter(is_wrong).count() as f64
    }

    /// Returns the number of responses with status 200 to requests that were sent within a time.
    pub(super) fn successes_between(&self, from: Instant, to: Instant) -> f64 {
        let within =
            |response: &&Response| response.status == 200 && response.sent >= from && response.arrived < to;
        self.all().iter().filter(within).count() as f64
    }
}
