//! Whether clients can sign in, looked at once, at start.

use auth::Provider;
use auth::sign_in::AUTHORIZE_PATH;

use crate::mount::PREFIX;
use crate::outcome::{Problem, Stop};
use crate::settings::Settings;

/// Warns of each thing about the identity provider that breaks clients, and refuses what nobody can sign in with. A
/// provider that does not answer keeps nothing from starting: personal access tokens work without it.
pub(crate) async fn examine(settings: &Settings, provider: Option<&Provider>) -> Result<(), Stop> {
    let Some(provider) = provider else { return Ok(()) };
    let Ok(metadata) = provider.metadata().await else {
        tracing::warn!(
            "whether clients can sign in is not known, as the identity provider does not answer: run \
             `passbook-admin doctor` when it does"
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
