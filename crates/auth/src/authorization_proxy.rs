//! Settings of the discovery documents and of the authorization proxy, which redirects browsers to the identity
//! provider's authorization endpoint.

use passbook_domain::Invalid;

/// The path of the authorization proxy, below the base address.
pub const AUTHORIZE_PATH: &str = "/oauth/authorize";

/// The scope that the authorization proxy removes by default. Clients request this scope wherever a document lists it,
/// and many providers reject requests that contain it.
pub const STRIPPED_SCOPE: &str = "offline_access";

/// Parses the list of scopes that the authorization proxy removes: scopes separated by commas, or `none`.
///
/// # Errors
/// [`Invalid`] if an item is not a scope token (RFC 6749 section 3.3).
pub fn stripped_scopes(text: &str) -> Result<Vec<String>, Invalid> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let scopes: Vec<String> = text.split(',').map(|scope| scope.trim().to_owned()).collect();
    let is_scope_byte = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    if scopes.iter().all(|scope| !scope.is_empty() && scope.bytes().all(is_scope_byte)) {
        Ok(scopes)
    } else {
        Err(Invalid::new("must be scopes with commas between them, or none"))
    }
}

/// Selects the issuer that each discovery document names.
///
/// Assistants and dashboards compare that issuer with different values. One issuer satisfies both only when the
/// identity provider's issuer equals this service's own origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IssuerMode {
    /// The authorization-server document names the origin: assistants compare its issuer with the address that they
    /// were sent to (RFC 8414 section 3.3). The OpenID configuration names the provider: dashboards compare its
    /// issuer with the ID token (OpenID Connect Core 1.0 section 3.1.3.7).
    #[default]
    Split,
    /// Both documents name the origin of this service as the issuer.
    Origin,
    /// Both documents name the identity provider as the issuer. Clients send their requests to the provider, not to the
    /// proxy.
    Direct,
}

impl IssuerMode {
    /// All issuer modes.
    pub const ALL: [IssuerMode; 3] = [IssuerMode::Split, IssuerMode::Origin, IssuerMode::Direct];

    /// Returns the name of the mode, as settings contain it.
    pub const fn as_str(self) -> &'static str {
        match self {
            IssuerMode::Split => "split",
            IssuerMode::Origin => "origin",
            IssuerMode::Direct => "direct",
        }
    }

    /// Parses the name of an issuer mode.
    ///
    /// # Errors
    /// [`Invalid`] for any other text. Names are case-sensitive.
    pub fn parse(text: &str) -> Result<IssuerMode, Invalid> {
        let found = IssuerMode::ALL.into_iter().find(|mode| mode.as_str() == text);
        found.ok_or_else(|| Invalid::new("must be split, origin or direct"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripped_scopes_are_a_comma_separated_list_or_none() {
        assert_eq!(stripped_scopes("none"), Ok(Vec::new()));
        assert_eq!(stripped_scopes("a, b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for text in ["", "a,,b", "a b", "a,\"", "é"] {
            assert!(stripped_scopes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn mode_names_are_parsed_case_sensitively() {
        for mode in IssuerMode::ALL {
            assert_eq!(IssuerMode::parse(mode.as_str()), Ok(mode));
        }
        assert!(IssuerMode::parse("").is_err() && IssuerMode::parse("Split").is_err());
    }
}
