//! The check at start that clients can sign in with the identity provider.

use auth::Provider;
use auth::sign_in::AUTHORIZE_PATH;

use crate::mount::PREFIX;
use crate::outcome::{Problem, Stop};
use crate::settings::Settings;

/// Warns about each property of the identity provider that breaks some clients.
///
/// A provider that does not answer is only a warning, because personal access tokens work without it.
///
/// # Errors
/// A property of the provider makes signing in impossible.
pub(crate) async fn run(settings: &Settings, provider: Option<&Provider>) -> Result<(), Stop> {
    let Some(provider) = provider else { return Ok(()) };
    let Ok(metadata) = provider.metadata().await else {
        tracing::warn!(
            "the identity provider does not answer, so it is unknown whether clients can sign in: run \
             `passbook-admin doctor` once it answers"
        );
        return Ok(());
    };
    let origin = settings.origin.clone().unwrap_or_else(|| format!("http://{}", settings.listen));
    let proxy = format!("{origin}{PREFIX}{AUTHORIZE_PATH}");
    let findings = auth::sign_in::examine(&metadata, settings.oauth_mode, &origin, &proxy);
    let (refused, warned): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.refused);
    for finding in warned {
        tracing::warn!("signing in: {finding}");
    }
    let problem = |finding: auth::sign_in::Finding| Problem::new("PASSBOOK_OIDC_ISSUER", &finding.sentence);
    let problems: Vec<Problem> = refused.into_iter().map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(Stop::Configuration(problems)) }
}
