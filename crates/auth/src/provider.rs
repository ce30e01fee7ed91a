//! The identity provider: who signs people in elsewhere, and signs the access tokens that they bring.
//!
//! What it says of itself is fetched, checked, kept, and refreshed. Nothing is taken from an address that the issuer
//! and the settings do not vouch for, and nothing that a caller sends decides what is fetched.

mod address;
mod fetch;
mod kept;
mod metadata;
mod settings;

use std::sync::Arc;
use std::time::Duration;

pub use kept::{State, Unavailable};
pub use metadata::Metadata;
pub use settings::{Settings, SettingsError};

use fetch::Fetcher;
use kept::Kept;
use metadata::Discovery;

/// The shortest wait between two looks at what is due, so that a clock that jumps cannot make it spin.
const LOOK_WAIT_MIN: Duration = Duration::from_secs(1);

/// An identity provider. Cheap to clone; clones share what they have fetched.
#[derive(Clone, Debug)]
pub struct Provider {
    issuer: Arc<str>,
    metadata: Arc<Kept<Discovery>>,
}

/// What is known of the provider now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What it says of itself.
    pub metadata: State,
}

impl Provider {
    /// A provider. Nothing is fetched yet: the first who asks, or [`Provider::keep_fresh`], does that.
    ///
    /// # Errors
    /// [`SettingsError`] when the issuer is no address that may be trusted, or the system has no root certificates.
    pub fn new(settings: Settings) -> Result<Provider, SettingsError> {
        let issuer = Arc::from(settings.issuer.as_str());
        let trust = settings.trust()?;
        let fetcher = Fetcher::new(&trust, settings.timeout)?;
        let discovery = Discovery::new(&settings.issuer, trust, fetcher);
        let metadata = Arc::new(Kept::new(discovery, settings.stale_max, settings.clock.clone()));
        Ok(Provider { issuer, metadata })
    }

    /// Its identifier, byte for byte as configured.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// What it says of itself: fetched by the first who asks, refreshed when its time has come, and kept for as long
    /// as [`Settings::stale_max`] says while the provider does not answer.
    ///
    /// # Errors
    /// [`Unavailable`] when there is none that may be used.
    pub async fn metadata(&self) -> Result<Arc<Metadata>, Unavailable> {
        self.metadata.get().await
    }

    /// What is known of it now. Fetches nothing.
    pub fn status(&self) -> Status {
        Status { metadata: self.metadata.state() }
    }

    /// Keeps what is known fresh, for ever: the host runs it beside what it serves and drops it at the end. Without it
    /// all is as right, but the first request after a document's time waits for the next.
    pub async fn keep_fresh(&self) {
        loop {
            // What failed is in the log and in the status.
            let _ = self.metadata.get().await;
            tokio::time::sleep(self.metadata.due_in().max(LOOK_WAIT_MIN)).await;
        }
    }
}
