//! The check at start that clients can sign in with the identity provider.

use std::sync::Arc;

use passbook_auth::Provider;
use passbook_auth::authorization_proxy::AUTHORIZE_PATH;
use passbook_auth::compatibility::{Finding, check};
use passbook_auth::issuer_mode::IssuerMode;
use passbook_auth::provider::DiscoveryDocument;
use passbook_input::Fault;
use passbook_settings::remedies;

use crate::error::ServerError;
use crate::mount::PREFIX;
use crate::settings::Settings;

/// The findings about the identity provider's discovery document. The origin is a parameter of each check, because the
/// port may be unknown until the server listens.
pub(crate) struct ProviderCheck {
    mode: IssuerMode,
    document: Option<Arc<DiscoveryDocument>>,
}

impl ProviderCheck {
    /// Fetches the discovery document. A provider that does not answer is only a warning, because personal access tokens
    /// work without it.
    pub(crate) async fn fetch(settings: &Settings, provider: Option<&Provider>) -> ProviderCheck {
        let mode = settings.oauth_mode;
        let Some(provider) = provider else { return ProviderCheck { mode, document: None } };
        let document = provider.discovery_document().await.ok();
        if document.is_none() {
            tracing::warn!(
                "the identity provider does not answer, so it is unknown whether clients can sign in: run \
                 `passbook-admin doctor` once it answers"
            );
        }
        ProviderCheck { mode, document }
    }

    /// Checks that signing in is possible at `origin`.
    ///
    /// # Errors
    /// A property of the provider makes signing in impossible.
    pub(crate) fn require_sign_in(&self, origin: &str) -> Result<(), ServerError> {
        let problem =
            |finding: Finding| Fault::verbatim("PASSBOOK_OIDC_ISSUER", remedies::sign_in_finding(&finding));
        let refused = self.findings(origin).into_iter().filter(|finding| finding.refused);
        let problems: Vec<Fault> = refused.map(problem).collect();
        if problems.is_empty() { Ok(()) } else { Err(ServerError::Configuration(problems)) }
    }

    /// Warns about each property of the provider that breaks some clients at `origin`.
    pub(crate) fn warn(&self, origin: &str) {
        for finding in self.findings(origin).iter().filter(|finding| !finding.refused) {
            tracing::warn!("signing in: {}", remedies::sign_in_finding(finding));
        }
    }

    fn findings(&self, origin: &str) -> Vec<Finding> {
        let proxy = format!("{origin}{PREFIX}{AUTHORIZE_PATH}");
        let document = self.document.as_deref();
        document.map(|document| check(document, self.mode, origin, &proxy)).unwrap_or_default()
    }
}
