//! Settings of the identity provider.

use std::sync::Arc;
use std::time::Duration;

use passbook_domain::Invalid;

use super::url_policy::UrlPolicy;
use crate::clock::{Clock, SystemClock};

/// Default time limit for fetching a document, in seconds. It includes the time to connect.
const FETCH_SECONDS_MAX: u64 = 3;
/// Default maximum age of a document that is used while the provider does not answer, in hours.
const STALE_HOURS_MAX: u64 = 24;

/// Checks an issuer identifier: a URL with `https`, or `http` on a loopback address, without query, fragment, user
/// name and password.
///
/// # Errors
/// [`Invalid`] with the rule that the text breaks.
pub fn check_issuer(issuer: &str) -> Result<(), Invalid> {
    UrlPolicy::new(issuer, &[]).map(drop).map_err(Invalid::new)
}

/// Settings of a [`Provider`](super::Provider).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The issuer identifier, such as `https://project.example/auth/v1`. Must equal the issuer in the provider's
    /// documents and tokens byte for byte. `https`, or `http` on a loopback address.
    pub issuer: String,
    /// Names of hosts that the provider's documents may contain besides the issuer's host, such as
    /// `www.googleapis.com`.
    pub allowed_hosts: Vec<String>,
    /// Time limit for fetching a document. It includes the time to connect.
    pub timeout: Duration,
    /// Maximum age of a document that is used while the provider does not answer.
    pub stale_max: Duration,
    /// The clock for token lifetimes and document ages.
    pub clock: Arc<dyn Clock>,
}

impl Settings {
    /// Creates settings with defaults: no further allowed hosts, a time limit of 3 seconds per fetch, a maximum age of
    /// 24 hours, and the system's clock.
    pub fn new(issuer: impl Into<String>) -> Settings {
        Settings {
            issuer: issuer.into(),
            allowed_hosts: Vec::new(),
            timeout: Duration::from_secs(FETCH_SECONDS_MAX),
            stale_max: Duration::from_secs(STALE_HOURS_MAX * 60 * 60),
            clock: Arc::new(SystemClock::new()),
        }
    }

    /// Sets the names of hosts that the provider's documents may contain besides the issuer's host.
    #[must_use]
    pub fn with_allowed_hosts(self, allowed_hosts: Vec<String>) -> Settings {
        Settings { allowed_hosts, ..self }
    }

    /// Sets the time limit for fetching a document.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Settings {
        Settings { timeout, ..self }
    }

    /// Sets the clock for token lifetimes and document ages.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Settings {
        Settings { clock, ..self }
    }

    pub(super) fn url_policy(&self) -> Result<UrlPolicy, SettingsError> {
        UrlPolicy::new(&self.issuer, &self.allowed_hosts).map_err(SettingsError::Issuer)
    }
}

/// The reason why settings of the identity provider cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The issuer is not an acceptable address. Contains the rule that the issuer breaks.
    #[error("{0}")]
    Issuer(&'static str),
    /// The HTTPS client cannot be created, probably because the system has no root certificates.
    #[error("the HTTPS client cannot be created; install root certificates on this system")]
    Client(#[source] reqwest::Error),
}
