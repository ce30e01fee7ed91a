//! Detection of hosts that are the local machine. Plain `http` to such a host does not leave the machine.

use std::net::IpAddr;

/// Returns true if `host`, as written in a URL, is the local machine: `localhost` in any case, or a loopback address
/// (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). An IPv6 address may be in brackets.
///
/// Names that only start with `localhost` or `127.0.0.1`, such as `localhost.example`, are not loopback.
pub fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_localhost_and_loopback_addresses_are_loopback() {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "localhost.example", "127.0.0.1.example", "127.1", "0.0.0.0", "192.168.0.1", "[::2]"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
