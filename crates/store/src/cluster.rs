//! Several hosts of one database: finds the primary, and measures how far its standbys lag behind.
//!
//! A standby is used for data if it has replayed everything that the primary had written at some moment, and this moment is
//! within the bound. The moment is one at which this process read the position of the primary, so no clock of another
//! machine matters, and a standby that has lost its primary is left out as soon as the bound has passed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::time::timeout;
use uuid::Uuid;

use crate::connection::{CancelOnDrop, Host};
use crate::error::Error;
use crate::query::HOST_POSITION;
use crate::row::{Row, Rows};
use crate::tls::Connector;

/// Bounds of the time limit of one look at a host, in milliseconds. A host that does not answer delays the next look at the
/// others, so the limit is half of the bound for the lag.
const LOOK_MILLISECONDS: (u64, u64) = (500, 2000);
/// Bounds of the time between two looks at all hosts, in milliseconds.
const PAUSE_MILLISECONDS: (u64, u64) = (100, 1000);
/// Number of looks in the time for which a standby may lag.
const LOOKS_PER_LAG: u32 = 8;
/// Maximum number of positions of the primary that are stored: more than the looks in the longest bound.
const SAMPLES_MAX: usize = 256;

/// The hosts of a database.
#[derive(Debug)]
pub(crate) struct Cluster {
    hosts: Vec<Host>,
    connector: Connector,
    /// Maximum lag of a standby that is used for data; `None` if all data come from the primary.
    standby_lag_max: Option<Duration>,
    state: Mutex<State>,
    /// Held during a look. Others wait for its result.
    looking: tokio::sync::Mutex<()>,
    /// Number of completed looks.
    looks: AtomicU64,
    /// Spreads requests over the standbys.
    turn: AtomicUsize,
}

impl Cluster {
    pub(crate) fn new(hosts: Vec<Host>, connector: Connector, standby_lag_max: Option<Duration>) -> Cluster {
        Cluster {
            hosts,
            connector,
            standby_lag_max,
            state: Mutex::default(),
            looking: tokio::sync::Mutex::default(),
            looks: AtomicU64::new(0),
            turn: AtomicUsize::new(0),
        }
    }

    pub(crate) fn host(&self, number: usize) -> &Host {
        &self.hosts[number]
    }

    pub(crate) fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Looks at all hosts from time to time until the cluster is dropped. Needs a Tokio runtime.
    pub(crate) fn watch(cluster: &Arc<Cluster>) {
        let cluster = Arc::downgrade(cluster);
        tokio::spawn(async move {
            while let Some(watched) = cluster.upgrade() {
                watched.look().await;
                let pause = watched.pause();
                drop(watched);
                tokio::time::sleep(pause).await;
            }
        });
    }

    /// Returns the number of the primary. Looks at the hosts if it is unknown.
    ///
    /// # Errors
    /// [`Error::NoPrimary`] if no host that answers is a primary.
    pub(crate) async fn primary(&self) -> Result<usize, Error> {
        if let Some(primary) = self.state().primary {
            return Ok(primary);
        }
        self.look().await;
        self.state().primary.ok_or(Error::NoPrimary)
    }

    /// Forgets that this host is the primary, because it has failed.
    pub(crate) fn forget_primary(&self, number: usize) {
        self.state().primary.take_if(|primary| *primary == number);
    }

    /// Returns the number of a standby within the bound; `None` if there is none, or standbys are not used.
    pub(crate) fn standby(&self) -> Option<usize> {
        let usable = self.state().standbys_within(self.standby_lag_max?, Instant::now());
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        usable.get(turn.checked_rem(usable.len())?).copied()
    }

    /// Leaves out a standby until the next look, because it has failed.
    pub(crate) fn leave_out(&self, number: usize) {
        self.state().as_of[number] = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time until the next look: a fraction of the bound, varied by a quarter, so that several servers do not
    /// connect to a returned host at the same moment.
    fn pause(&self) -> Duration {
        let (least, most) = PAUSE_MILLISECONDS;
        let pause = self.standby_lag_max.unwrap_or(Duration::MAX) / LOOKS_PER_LAG;
        let pause = pause.clamp(Duration::from_millis(least), Duration::from_millis(most));
        let random = u32::from(Uuid::new_v4().as_bytes()[0]);
        pause * (192 + random / 2) / 256
    }

    /// Reads role and position of every host. Waits instead if another caller is looking.
    pub(crate) async fn look(&self) {
        let before = self.looks.load(Ordering::Acquire);
        let _guard = self.looking.lock().await;
        if self.looks.load(Ordering::Acquire) != before {
            return;
        }
        let looks = join_all(self.hosts.iter().map(|host| self.look_at(host))).await;
        self.state().update(&looks);
        self.looks.fetch_add(1, Ordering::Release);
    }

    /// Returns `None` if the host does not answer in time.
    async fn look_at(&self, host: &Host) -> Option<Look> {
        let at = Instant::now();
        let reading = async {
            let connection = host.check_pool.get().await.ok()?;
            let guard = CancelOnDrop::new(connection, &self.connector, &Arc::default());
            let rows = guard.connection().query_typed(HOST_POSITION.sql, &[]).await;
            guard.finish(rows.is_ok());
            Look::read(at, Rows::new(&HOST_POSITION, rows.ok()?).first()?).ok()
        };
        let (least, most) = LOOK_MILLISECONDS;
        let limit = self.standby_lag_max.unwrap_or(Duration::MAX) / 2;
        let limit = limit.clamp(Duration::from_millis(least), Duration::from_millis(most));
        timeout(limit, reading).await.ok()?
    }
}

/// Checks that the result of `host_position.sql` is that of a primary.
///
/// # Errors
/// [`Error::NoPrimary`] for a standby, or without a row.
pub(crate) fn check_primary(position: Option<&Rows>) -> Result<(), Error> {
    let row = position.and_then(Rows::first).ok_or(Error::NoPrimary)?;
    if is_standby(row)? { Err(Error::NoPrimary) } else { Ok(()) }
}

/// Returns true if the row of `host_position.sql` is that of a standby.
fn is_standby(row: Row<'_>) -> Result<bool, Error> {
    row.get("is_standby")
}

/// Role and position of a host.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The moment before the query of the host, so its position is at least as new.
    at: Instant,
    is_standby: bool,
    /// Bytes of the write-ahead log that a primary has written, or a standby has replayed.
    position: i64,
    /// The timeline of a primary, which grows with each promotion; 0 for a standby.
    timeline: i32,
}

