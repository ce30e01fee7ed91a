//! A sign-in code: a text that is exchanged for a session once, within ten minutes. A host prints it as part of an address,
//! so that a person opens the page signed in without seeing a token.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use passbook_auth::Clock;

use crate::sealing::random_text;

/// Time within which a code must be exchanged.
const LIFETIME: Duration = Duration::from_secs(600);
/// Number of random bytes of a code.
const CODE_BYTES: usize = 24;

/// A code that is exchanged for a session once. Clones share the exchange.
#[derive(Clone)]
pub struct SignInCode {
    code: Arc<str>,
    token: Arc<Mutex<Option<String>>>,
    clock: Arc<dyn Clock>,
    created: Duration,
}

impl fmt::Debug for SignInCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignInCode(…)")
    }
}

impl SignInCode {
    /// Creates a random code for a session with `token`.
    pub fn new(token: String, clock: Arc<dyn Clock>) -> SignInCode {
        let created = clock.elapsed();
        let code = Arc::from(random_text::<CODE_BYTES>());
        SignInCode { code, token: Arc::new(Mutex::new(Some(token))), clock, created }
    }

    /// Returns the code: 32 characters of base64url. It belongs into the fragment of an address, which browsers send to
    /// no server.
    pub fn reveal(&self) -> &str {
        &self.code
    }

    /// Returns the token the first time that the right code is presented within ten minutes.
    pub(crate) fn exchange(&self, presented: &str) -> Option<String> {
        verify_slices_are_equal(self.code.as_bytes(), presented.as_bytes()).ok()?;
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner).take();
        token.filter(|_| self.clock.elapsed() - self.created < LIFETIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Stopped(Mutex<Duration>);

    impl Clock for Stopped {
        fn unix_seconds(&self) -> i64 {
            0
        }

        fn elapsed(&self) -> Duration {
            *self.0.lock().expect("the lock")
        }
    }

    #[test]
    fn code_is_exchanged_once() {
        let code = SignInCode::new("token".to_owned(), Arc::new(Stopped::default()));
        assert_eq!(code.reveal().len(), 32);
        assert_eq!(code.exchange("wrong"), None);
        assert_eq!(code.clone().exchange(code.reveal()).as_deref(), Some("token"));
        assert_eq!(code.exchange(code.reveal()), None);
    }

    #[test]
    fn code_expires_after_ten_minutes() {
        for (seconds, expected) in [(599, Some("token")), (600, None)] {
            let clock = Arc::new(Stopped::default());
            let code = SignInCode::new("token".to_owned(), clock.clone());
            *clock.0.lock().expect("the lock") = Duration::from_secs(seconds);
            assert_eq!(code.exchange(code.reveal()).as_deref(), expected, "{seconds}");
        }
    }
}
