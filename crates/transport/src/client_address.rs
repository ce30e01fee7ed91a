//! The address by which a client is counted.

use std::net::{IpAddr, Ipv6Addr};

use hyper::HeaderMap;
use ipnet::IpNet;

/// Number of leading bits of an IPv6 address that identify a client's network: providers assign a /64 to each customer.
const IPV6_PREFIX_BITS: u32 = 64;
/// The header in which proxies list the addresses of the clients and proxies before them.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address by which a client is counted: an IPv4 address, or the /64 network of an IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// Returns the address by which `address` is counted.
    pub fn new(address: IpAddr) -> ClientAddress {
        ClientAddress(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(network_of(address)),
            address => address,
        })
    }

    /// Returns the address; for IPv6 the first address of the network.
    pub fn as_ip(self) -> IpAddr {
        self.0
    }
}

fn network_of(address: Ipv6Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - IPV6_PREFIX_BITS)))
}

/// The networks whose `X-Forwarded-For` header is trusted. By default none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads addresses and networks that are separated by commas, such as `127.0.0.1,10.0.0.0/8`.
    ///
    /// # Errors
    /// The first item that is neither an address nor a network.
    pub fn parse(text: &str) -> Result<TrustedProxies, String> {
        let network = |item: &str| {
            let address = item.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
            address.or_else(|_| item.parse()).map_err(|_| item.to_owned())
        };
        text.split(',').map(|item| network(item.trim())).collect::<Result<_, _>>().map(TrustedProxies)
    }

    /// Returns true if `address` belongs to a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the address of the client of a request that a trusted proxy has forwarded: the last entry of
    /// `X-Forwarded-For` that is not a trusted proxy. Entries before it may be forged. `None` if the header is missing,
    /// names trusted proxies only, or is malformed at that place.
    pub(crate) fn forwarded_client(&self, headers: &HeaderMap) -> Option<ClientAddress> {
        let lines = headers.get_all(FORWARDED_FOR).iter().rev();
        let entries = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        let addresses = entries.map(|entry| std::str::from_utf8(entry).ok().and_then(parse_entry));
        let client =
            addresses.into_iter().find(|address| address.is_none_or(|address| !self.contains(address)));
        client.flatten().map(ClientAddress::new)
    }
}

/// Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:4711`, which proxies write.
fn parse_entry(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    if let Ok(address) = entry.parse() {
        return Some(address);
    }
    match entry.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']')?.0.parse().ok(),
        None => entry.rsplit_once(':')?.0.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn proxies() -> TrustedProxies {
        TrustedProxies::parse("127.0.0.1, 10.0.0.0/8,2001:db8:1::/48").expect("the list is valid")
    }

    fn forwarded(lines: &[&'static str]) -> Option<IpAddr> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, hyper::header::HeaderValue::from_static(line));
        }
        proxies().forwarded_client(&headers).map(ClientAddress::as_ip)
    }

    #[test]
    fn ipv6_addresses_of_one_network_are_one_client() {
        let [first, second, other] = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]
            .map(|text| ClientAddress::new(address(text)));
        assert_eq!(first, second);
        assert_ne!(first, other);
        assert_eq!(ClientAddress::new(address("::ffff:192.0.2.1")), ClientAddress::new(address("192.0.2.1")));
    }

    #[test]
    fn last_entry_that_is_no_trusted_proxy_is_the_client() {
        let cases: [(&[&'static str], Option<&str>); 9] = [
            (&["192.0.2.7"], Some("192.0.2.7")),
            (&["203.0.113.9, 192.0.2.7, 10.1.2.3"], Some("192.0.2.7")),
            (&["203.0.113.9", "192.0.2.7"], Some("192.0.2.7")),
            (&["192.0.2.7:4711"], Some("192.0.2.7")),
            (&["[2001:db8:2::5]:443"], Some("2001:db8:2::")),
            (&["10.1.2.3"], None),
            (&["192.0.2.7, unknown"], None),
            (&[""], None),
            (&[], None),
        ];
        for (lines, expected) in cases {
            assert_eq!(forwarded(lines), expected.map(address), "{lines:?}");
        }
    }

    #[test]
    fn item_that_is_no_network_is_named() {
        for (text, item) in [("10.0.0.0/8,proxy", "proxy"), ("", ""), ("10.0.0.0/33", "10.0.0.0/33")] {
            assert_eq!(TrustedProxies::parse(text), Err(item.to_owned()));
        }
    }

    #[test]
    fn mapped_addresses_of_a_trusted_network_are_trusted() {
        assert!(proxies().contains(address("::ffff:10.2.3.4")));
        assert!(!proxies().contains(address("192.0.2.1")));
        assert!(!TrustedProxies::default().contains(address("127.0.0.1")));
    }
}
