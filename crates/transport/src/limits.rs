//! The limits of connections and responses.

use std::time::Duration;

/// Limits of the connections of one listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections of one client address, and of concurrent requests of one client behind
    /// trusted proxies. An IPv6 address counts with its /64 network.
    pub connections_per_address: usize,
    /// Maximum number of requests that are handled at the same time; further ones are shed.
    pub requests: usize,
    /// Maximum time from the start of a connection to its first byte, and from the first byte of a request to the end
    /// of its head.
    pub head: Duration,
    /// Maximum time between the end of a response and the first byte of the next request.
    pub idle: Duration,
    /// Time in which a response must leave, apart from the time for its size.
    pub write: Duration,
    /// Bytes of a response for which it has one second more.
    pub write_bytes_per_second: u64,
    /// Maximum time of a request after its client has closed its direction of the connection. Without a response until then,
    /// the client counts as gone, and the request is dropped.
    pub half_closed: Duration,
    /// Age at which a connection begins to end, with `Connection: close` or GOAWAY. A random part of up to an
    /// eighth is subtracted, so that connections that started together end apart.
    pub age: Duration,
    /// Time after the signal to stop in which connections are still accepted, so that a balancer can notice that the
    /// server is not ready.
    pub notice: Duration,
    /// Maximum time for running requests after that.
    pub drain: Duration,
    /// Time after the signal to stop in which a started head must be complete and a stalled response must move.
    pub drain_stalled: Duration,
}

impl Limits {
    /// Returns the time in which a response of `bytes` must leave after its handler has finished.
    pub(crate) fn write_time(&self, bytes: u64) -> Duration {
        self.write + Duration::from_secs(bytes / self.write_bytes_per_second.max(1))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
            connections_per_address: 256,
            requests: 256,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            write: Duration::from_secs(30),
            write_bytes_per_second: 8 * 1024,
            half_closed: Duration::from_secs(1),
            age: Duration::from_secs(3600),
            notice: Duration::ZERO,
            drain: Duration::from_secs(20),
            drain_stalled: Duration::from_secs(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_has_thirty_seconds_and_one_more_for_each_eight_kib() {
        let limits = Limits::default();
        assert_eq!(limits.write_time(0), Duration::from_secs(30));
        assert_eq!(limits.write_time(8 * 1024 - 1), Duration::from_secs(30));
        assert_eq!(limits.write_time(102_400), Duration::from_secs(42));
    }
}
