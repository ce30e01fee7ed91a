//! The open connections by client address, and the one that is closed when all permits are taken.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::client_address::ClientAddress;
use crate::clock::Clock;
use crate::deadlines::STALLED;

/// A client with more than this multiple of another client's connections gives way even while its responses leave.
const EXCESSIVE_MULTIPLE: usize = 8;

/// The open connections and the running requests of clients behind proxies. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct OpenConnections {
    per_address_max: usize,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    /// Clock and counted address of each connection. A trusted proxy has no counted address.
    clocks: HashMap<u64, (Clock, Option<ClientAddress>)>,
    next: u64,
    by_address: HashMap<ClientAddress, usize>,
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
        let count = open.by_address.entry(address).or_default();
        if *count >= self.per_address_max {
            return None;
        }
        *count += 1;
        Some(Counted { connections: self.clone(), address })
    }

    /// Registers an accepted connection. `counted` is `None` for a trusted proxy.
    pub(crate) fn register(&self, clock: Clock, counted: Option<Counted>) -> OpenConnection {
        let mut open = self.open();
        let id = open.next;
        open.next += 1;
        open.clocks.insert(id, (clock, counted.as_ref().map(|counted| counted.address)));
        OpenConnection { connections: self.clone(), id, _counted: counted }
    }

    /// Closes a connection in favour of a new one, which is counted already. Returns false if none gives way.
    ///
    /// First goes one that has been silent without ever completing a request. Then goes one of the client with the most
    /// connections, if that is not fewer than those of the newcomer: one that is idle or does not read its response, and if
    /// the client has many times the connections of the newcomer, also one whose response is leaving. Among equals, the one
    /// that has waited longest gives way.
    pub(crate) fn evict(&self, newcomer: Option<ClientAddress>) -> bool {
        let open = self.open();
        let now = Instant::now();
        let count = |address: Option<ClientAddress>| -> usize {
            address.and_then(|address| open.by_address.get(&address).copied()).unwrap_or(0)
        };
        let newcomers = count(newcomer);
        let dispensable = open.clocks.values().filter_map(|(clock, address)| {
            let connections = count(*address);
            let is_excessive = connections > EXCESSIVE_MULTIPLE * newcomers.max(1);
            let (never_completed_one, since) = clock.dispensable_since(now, is_excessive)?;
            // The first request of a new connection may be on its way.
            let is_silent = never_completed_one && now.saturating_duration_since(since) >= STALLED;
            let order = (!is_silent, Reverse(connections), !never_completed_one, since);
            (is_silent || connections >= newcomers).then_some((order, clock))
        });
        let first = dispensable.min_by_key(|(order, _): &((bool, Reverse<usize>, bool, Instant), _)| *order);
        first.inspect(|(_, clock)| clock.evict()).is_some()
    }

    /// Returns the number of connections and requests that are counted for a client.
    pub(crate) fn counted(&self, address: ClientAddress) -> usize {
        self.open().by_address.get(&address).copied().unwrap_or(0)
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
        if let Some(count) = open.by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&self.address);
            }
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
        assert!(connections.evict(None));
        assert_eq!(evicted(), [false, false, true]);
        assert!(connections.evict(None));
        assert_eq!(evicted(), [true, false, true]);
        assert!(!connections.evict(None));
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
        assert!(connections.evict(Some(newcomer.address)));
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
        assert!(!connections.evict(Some(address(2))));
        let _another = connections.count(address(1));
        assert!(connections.evict(Some(address(2))));
    }

    #[test]
    fn response_of_a_client_with_excessive_connections_gives_way() {
        let connections = OpenConnections::new(100);
        let clock = Clock::start(Limits::default());
        let _open = connections.register(clock.clone(), connections.count(address(1)));
        let _writing = clock.request_begun(false).responded(1);
        let _newcomer = connections.count(address(2));
        let _more: Vec<_> = (1..EXCESSIVE_MULTIPLE).map(|_| connections.count(address(1))).collect();
        assert!(!connections.evict(Some(address(2))));
        let _excessive = connections.count(address(1));
        assert!(connections.evict(Some(address(2))));
    }
}
