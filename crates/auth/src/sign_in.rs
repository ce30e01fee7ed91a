//! Signing in through this service: how it presents the identity provider to clients, and what about a provider would
//! break them.

mod fitness;

pub use fitness::{Finding, examine};

use domain::Invalid;

/// Which issuer the discovery documents name. Clients compare it with different things, so no single one suits all of
/// them unless the provider's issuer is this service's own origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The authorization-server document names the origin, which assistants compare with the address they were sent to
    /// (RFC 8414 section 3.3); the OpenID configuration names the provider, which dashboards compare with the ID token
    /// (OpenID Connect Core 1.0 section 3.1.3.7).
    #[default]
    Split,
    /// Both name the origin.
    Origin,
    /// Clients are sent to the provider itself, and both documents name it.
    Direct,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 3] = [Mode::Split, Mode::Origin, Mode::Direct];

    /// The word in the settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Split => "split",
            Mode::Origin => "origin",
            Mode::Direct => "direct",
        }
    }

    /// The mode of a word.
    ///
    /// # Errors
    /// Any other word.
    pub fn parse(text: &str) -> Result<Mode, Invalid> {
        let found = Mode::ALL.into_iter().find(|mode| mode.as_str() == text);
        found.ok_or_else(|| Invalid::new("must be split, origin or direct"))
    }
}

/// The path of the authorization proxy, below the base address.
pub const AUTHORIZE_PATH: &str = "/oauth/authorize";

/// The scope that the proxy takes out unless it is told otherwise: providers refused it for long, and clients ask for it
/// wherever a document lists it.
pub const STRIPPED_SCOPE: &str = "offline_access";

/// Scopes that the proxy takes out, from their text in the settings: with commas between them, or `none`.
///
/// # Errors
/// A word that is no scope token (RFC 6749 section 3.3).
pub fn stripped_scopes(text: &str) -> Result<Vec<String>, Invalid> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
    let token = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    if words.iter().all(|word| !word.is_empty() && word.bytes().all(token)) {
        Ok(words)
    } else {
        Err(Invalid::new("must be scopes with commas between them, or none"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_or_refused() {
        for mode in Mode::ALL {
            assert_eq!(Mode::parse(mode.as_str()), Ok(mode));
        }
        assert!(Mode::parse("").is_err() && Mode::parse("Split").is_err());
        assert_eq!(stripped_scopes("none"), Ok(Vec::new()));
        assert_eq!(stripped_scopes("a, b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for text in ["", "a,,b", "a b", "a,\"", "é"] {
            assert!(stripped_scopes(text).is_err(), "{text}");
        }
    }
}
