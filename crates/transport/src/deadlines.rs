//! The state of one connection, as far as time is concerned. Pure: the current time is a parameter.

use std::time::Duration;

use tokio::time::Instant;

use crate::limits::Limits;

/// Time after which a client counts as one that does not read its response, or does not send its first request.
pub(crate) const STALLED: Duration = Duration::from_millis(500);

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
    /// True if several requests share the connection (HTTP/2). Bytes then do not mean that a request begins.
    multiplexed: bool,
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
            multiplexed: false,
            evicted: false,
        }
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
        self.handling += 1;
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

    /// Records that all bytes that were written to the connection have left.
    pub(crate) fn flushed(&mut self, now: Instant) {
        if self.unflushed.take().is_some() {
            self.wait_if_quiet(now);
        }
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
    /// only handlers run.
    pub(crate) fn next(&self) -> Option<(Instant, Expired)> {
        if self.evicted {
            return Some((self.waiting_since, Expired::Evicted));
        }
        if self.is_waiting() {
            return Some(self.end_of_waiting());
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
mod tests {
    use super::*;

    const KIB: u64 = 1024;

    struct Scenario {
        deadlines: Deadlines,
        start: Instant,
    }

    impl Scenario {
        fn new() -> Scenario {
            let start = Instant::now();
            Scenario { deadlines: Deadlines::new(Limits::default(), start), start }
        }

        fn at(&self, seconds: u64) -> Instant {
            self.start + Duration::from_secs(seconds)
        }

        /// Serves one small request from second 0 to 5, so that the connection is idle from second 5.
        fn idle_from_second_five(multiplexed: bool) -> Scenario {
            let mut scenario = Scenario::new();
            scenario.deadlines.bytes_read(scenario.start);
            scenario.deadlines.request_begun(multiplexed);
            let id = scenario.deadlines.response_begun(KIB, scenario.at(4));
            scenario.deadlines.response_written(id);
            scenario.deadlines.flushed(scenario.at(5));
            scenario
        }

        #[track_caller]
        fn assert_next(&self, expected: Option<(u64, Expired)>) {
            let next = self.deadlines.next();
            assert_eq!(next, expected.map(|(seconds, reason)| (self.at(seconds), reason)));
        }
    }

    #[test]
    fn silent_connection_ends_after_the_time_for_the_first_byte() {
        Scenario::new().assert_next(Some((10, Expired::FirstByte)));
    }

    #[test]
    fn head_has_its_own_time_that_further_bytes_do_not_extend() {
        let mut scenario = Scenario::new();
        scenario.deadlines.bytes_read(scenario.at(9));
        scenario.deadlines.bytes_read(scenario.at(15));
        scenario.assert_next(Some((19, Expired::Head)));
    }

    #[test]
    fn running_handler_has_no_deadline_here() {
        let mut scenario = Scenario::new();
        scenario.deadlines.request_begun(false);
        scenario.assert_next(None);
    }

    #[test]
    fn response_must_leave_also_after_its_handler_has_finished() {
        let mut scenario = Scenario::new();
        scenario.deadlines.request_begun(false);
        let id = scenario.deadlines.response_begun(16 * KIB, scenario.at(3));
        scenario.assert_next(Some((35, Expired::Write)));
        scenario.deadlines.bytes_written(scenario.at(20));
        scenario.assert_next(Some((35, Expired::Write)));
        scenario.deadlines.response_written(id);
        scenario.assert_next(Some((35, Expired::Write)));
        scenario.deadlines.flushed(scenario.at(30));
        scenario.assert_next(Some((105, Expired::Idle)));
    }

    #[test]
    fn next_request_on_an_idle_connection_gets_the_time_for_a_head() {
        let mut scenario = Scenario::idle_from_second_five(false);
        scenario.deadlines.bytes_read(scenario.at(70));
        scenario.assert_next(Some((80, Expired::Head)));
    }

    #[test]
    fn frames_on_an_idle_multiplexed_connection_do_not_extend_its_time() {
        let mut scenario = Scenario::idle_from_second_five(true);
        scenario.deadlines.bytes_read(scenario.at(70));
        scenario.assert_next(Some((80, Expired::Idle)));
    }

    #[test]
    fn earliest_of_several_responses_counts() {
        let mut scenario = Scenario::new();
        for _ in 0..2 {
            scenario.deadlines.request_begun(true);
        }
        let first = scenario.deadlines.response_begun(0, scenario.at(1));
        scenario.deadlines.response_begun(0, scenario.at(2));
        scenario.assert_next(Some((31, Expired::Write)));
        scenario.deadlines.response_written(first);
        scenario.deadlines.flushed(scenario.at(3));
        scenario.assert_next(Some((32, Expired::Write)));
    }

    #[test]
    fn dropped_request_leaves_an_idle_connection() {
        let mut scenario = Scenario::new();
        scenario.deadlines.request_begun(true);
        scenario.deadlines.request_dropped(scenario.at(8));
        scenario.assert_next(Some((83, Expired::Idle)));
    }

    #[test]
    fn draining_ends_incomplete_heads_and_stalled_responses_after_a_second() {
        let mut head = Scenario::new();
        head.deadlines.bytes_read(head.at(1));
        head.deadlines.drain(head.at(2));
        head.assert_next(Some((3, Expired::Head)));

        let mut stalled = Scenario::new();
        stalled.deadlines.request_begun(false);
        stalled.deadlines.drain(stalled.at(2));
        stalled.assert_next(None);
        stalled.deadlines.response_begun(KIB, stalled.at(9));
        stalled.assert_next(Some((10, Expired::Write)));
        stalled.deadlines.bytes_written(stalled.at(10));
        stalled.assert_next(Some((11, Expired::Write)));
    }

    #[test]
    fn connection_is_dispensable_unless_a_handler_runs_or_a_response_leaves() {
        let mut scenario = Scenario::new();
        assert_eq!(scenario.deadlines.dispensable_since(scenario.start, false), Some((true, scenario.start)));
        scenario.deadlines.request_begun(false);
        assert_eq!(scenario.deadlines.dispensable_since(scenario.at(9), false), None);
        let id = scenario.deadlines.response_begun(KIB, scenario.at(9));
        assert_eq!(scenario.deadlines.dispensable_since(scenario.at(9), false), None);
        scenario.deadlines.bytes_written(scenario.at(10));
        let stalled = scenario.at(10) + STALLED;
        assert_eq!(scenario.deadlines.dispensable_since(stalled - Duration::from_nanos(1), false), None);
        assert_eq!(scenario.deadlines.dispensable_since(stalled, false), Some((false, scenario.at(10))));
        scenario.deadlines.response_written(id);
        assert_eq!(scenario.deadlines.dispensable_since(stalled, false), Some((false, scenario.at(10))));
        let idle = Scenario::idle_from_second_five(false);
        assert_eq!(idle.deadlines.dispensable_since(idle.at(5), false), Some((false, idle.at(5))));
    }

    #[test]
    fn evicted_connection_ends_at_once() {
        let mut scenario = Scenario::new();
        scenario.deadlines.evict();
        scenario.assert_next(Some((0, Expired::Evicted)));
        assert_eq!(scenario.deadlines.dispensable_since(scenario.start, false), None);
    }
}
