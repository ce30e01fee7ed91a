//! Sealing of cookie values: AES-256-GCM-SIV (RFC 8452) with a random nonce. A sealed value can be opened only under the
//! same key, for the same cookie name and the same origin.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Length of a session key in bytes.
const KEY_BYTES: usize = 32;

/// The key that seals session cookies.
#[derive(Clone)]
pub struct SessionKey([u8; KEY_BYTES]);

impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

impl SessionKey {
    /// Parses a key: 64 hexadecimal digits.
    ///
    /// # Errors
    /// The rule that the text breaks, as a clause that follows the name of a setting.
    pub fn parse(text: &str) -> Result<SessionKey, &'static str> {
        let rule = "must be 64 hexadecimal digits, such as those that `openssl rand -hex 32` prints";
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() == 2 * KEY_BYTES).ok_or(rule)?;
        let mut key = [0; KEY_BYTES];
        for (byte, pair) in key.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::try_from(pair[0] * 16 + pair[1]).map_err(|_| rule)?;
        }
        Ok(SessionKey(key))
    }

    /// Generates a random key. Sessions under it end with the process.
    pub fn generate() -> SessionKey {
        SessionKey(random())
    }
}

/// Returns random bytes of the operating system's secure source.
pub(crate) fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

/// Returns a random text of `BYTES` random bytes in base64url.
pub(crate) fn random_text<const BYTES: usize>() -> String {
    URL_SAFE_NO_PAD.encode(random::<BYTES>())
}

/// Seals and opens the values of cookies of one origin.
#[derive(Debug)]
pub(crate) struct Sealer {
    key: RandomizedNonceKey,
    origin: String,
}

impl Sealer {
    pub(crate) fn new(key: &SessionKey, origin: &str) -> Sealer {
        let key = RandomizedNonceKey::new(&AES_256_GCM_SIV, &key.0);
        Sealer { key: key.expect("the key has the length of the algorithm"), origin: origin.to_owned() }
    }

    /// Returns the sealed value for the cookie `name`, in base64url: nonce, ciphertext, tag.
    pub(crate) fn seal(&self, name: &str, mut value: Vec<u8>) -> String {
        let nonce = self.key.seal_in_place_append_tag(self.associated_data(name), &mut value);
        let nonce = nonce.expect("the value is shorter than the limit of the algorithm");
        URL_SAFE_NO_PAD.encode([&nonce.as_ref()[..], &value].concat())
    }

    /// Returns the value that was sealed for the cookie `name`; `None` if it was sealed for another cookie or origin,
    /// under another key, or has been changed.
    pub(crate) fn open(&self, name: &str, sealed: &str) -> Option<Vec<u8>> {
        let mut sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let mut ciphertext = sealed.split_off(NONCE_LEN.min(sealed.len()));
        let nonce = Nonce::try_assume_unique_for_key(&sealed).ok()?;
        let opened = self.key.open_in_place(nonce, self.associated_data(name), &mut ciphertext).ok()?;
        Some(opened.to_vec())
    }

    /// The cookie name has no space, so that name and origin cannot be confused.
    fn associated_data(&self, name: &str) -> Aad<String> {
        Aad::from(format!("{name} {}", self.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_value_opens_only_under_its_key_name_and_origin() {
        let (key, other) = (SessionKey::generate(), SessionKey::generate());
        let sealer = Sealer::new(&key, "http://127.0.0.1:1");
        let sealed = sealer.seal("a", b"value".to_vec());
        assert_eq!(sealer.open("a", &sealed).as_deref(), Some(&b"value"[..]));
        assert_eq!(
            Sealer::new(&key, "http://127.0.0.1:1").open("a", &sealed).as_deref(),
            Some(&b"value"[..])
        );
        assert_eq!(sealer.open("b", &sealed), None);
        assert_eq!(Sealer::new(&key, "http://127.0.0.1:2").open("a", &sealed), None);
        assert_eq!(Sealer::new(&other, "http://127.0.0.1:1").open("a", &sealed), None);
        assert_ne!(sealer.seal("a", b"value".to_vec()), sealed, "every seal has a nonce of its own");
    }

    #[test]
    fn changed_and_short_values_do_not_open() {
        let sealer = Sealer::new(&SessionKey::generate(), "http://127.0.0.1:1");
        let sealed = sealer.seal("a", b"value".to_vec());
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(sealer.open("a", &changed), None, "{at}");
            assert_eq!(sealer.open("a", &sealed[..at]), None, "{at}");
        }
    }

    #[test]
    fn key_is_64_hexadecimal_digits() {
        assert!(SessionKey::parse(&"0aF9".repeat(16)).is_ok());
        for text in ["", "0", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"+0".repeat(32)] {
            assert!(SessionKey::parse(text).is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", SessionKey::generate()), "SessionKey(…)");
    }
}
