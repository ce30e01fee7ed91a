//! The deadlines of one connection in each phase.

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
fn handler_has_a_second_after_its_client_has_closed_its_direction() {
    let mut scenario = Scenario::new();
    scenario.deadlines.request_begun(false);
    assert!(scenario.deadlines.withholds_end(scenario.at(3)));
    assert!(scenario.deadlines.withholds_end(scenario.at(4)));
    scenario.assert_next(Some((4, Expired::HalfClosed)));
    // The response has the time of every response.
    let id = scenario.deadlines.response_begun(KIB, scenario.at(4));
    scenario.assert_next(Some((34, Expired::Write)));
    scenario.deadlines.response_written(id);
    assert!(scenario.deadlines.flushed(scenario.at(5)), "the connection sees the end now");
    assert!(!scenario.deadlines.withholds_end(scenario.at(5)));
    assert!(!scenario.deadlines.flushed(scenario.at(6)));
}

#[test]
fn end_without_a_request_or_with_several_is_not_withheld() {
    let mut silent = Scenario::new();
    assert!(!silent.deadlines.withholds_end(silent.at(1)));
    let mut multiplexed = Scenario::new();
    multiplexed.deadlines.request_begun(true);
    assert!(!multiplexed.deadlines.withholds_end(multiplexed.at(1)));
    multiplexed.assert_next(None);
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
