//! The check at start that clients can sign in with the identity provider.

use ::settings::remedies;
use auth::Provider;
use auth::authorization_proxy::AUTHORIZE_PATH;
use auth::compatibility::{Finding, Remedy};
use fault::Fault;

use crate::error::ServerError;
use crate::mount::PREFIX;
use crate::settings::Settings;

/// Warns about each property of the identity provider that breaks some clients.
///
/// A provider that does not answer is only a warning, because personal access tokens work without it.
///
/// # Errors
/// A property of the provider makes signing in impossible.
pub(crate) async fn run(settings: &Settings, provider: Option<&Provider>) -> Result<(), ServerError> {
    let Some(provider) = provider else { return Ok(()) };
    let Ok(metadata) = provider.discovery_document().await else {
        tracing::warn!(
            "the identity provider does not answer, so it is unknown whether clients can sign in: run \
             `passbook-admin doctor` once it answers"
        );
        return Ok(());
    };
    let origin = settings.origin.clone().unwrap_or_else(|| format!("http://{}", settings.listen));
    let proxy = format!("{origin}{PREFIX}{AUTHORIZE_PATH}");
    let findings = auth::compatibility::check(&metadata, settings.oauth_mode, &origin, &proxy);
    let (refused, warned): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.refused);
    for finding in warned {
        tracing::warn!("signing in: {}", with_remedy(&finding));
    }
    let problem = |finding: &Finding| Fault::verbatim("PASSBOOK_OIDC_ISSUER", with_remedy(finding));
    let problems: Vec<Fault> = refused.iter().map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(ServerError::Configuration(problems)) }
}

/// The finding with the setting that fixes the problem.
fn with_remedy(finding: &Finding) -> String {
    let remedy = match finding.remedy {
        None => return finding.sentence.clone(),
        Some(Remedy::HttpsOrigin) => remedies::HTTPS_ORIGIN,
        Some(Remedy::DirectMode) => remedies::DIRECT_MODE,
        Some(Remedy::SplitMode) => remedies::SPLIT_MODE,
        Some(Remedy::ProviderIssuer) => remedies::PROVIDER_ISSUER,
    };
    format!("{}; {remedy}", finding.sentence)
}
