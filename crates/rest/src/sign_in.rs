//! Signing in: what a host says about it, and the provider's metadata as far as it may be handed on.

use std::sync::Arc;

use auth::Provider;
use auth::provider::Metadata;
use auth::sign_in::{AUTHORIZE_PATH, Mode, STRIPPED_SCOPE, examine};
use web::{BaseUrl, Refusal};

const UNAVAILABLE: &str = "The identity provider cannot be reached right now: try again shortly.";

/// What a host says about signing in.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The identity provider: the one whose access tokens the authenticator accepts.
    pub provider: Provider,
    /// Which issuer the discovery documents name.
    pub mode: Mode,
    /// Scopes that `/oauth/authorize` takes out before it hands a request on.
    pub stripped_scopes: Vec<String>,
}

impl SignIn {
    /// Signing in as most providers need it: [`Mode::Split`], `offline_access` taken out.
    pub fn new(provider: Provider) -> SignIn {
        SignIn { provider, mode: Mode::default(), stripped_scopes: vec![STRIPPED_SCOPE.to_owned()] }
    }

    /// Where clients are sent to sign in.
    pub(crate) fn authorization_server<'a>(&'a self, base_url: &'a BaseUrl) -> &'a str {
        match self.mode {
            Mode::Split | Mode::Origin => base_url.origin(),
            Mode::Direct => self.provider.issuer(),
        }
    }

    /// What the provider says of itself. 503 when it is not known, or leads back here.
    pub(crate) async fn metadata(&self, base_url: &BaseUrl) -> Result<Arc<Metadata>, Refusal> {
        let unavailable = |error| Refusal::unavailable(UNAVAILABLE, error);
        let metadata = self.provider.metadata().await.map_err(unavailable)?;
        let proxy = format!("{base_url}{AUTHORIZE_PATH}");
        let findings = examine(&metadata, self.mode, base_url.origin(), &proxy);
        match findings.into_iter().find(|finding| finding.refused) {
            Some(finding) => Err(Refusal::unavailable(UNAVAILABLE, finding.sentence)),
            None => Ok(metadata),
        }
    }
}
