//! The state of one connection, as far as time is concerned. Pure: the current time is a parameter.

use std::time::Duration;

use tokio::time::Instant;

use crate::limits::Limits;

/// Time after which a client counts as one that does not read its response, or does not send its first request.
pub(crate) const STALLED: Duration = Duration::from_millis(500);

/// Number of bytes that a client of HTTP/2 may send without a new request, apart from the bodies that handlers have read:
/// twice the bytes of bodies that wait to be read. Only frames that request nothing, in masses, are more.
const FRAME_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The reason why a connection is closed before its client closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expired {
    /// No byte has arrived.
    FirstByte,
    /// The head of a request has not arrived completely.
    Head,
    /// No further request has arrived.
    Idle,
    /// A response has not left.
    Write,
    /// The client has closed its direction of the connection, and its request takes too long.
    HalfClosed,
    /// The client of HTTP/2 has sent too many frames that request nothing.
    Flood,
    /// The connection was the one that waited longest when another client needed its permit.
    Evicted,
}

/// The phase of a connection that handles no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    FirstByte,
    Head,
    Idle,
}

/// The identity of a response within its connection.
pub(crate) type ResponseId = u64;

/// The state of one connection.
#[derive(Debug)]
pub(crate) struct Deadlines {
    limits: Limits,
    waiting: Waiting,
    waiting_since: Instant,
    /// Number of requests whose handlers run.
    handling: usize,
    /// The responses whose bodies have not been written to the connection, with their deadlines. HTTP/1.1 has at most one.
    writing: Vec<(ResponseId, Instant)>,
    /// The deadline of bytes that were written to the connection and have not left.
    unflushed: Option<Instant>,
    next_response: ResponseId,
    last_progress: Instant,
    has_begun_request: bool,
    draining_since: Option<Instant>,
    /// The time at which the client closed its direction of the connection, while a request was handled.
    half_closed_since: Option<Instant>,
    /// True if several requests share the connection (HTTP/2). Bytes then do not mean that a request begins.
    multiplexed: bool,
    /// Number of bytes of HTTP/2 since the last request, less those of bodies that handlers have read; `None` for HTTP/1.1.
    frame_bytes: Option<usize>,
    evicted: bool,
}

impl Deadlines {
    pub(crate) fn new(limits: Limits, now: Instant) -> Deadlines {
        Deadlines {
            limits,
            waiting: Waiting::FirstByte,
            waiting_since: now,
            handling: 0,
            writing: Vec::new(),
            unflushed: None,
            next_response: 0,
            last_progress: now,
            has_begun_request: false,
            draining_since: None,
            half_closed_since: None,
            multiplexed: false,
            frame_bytes: None,
            evicted: false,
        }
    }

    /// Records that the connection speaks HTTP/2.
    pub(crate) fn http2_begun(&mut self) {
        self.frame_bytes = Some(0);
    }

    /// Records the number of bytes that have arrived.
    pub(crate) fn frames_read(&mut self, bytes: usize) {
        self.frame_bytes = self.frame_bytes.map(|before| before.saturating_add(bytes));
    }

    /// Records that a handler has read bytes of a request's body.
    pub(crate) fn body_read(&mut self, bytes: usize) {
        self.frame_bytes = self.frame_bytes.map(|before| before.saturating_sub(bytes));
    }

    /// Records bytes from the client.
    pub(crate) fn bytes_read(&mut self, now: Instant) {
        let begins_head = match self.waiting {
            Waiting::FirstByte => true,
            Waiting::Head => false,
            Waiting::Idle => !self.multiplexed && self.is_waiting(),
        };
        if begins_head {
            self.wait_for(Waiting::Head, now);
        }
    }

    /// Records a complete head: a request is handled from now on.
    pub(crate) fn request_begun(&mut self, multiplexed: bool) {
        self.multiplexed = multiplexed;
        self.has_begun_request = true;
        self.frame_bytes = self.frame_bytes.map(|_| 0);
        self.handling += 1;
    }

    /// Records the end of the stream. Returns true if a request is in progress, so that the connection must not see the end
    /// yet. With HTTP/2, the end of the connection is the end of all its requests.
    pub(crate) fn withholds_end(&mut self, now: Instant) -> bool {
        let withholds = !self.multiplexed && !self.is_waiting();
        if withholds {
            self.half_closed_since.get_or_insert(now);
        }
        withholds
    }

    /// Returns true if the connection has not seen the end of its stream yet.
    pub(crate) fn is_half_closed(&self) -> bool {
        self.half_closed_since.is_some()
    }

    /// Returns true if the connection has received a request.
    pub(crate) fn has_begun_request(&self) -> bool {
        self.has_begun_request
    }

