//! Limits of the code exchanges, each of which is a request to the identity provider.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Maximum number of concurrent code exchanges.
const EXCHANGES_MAX: usize = 16;
/// Maximum number of concurrent code exchanges of a client address.
const EXCHANGES_OF_ADDRESS_MAX: usize = 2;
/// Maximum number of spent states. A full memory is emptied.
const SPENT_MAX: usize = 10_000;

/// The states of the attempts that have had their callback, with the times at which the attempts end, in seconds since
/// 1970. Deleting the cookie of an attempt is left to the browser, so the server remembers the state.
#[derive(Debug, Default)]
pub(crate) struct SpentStates(Mutex<HashMap<String, i64>>);

impl SpentStates {
    /// Spends the state of an attempt that ends at `expires`. Returns false if it was spent before.
    pub(crate) fn spend(&self, state: String, expires: i64, now: i64) -> bool {
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.len() >= SPENT_MAX {
            spent.retain(|_, expires| *expires > now);
            if spent.len() >= SPENT_MAX {
                spent.clear();
            }
        }
        spent.insert(state, expires).is_none()
    }
}

/// The addresses of the exchanges in progress; `None` for a host that names no addresses, which has no limit per address.
#[derive(Debug, Default)]
pub(crate) struct Exchanges(Mutex<Vec<Option<IpAddr>>>);

/// An exchange in progress. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Exchange<'a>(&'a Exchanges, Option<IpAddr>);

impl Exchanges {
    /// Begins an exchange. Returns `None` if there are too many, in total or of the address.
    pub(crate) fn begin(&self, client: Option<IpAddr>) -> Option<Exchange<'_>> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = clients.iter().filter(|other| client.is_some() && **other == client).count();
        if clients.len() >= EXCHANGES_MAX || of_client >= EXCHANGES_OF_ADDRESS_MAX {
            return None;
        }
        clients.push(client);
        Some(Exchange(self, client))
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        let mut clients = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = clients.iter().position(|client| *client == self.1) {
            clients.swap_remove(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_spent_once_and_the_memory_is_bounded() {
        let spent = SpentStates::default();
        assert!(spent.spend("a".to_owned(), 600, 0));
        assert!(!spent.spend("a".to_owned(), 600, 599));
        for number in 0..2 * SPENT_MAX {
            assert!(spent.spend(number.to_string(), 600, 0));
            assert!(spent.0.lock().expect("no panic").len() <= SPENT_MAX);
        }
    }

    #[test]
    fn address_has_two_exchanges_and_all_addresses_sixteen() {
        let exchanges = Exchanges::default();
        let address = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        let mut held: Vec<Exchange<'_>> = (0..20).filter_map(|_| exchanges.begin(address(1))).collect();
        assert_eq!(held.len(), EXCHANGES_OF_ADDRESS_MAX);
        held.extend((0..20).filter_map(|_| exchanges.begin(None)));
        assert_eq!(held.len(), EXCHANGES_MAX);
        assert!(exchanges.begin(address(2)).is_none());
        held.clear();
        assert!(exchanges.begin(address(1)).is_some());
    }
}
