//! The fingerprint of a token for the log.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// Number of bytes of the hash that a fingerprint has.
const BYTES: usize = 6;

/// The first 12 hexadecimal digits of the SHA-256 of a token. It connects the log lines of one token, and it is the start
/// of a personal access token's stored hash. Only for tokens that were verified: the fingerprint of a password that was
/// sent by mistake would help to guess it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; BYTES]);

impl Fingerprint {
    /// Returns the fingerprint of the token in an `Authorization` header; `None` if the header has no token.
    pub fn of_header(header: &[u8]) -> Option<Fingerprint> {
        let text = std::str::from_utf8(header).ok()?;
        let (_scheme, token) = text.split_once(' ')?;
        let hash = Sha256::digest(token.trim_matches(' '));
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash[..BYTES]);
        Some(Fingerprint(bytes))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_the_start_of_the_hash_of_the_token_alone() {
        // The SHA-256 of "test" starts with 9f86d081884c.
        for header in ["Bearer test", "bearer  test "] {
            let fingerprint = Fingerprint::of_header(header.as_bytes()).expect("a token");
            assert_eq!(fingerprint.to_string(), "9f86d081884c");
        }
        assert_eq!(Fingerprint::of_header(b"test"), None);
        assert_eq!(Fingerprint::of_header(&[0xff, b' ', b'a']), None);
    }
}
