//! The open connections by client address, and the one that is closed when all permits are taken.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::client_address::ClientAddress;
use crate::clock::Clock;
use crate::deadlines::STALLED;

/// A client with more than this multiple of another client's connections gives way even while its responses leave.
const EXCESSIVE_MULTIPLE: usize = 8;
/// Maximum number of silent connections that give way at once, so that not every newcomer of a flood needs a search.
const SILENT_AT_ONCE: usize = 16;

/// The order in which connections give way: true if it is not silent, the number of its client's connections, true if it
/// has completed a request, and the time since which it waits.
type Order = (bool, Reverse<usize>, bool, Instant);

/// The open connections and the running requests of clients behind proxies. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct OpenConnections {
    per_address_max: usize,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    /// Clock of each connection, and the count of its client. Connections of a trusted proxy have no count.
    clocks: HashMap<u64, (Clock, Option<Arc<AtomicUsize>>)>,
    next: u64,
    /// The counts. They change only while `Open` is locked. The connections share them, so that a search through all
    /// connections looks up no address.
    by_address: HashMap<ClientAddress, Arc<AtomicUsize>>,
}

/// A counted connection. Dropping it ends the count.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    connections: OpenConnections,
    id: u64,
    _counted: Option<Counted>,
}

/// One of the connections or requests of a client. Dropping it ends the count.
#[derive(Debug)]
pub(crate) struct Counted {
    connections: OpenConnections,
    address: ClientAddress,
    count: Arc<AtomicUsize>,
}

impl Counted {
    pub(crate) fn address(&self) -> ClientAddress {
        self.address
    }
}

impl OpenConnections {
    pub(crate) fn new(per_address_max: usize) -> OpenConnections {
        OpenConnections { per_address_max, open: Arc::default() }
    }

    /// Counts a connection or request of the client. Returns `None` if the client has as many as it may.
    pub(crate) fn count(&self, address: ClientAddress) -> Option<Counted> {
        let mut open = self.open();
        let count = open.by_address.entry(address).or_default().clone();
        if count.load(Ordering::Relaxed) >= self.per_address_max {
            return None;
        }
        count.fetch_add(1, Ordering::Relaxed);
        Some(Counted { connections: self.clone(), address, count })
    }

    /// Registers an accepted connection. `counted` is `None` for a trusted proxy.
    pub(crate) fn register(&self, clock: Clock, counted: Option<Counted>) -> OpenConnection {
        let mut open = self.open();
        let id = open.next;
        open.next += 1;
        open.clocks.insert(id, (clock, counted.as_ref().map(|counted| counted.count.clone())));
        OpenConnection { connections: self.clone(), id, _counted: counted }
    }

    /// Closes connections in favour of a new one, which is counted already. Returns their number.
    ///
    /// First go up to [`SILENT_AT_ONCE`] that have been silent without ever completing a request. If there is none, one of
    /// the client with the most connections goes, if these are not fewer than those of the newcomer: one that is idle or
    /// does not read its response, and if the client has many times the connections of the newcomer, also one whose response
    /// is leaving. Among equals, the one that has waited longest gives way.
    pub(crate) fn evict(&self, newcomer: Option<ClientAddress>) -> usize {
        let newcomers = newcomer.map_or(0, |address| self.counted(address));
        let open = self.open();
        let now = Instant::now();
        let dispensable = open.clocks.values().filter_map(|(clock, count)| -> Option<(Order, &Clock)> {
            let connections = count.as_ref().map_or(0, |count| count.load(Ordering::Relaxed));
            let is_excessive = connections > EXCESSIVE_MULTIPLE * newcomers.max(1);
            let (never_completed_one, since) = clock.dispensable_since(now, is_excessive)?;
            // The first request of a new connection may be on its way.
            let is_silent = never_completed_one && now.saturating_duration_since(since) >= STALLED;
            let order = (!is_silent, Reverse(connections), !never_completed_one, since);
            (is_silent || connections >= newcomers).then_some((order, clock))
        });
        let mut first: Vec<(Order, &Clock)> = dispensable.collect();
        if first.len() > SILENT_AT_ONCE {
            first.select_nth_unstable_by_key(SILENT_AT_ONCE, |(order, _)| *order);
            first.truncate(SILENT_AT_ONCE);
        }
        first.sort_unstable_by_key(|(order, _)| *order);
        let silent = first.iter().take_while(|((is_not_silent, ..), _)| !is_not_silent).count();
        first.truncate(silent.max(1));
        for (_, clock) in &first {
            clock.evict();
        }
        first.len()
    }

