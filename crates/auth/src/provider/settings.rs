//! What a host says about the identity provider.

use std::sync::Arc;
use std::time::Duration;

use domain::Invalid;

use super::address::Trust;
use crate::clock::{Clock, SystemClock};

/// Seconds for one document or the keys to arrive, connecting included.
const FETCH_SECONDS_MAX: u64 = 3;
/// Hours for which what was fetched last may still be used while the provider does not answer.
const STALE_HOURS_MAX: u64 = 24;

/// Refuses text that is no issuer which may be trusted: a URL with `https`, or `http` on a loopback address, with
/// neither query nor fragment nor password.
pub fn check_issuer(issuer: &str) -> Result<(), Invalid> {
    Trust::new(issuer, &[]).map(drop).map_err(Invalid::new)
}

/// What a host says about the identity provider.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its identifier, such as `https://project.example/auth/v1`: what `iss` says in its documents and its tokens, byte
    /// for byte. `https`, or `http` on a loopback address.
    pub issuer: String,
    /// Hosts besides the issuer's that its documents may name, such as `www.googleapis.com`.
    pub allowed_hosts: Vec<String>,
    /// How long a document may take to arrive, connecting included.
    pub timeout: Duration,
    /// How long what was fetched last may be used while the provider does not answer.
    pub stale_max: Duration,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
}

impl Settings {
    /// The provider of an issuer: only its own host, 3 seconds, 24 hours, the system's clock.
    pub fn new(issuer: impl Into<String>) -> Settings {
        Settings {
            issuer: issuer.into(),
            allowed_hosts: Vec::new(),
            timeout: Duration::from_secs(FETCH_SECONDS_MAX),
            stale_max: Duration::from_secs(STALE_HOURS_MAX * 60 * 60),
            clock: Arc::new(SystemClock::new()),
        }
    }

    pub(super) fn trust(&self) -> Result<Trust, SettingsError> {
        Trust::new(&self.issuer, &self.allowed_hosts).map_err(SettingsError::Issuer)
    }
}

/// Settings that will not do.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The issuer breaks this rule.
    #[error("{0}")]
    Issuer(&'static str),
    /// There is no way to reach it safely, for want of root certificates perhaps.
    #[error("no TLS client can be made: are there root certificates on this system?")]
    Client(#[source] reqwest::Error),
}