impl Look {
    fn read(at: Instant, row: Row<'_>) -> Result<Look, Error> {
        let (is_standby, position) = (is_standby(row)?, row.get("position")?);
        Ok(Look { at, is_standby, position, timeline: row.get("timeline")? })
    }
}

/// The result of the looks so far.
#[derive(Debug, Default)]
struct State {
    primary: Option<usize>,
    /// The highest timeline of a primary so far.
    timeline: i32,
    /// Positions of the primary, the oldest first.
    samples: VecDeque<(Instant, i64)>,
    /// For each standby the moment from which it has everything; `None` if unknown.
    as_of: Vec<Option<Instant>>,
}

impl State {
    fn update(&mut self, looks: &[Option<Look>]) {
        let found = looks.iter().enumerate().filter_map(|(number, look)| Some((number, look.as_ref()?)));
        // After a failover the old primary may return as one. The timeline of the new primary is higher, and grants are
        // never read on the old one again.
        let primary = found.filter(|(_, look)| !look.is_standby && look.timeline >= self.timeline);
        let primary = primary.max_by_key(|(_, look)| look.timeline);
        if self.primary != primary.map(|(number, _)| number) {
            self.samples.clear();
        }
        self.primary = primary.map(|(number, _)| number);
        if let Some((_, look)) = primary {
            self.timeline = look.timeline;
            self.samples.push_back((look.at, look.position));
            let excess = self.samples.len().saturating_sub(SAMPLES_MAX);
            self.samples.drain(..excess);
        }
        let as_of = |look: &Option<Look>| {
            let standby = look.as_ref().filter(|look| look.is_standby)?;
            let reached = self.samples.iter().rev().find(|(_, position)| *position <= standby.position);
            reached.map(|(at, _)| *at)
        };
        self.as_of = looks.iter().map(as_of).collect();
    }

    fn standbys_within(&self, lag_max: Duration, now: Instant) -> Vec<usize> {
        let within = |at: &Option<Instant>| at.is_some_and(|at| now.saturating_duration_since(at) <= lag_max);
        let numbered = self.as_of.iter().enumerate();
        numbered.filter(|(_, at)| within(at)).map(|(number, _)| number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAG_MAX: Duration = Duration::from_secs(5);

    fn look(at: Instant, is_standby: bool, position: i64, timeline: i32) -> Option<Look> {
        Some(Look { at, is_standby, position, timeline })
    }

    #[test]
    fn standby_is_used_as_long_as_it_has_everything_of_a_moment_within_the_bound() {
        let start = Instant::now();
        let second = |seconds| start + Duration::from_secs(seconds);
        let mut state = State::default();
        state.update(&[look(second(0), false, 100, 1), look(second(0), true, 100, 0)]);
        assert_eq!(state.primary, Some(0));
        assert_eq!(state.standbys_within(LAG_MAX, second(5)), [1]);
        assert!(state.standbys_within(LAG_MAX, second(6)).is_empty(), "no later look");
        // The primary goes on, and the standby does not.
        for now in 1..=5 {
            state.update(&[
                look(second(now), false, 100 + 10 * i64::try_from(now).expect("small"), 1),
                look(second(now), true, 105, 0),
            ]);
        }
        assert_eq!(state.standbys_within(LAG_MAX, second(5)), [1]);
        assert!(state.standbys_within(LAG_MAX, second(6)).is_empty(), "the standby has not reached second 1");
        // It catches up.
        state.update(&[look(second(6), false, 160, 1), look(second(6), true, 150, 0)]);
        assert_eq!(state.standbys_within(LAG_MAX, second(10)), [1]);
        assert!(state.standbys_within(LAG_MAX, second(11)).is_empty());
    }

    #[test]
    fn primary_with_the_highest_timeline_counts() {
        let now = Instant::now();
        let mut state = State::default();
        state.update(&[look(now, false, 100, 1), look(now, true, 100, 0), None]);
        assert_eq!((state.primary, state.as_of.len()), (Some(0), 3));
        state.update(&[None, look(now, true, 100, 0), None]);
        assert_eq!(state.primary, None);
        assert_eq!(
            state.standbys_within(LAG_MAX, now),
            [0_usize; 0],
            "the position of the primary is unknown"
        );
        state.update(&[look(now, false, 200, 1), look(now, false, 150, 2), None]);
        assert_eq!(state.primary, Some(1));
        state.update(&[look(now, false, 300, 1), None, None]);
        assert_eq!(state.primary, None, "the old primary has returned, and the new one does not answer");
    }
}