    /// Returns the number of connections and requests that are counted for a client.
    pub(crate) fn counted(&self, address: ClientAddress) -> usize {
        self.open().by_address.get(&address).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.open().clocks.remove(&self.id);
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        if self.count.fetch_sub(1, Ordering::Relaxed) == 1 {
            open.by_address.remove(&self.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::deadlines::Expired;
    use crate::limits::Limits;

    fn address(last: u8) -> ClientAddress {
        ClientAddress::new(IpAddr::from([127, 0, 0, last]))
    }

    #[test]
    fn each_address_has_its_own_count_until_its_connections_end() {
        let connections = OpenConnections::new(2);
        let first = connections.count(address(1)).expect("the first");
        let _second = connections.count(address(1)).expect("the second");
        assert!(connections.count(address(1)).is_none());
        assert!(connections.count(address(2)).is_some());
        drop(first);
        assert!(connections.count(address(1)).is_some());
    }

    #[test]
    fn addresses_without_connections_are_forgotten() {
        let connections = OpenConnections::new(2);
        drop(connections.count(address(1)));
        assert!(connections.open().by_address.is_empty());
    }

    #[test]
    fn connection_that_never_completed_a_request_gives_way_first() {
        let connections = OpenConnections::new(10);
        let clocks = [(); 3].map(|()| Clock::start(Limits::default()));
        let _open = clocks.each_ref().map(|clock| connections.register(clock.clone(), None));
        // The first is idle after a request, the second has a request in progress, the third is silent.
        drop(clocks[0].request_begun(false).responded(0));
        clocks[0].flushed();
        let running = clocks[1].request_begun(false);
        let evicted = || clocks.each_ref().map(|clock| matches!(clock.next(), Some((_, Expired::Evicted))));
        assert_eq!(connections.evict(None), 1);
        assert_eq!(evicted(), [false, false, true]);
        assert_eq!(connections.evict(None), 1);
        assert_eq!(evicted(), [true, false, true]);
        assert_eq!(connections.evict(None), 0);
        drop(running);
    }

    #[test]
    fn client_with_the_most_connections_gives_way_first() {
        let connections = OpenConnections::new(10);
        let clocks = [(); 4].map(|()| Clock::start(Limits::default()));
        let owners = [1, 2, 2, 3].map(|last| connections.count(address(last)));
        let _open: Vec<OpenConnection> = clocks
            .iter()
            .zip(owners)
            .map(|(clock, counted)| connections.register(clock.clone(), counted))
            .collect();
        for clock in &clocks {
            drop(clock.request_begun(false).responded(0));
            clock.flushed();
        }
        let newcomer = connections.count(address(4)).expect("the first of its address");
        assert_eq!(connections.evict(Some(newcomer.address)), 1);
        let evicted = || clocks.each_ref().map(|clock| matches!(clock.next(), Some((_, Expired::Evicted))));
        assert_eq!(evicted(), [false, true, false, false]);
    }

    #[test]
    fn client_with_more_connections_evicts_no_one_with_fewer() {
        let connections = OpenConnections::new(10);
        let clock = Clock::start(Limits::default());
        let _open = connections.register(clock.clone(), connections.count(address(1)));
        drop(clock.request_begun(false).responded(0));
        clock.flushed();
        let _newcomers = [(); 2].map(|()| connections.count(address(2)));
        assert_eq!(connections.evict(Some(address(2))), 0);
        let _another = connections.count(address(1));
        assert_eq!(connections.evict(Some(address(2))), 1);
    }

    #[test]
    fn response_of_a_client_with_excessive_connections_gives_way() {
        let connections = OpenConnections::new(100);
        let clock = Clock::start(Limits::default());
        let _open = connections.register(clock.clone(), connections.count(address(1)));
        let _writing = clock.request_begun(false).responded(1);
        let _newcomer = connections.count(address(2));
        let _more: Vec<_> = (1..EXCESSIVE_MULTIPLE).map(|_| connections.count(address(1))).collect();
        assert_eq!(connections.evict(Some(address(2))), 0);
        let _excessive = connections.count(address(1));
        assert_eq!(connections.evict(Some(address(2))), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn several_silent_connections_give_way_at_once_but_only_one_of_others() {
        let connections = OpenConnections::new(100);
        let clocks: Vec<Clock> = (0..30).map(|_| Clock::start(Limits::default())).collect();
        let _open: Vec<OpenConnection> =
            clocks.iter().map(|clock| connections.register(clock.clone(), None)).collect();
        // Two are idle after a request, the others are silent.
        for clock in &clocks[..2] {
            drop(clock.request_begun(false).responded(0));
            clock.flushed();
        }
        tokio::time::advance(STALLED).await;
        let at_once: Vec<usize> = (0..4).map(|_| connections.evict(None)).collect();
        assert_eq!(at_once, [SILENT_AT_ONCE, 28 - SILENT_AT_ONCE, 1, 1]);
    }
}
