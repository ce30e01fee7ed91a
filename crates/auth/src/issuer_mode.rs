//! The issuer mode: selects the issuer that each discovery document of this service names.

use passbook_domain::Invalid;

/// Selects the issuer that each discovery document names.
///
/// Assistants and dashboards compare this issuer with different values. Both comparisons succeed with one issuer only
/// if the identity provider's issuer equals the origin of this service.
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
    fn mode_names_are_parsed_case_sensitively() {
        for mode in IssuerMode::ALL {
            assert_eq!(IssuerMode::parse(mode.as_str()), Ok(mode));
        }
        assert!(IssuerMode::parse("").is_err() && IssuerMode::parse("Split").is_err());
    }
}
