//! The identity provider as the host configures it for clients of this service.

use std::sync::Arc;

use passbook_auth::Provider;
use passbook_auth::authorization_proxy::{AUTHORIZE_PATH, STRIPPED_SCOPE};
use passbook_auth::compatibility;
use passbook_auth::issuer_mode::IssuerMode;
use passbook_auth::provider::DiscoveryDocument;
use passbook_web::{BaseUrl, HttpError};

const UNAVAILABLE: &str = "The identity provider cannot be reached right now: try again shortly.";

/// The identity provider, and the settings for the discovery documents and the authorization proxy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProviderConfig {
    /// The identity provider whose access tokens the authenticator accepts.
    pub provider: Provider,
    /// The issuer mode, which selects the issuer that each discovery document names.
    pub mode: IssuerMode,
    /// Scopes that `/oauth/authorize` removes from a request before it redirects to the provider.
    pub stripped_scopes: Vec<String>,
}

impl ProviderConfig {
    /// Creates the configuration that suits most providers: [`IssuerMode::Split`], and the proxy removes the scope
    /// `offline_access`.
    pub fn new(provider: Provider) -> ProviderConfig {
        let stripped_scopes = vec![STRIPPED_SCOPE.to_owned()];
        ProviderConfig { provider, mode: IssuerMode::default(), stripped_scopes }
    }

    /// Returns the issuer that the protected-resource metadata names as the authorization server.
    pub(crate) fn authorization_server<'a>(&'a self, base_url: &'a BaseUrl) -> &'a str {
        match self.mode {
            IssuerMode::Split | IssuerMode::Origin => base_url.origin(),
            IssuerMode::Direct => self.provider.issuer(),
        }
    }

    /// Returns the provider's discovery document.
    ///
    /// # Errors
    /// `UNAVAILABLE` if the document cannot be fetched, or if its authorization endpoint is the proxy of this service,
    /// which would redirect forever.
    pub(crate) async fn discovery_document(
        &self,
        base_url: &BaseUrl,
    ) -> Result<Arc<DiscoveryDocument>, HttpError> {
        let metadata = self.provider.discovery_document().await.map_err(|error| {
            let seconds = error.retry_after_seconds();
            HttpError::outage(UNAVAILABLE, error, seconds)
        })?;
        let proxy = format!("{base_url}{AUTHORIZE_PATH}");
        let findings = compatibility::check(&metadata, self.mode, base_url.origin(), &proxy);
        match findings.into_iter().find(|finding| finding.refused) {
            Some(finding) => Err(HttpError::unavailable(UNAVAILABLE, finding.sentence)),
            None => Ok(metadata),
        }
    }
}
