//! What every adapter reads of a request's head.

use auth::Authenticator;
use domain::access::Credential;
use domain::scope::Surface;
use hyper::Uri;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;

/// Whom a request is for: the caller that the host has authenticated itself, or whoever the Authorization headers name.
///
/// # Errors
/// Those of [`Authenticator::authenticate`].
pub async fn credential(
    authenticator: &Authenticator,
    surface: Surface,
    caller: Option<&Credential>,
    head: &Parts,
) -> Result<Credential, auth::Error> {
    if let Some(caller) = caller {
        return Ok(caller.clone());
    }
    let authorization = head.headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes());
    authenticator.authenticate(surface, authorization).await
}

/// The target of a request with another path, and the same query.
pub fn moved(target: &Uri, path: &str) -> Uri {
    let moved = match target.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    moved.parse().expect("it is a part of a target that was one")
}