    /// Records that a handler has ended without a response, because its future was dropped.
    pub(crate) fn request_dropped(&mut self, now: Instant) {
        self.handling -= 1;
        self.wait_if_quiet(now);
    }

    /// Records that a handler has returned a response of `bytes`.
    pub(crate) fn response_begun(&mut self, bytes: u64, now: Instant) -> ResponseId {
        self.handling -= 1;
        let id = self.next_response;
        self.next_response += 1;
        self.last_progress = now;
        self.writing.push((id, now + self.limits.write_time(bytes)));
        id
    }

    /// Records that the whole body of a response was written to the connection, from where it may not have left yet.
    pub(crate) fn response_written(&mut self, id: ResponseId) {
        let Some(index) = self.writing.iter().position(|(writing, _)| *writing == id) else { return };
        let (_, deadline) = self.writing.swap_remove(index);
        self.unflushed = Some(self.unflushed.map_or(deadline, |earlier| earlier.min(deadline)));
    }

    /// Records that bytes have left.
    pub(crate) fn bytes_written(&mut self, now: Instant) {
        self.last_progress = now;
    }

    /// Records that all bytes that were written to the connection have left. Returns true if the connection may now see the
    /// end of the stream, which it did not see before.
    pub(crate) fn flushed(&mut self, now: Instant) -> bool {
        if self.unflushed.take().is_some() {
            self.wait_if_quiet(now);
        }
        self.is_waiting() && self.half_closed_since.take().is_some()
    }

    /// Records the signal to stop.
    pub(crate) fn drain(&mut self, now: Instant) {
        self.draining_since.get_or_insert(now);
    }

    /// Closes the connection at the next look at its deadline.
    pub(crate) fn evict(&mut self) {
        self.evicted = true;
    }

    /// Returns true if the connection has never completed a request, and the time since which it has been waiting for bytes
    /// of one or has not been able to write a response. `None` if it cannot be closed in favour of another client. If its
    /// client has an excessive number of connections, a response that is leaving does not protect it.
    pub(crate) fn dispensable_since(&self, now: Instant, is_excessive: bool) -> Option<(bool, Instant)> {
        if self.evicted || self.handling > 0 {
            return None;
        }
        if self.is_waiting() {
            return Some((self.waiting != Waiting::Idle, self.waiting_since));
        }
        let is_stalled = now.saturating_duration_since(self.last_progress) >= STALLED;
        (is_stalled || is_excessive).then_some((false, self.last_progress))
    }

    /// Returns the moment at which the connection must be closed unless something happens, and the reason. `None` while
    /// only handlers run, and the client has not closed its direction of the connection.
    pub(crate) fn next(&self) -> Option<(Instant, Expired)> {
        if self.evicted {
            return Some((self.waiting_since, Expired::Evicted));
        }
        if self.frame_bytes.is_some_and(|bytes| bytes > FRAME_BYTES_MAX) {
            return Some((self.waiting_since, Expired::Flood));
        }
        if self.is_waiting() {
            return Some(self.end_of_waiting());
        }
        if self.handling > 0
            && let Some(since) = self.half_closed_since
        {
            return Some((since + self.limits.half_closed, Expired::HalfClosed));
        }
        let responses = self.writing.iter().map(|(_, deadline)| *deadline);
        let write = responses.chain(self.unflushed).min()?;
        let stalled =
            self.draining_since.map(|since| since.max(self.last_progress) + self.limits.drain_stalled);
        Some((stalled.map_or(write, |stalled| stalled.min(write)), Expired::Write))
    }

    fn end_of_waiting(&self) -> (Instant, Expired) {
        let (limit, reason) = match self.waiting {
            Waiting::FirstByte => (self.limits.head, Expired::FirstByte),
            Waiting::Head => (self.limits.head, Expired::Head),
            Waiting::Idle => (self.limits.idle, Expired::Idle),
        };
        let end = self.waiting_since + limit;
        (self.draining_since.map_or(end, |since| end.min(since + self.limits.drain_stalled)), reason)
    }

    /// Returns true if no request is in progress: no handler runs, and all responses have left.
    fn is_waiting(&self) -> bool {
        self.handling == 0 && self.writing.is_empty() && self.unflushed.is_none()
    }

    fn wait_if_quiet(&mut self, now: Instant) {
        if self.is_waiting() {
            self.wait_for(Waiting::Idle, now);
        }
    }

    fn wait_for(&mut self, waiting: Waiting, now: Instant) {
        self.waiting = waiting;
        self.waiting_since = now;
    }
}

#[cfg(test)]
mod tests;
