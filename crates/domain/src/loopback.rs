//! Which hosts of an address are this machine, so that nobody can listen in between.

use std::net::IpAddr;

/// Whether a host, as it stands in an address, is this machine: `localhost` in any case, or a loopback address (RFC 1122
/// section 3.2.1.3, RFC 4291 section 2.5.3; version 6 in brackets or without). A name that merely begins so is not.
pub fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_it() {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "localhost.example", "127.0.0.1.example", "127.1", "0.0.0.0", "192.168.0.1", "[::2]"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
