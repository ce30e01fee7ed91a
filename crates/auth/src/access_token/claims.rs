//! The claims of an access token that Passbook uses (RFC 7519 section 4, RFC 9068 section 2.2), and their rules.

use std::time::Duration;

use passbook_domain::access::SessionId;
use passbook_domain::scope::Scope;
use passbook_input::Object;
use serde_json::Value;
use uuid::Uuid;

use super::invalid::Invalid;
use crate::error::Error;

/// Default of the maximum lifetime of an access token, in hours.
const LIFETIME_HOURS_MAX: u64 = 24;
/// Tolerated difference between the provider's clock and this machine's clock, in seconds.
const LEEWAY_SECONDS: i64 = 30;
/// Largest accepted time in a claim, in seconds since 1970. It is the largest integer that every JSON reader represents
/// exactly.
const TIMESTAMP_MAX: i64 = (1 << 53) - 1;
/// Names of the claims that can name the client. Providers use different claims; if a token has several of them, their
/// values must be equal.
const CLIENT_CLAIMS: [&str; 3] = ["client_id", "azp", "cid"];
/// Names of the claims that can name the session, in order of precedence.
const SESSION_CLAIMS: [&str; 2] = ["session_id", "sid"];
/// Names of the claims that list scopes (RFC 9068 section 2.2.3). Okta and Ory Hydra use `scp`.
const SCOPE_CLAIMS: [&str; 2] = ["scope", "scp"];
/// The scopes of OpenID Connect Core 1.0 (sections 3.1.2.1, 5.4 and 11). Every other name limits a token.
const OPENID_SCOPES: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];
/// Maximum length of a client identifier, in characters.
const CLIENT_ID_CHARACTERS_MAX: usize = 200;
/// Names of claims that only ID tokens have (OpenID Connect Core 1.0 section 3.3.2.11): hashes of what the token was issued
/// with.
const ID_TOKEN_CLAIMS: [&str; 2] = ["at_hash", "c_hash"];
/// Name of a claim of ID tokens (OpenID Connect Core 1.0 section 2) that some providers put into access tokens too. It tells
/// an ID token only if the client is an audience.
const NONCE: &str = "nonce";
/// Values of the claim `typ` in tokens that are not access tokens, compared without regard to case. Keycloak gives all its
/// tokens this claim; an access token has the value `Bearer`.
const OTHER_TYPES: [&str; 4] = ["ID", "Refresh", "Offline", "Logout"];
/// Value of the claim `token_use` in an access token of Amazon Cognito, which gives all its tokens this claim.
const ACCESS_TOKEN_USE: &str = "access";
/// Length of a UUID with hyphens, in characters.
const UUID_CHARACTERS: usize = 36;

/// Requirements on the claims of access tokens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rules {
    /// Accepted audiences: a token's `aud` must contain at least one.
    pub audiences: Vec<String>,
    /// Maximum time from the claim `iat` to the claim `exp`; `None` for no maximum.
    pub lifetime_max: Option<Duration>,
    /// Scopes that the host has defined for its own operations. A token is limited to those that it names, as to the scopes
    /// of Passbook.
    pub host_scopes: Vec<Scope>,
    /// True if a token reads only the data scopes that it names. Set it if clients can request data scopes: a person who
    /// allowed none of them has not consented to those of the grant. False lets a token that names only scopes of OpenID
    /// Connect, or none, read what its grant allows.
    pub scopes_required: bool,
}

impl Rules {
    /// Creates rules for these audiences with a maximum lifetime of 24 hours.
    pub fn new(audiences: Vec<String>) -> Rules {
        let lifetime_max = Some(Duration::from_secs(LIFETIME_HOURS_MAX * 60 * 60));
        Rules { audiences, lifetime_max, host_scopes: Vec::new(), scopes_required: false }
    }
}

/// The claims of a token whose issuer and audience are valid. The signature may not be verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claims {
    /// Identifier of the user, from the claim `sub`.
    pub(crate) user: Uuid,
    /// Identifier of the OAuth client to which the token was issued.
    pub(crate) client: String,
    /// Identifier of the session at the provider; `None` if the token names no session.
    pub(crate) session: Option<SessionId>,
    /// The data scopes to which the token is limited; `None` if the grant alone decides.
    pub(crate) scopes: Option<Vec<Scope>>,
    /// Time of expiry (claim `exp`), in seconds since 1970.
    pub(crate) expires: i64,
    not_before: Option<i64>,
    issued: Option<i64>,
}

impl Claims {
    /// Parses claims and checks every rule that does not depend on the time.
    pub(super) fn read(bytes: &[u8], issuer: &str, rules: &Rules) -> Result<Claims, Error> {
        let members: Object<Value> = serde_json::from_slice(bytes).map_err(|_| Invalid::Claims)?;
        if members.repeated_name().is_some() {
            return Err(Invalid::Claims.into());
        }
        if members.get("iss").and_then(Value::as_str) != Some(issuer) {
            return Err(Invalid::Issuer.into());
        }
        if !is_access_token(&members) {
            return Err(Invalid::TokenUse.into());
        }
        let audiences = audiences(&members).ok_or(Invalid::Audience)?;
        if !audiences.iter().any(|audience| rules.audiences.iter().any(|ours| ours == audience)) {
            return Err(Invalid::Audience.into());
        }
        let user = subject(&members).ok_or(Invalid::Subject)?;
        let client = client(&members).ok_or(Invalid::Client)?;
        let is_for_client = audiences.contains(&client) && members.contains(NONCE);
        if is_for_client || ID_TOKEN_CLAIMS.iter().any(|name| members.contains(name)) {
            return Err(Invalid::IdToken.into());
        }
        if members.contains("cnf") {
            return Err(Invalid::Bound.into());
        }
        if members.get("is_anonymous").is_some_and(|anonymous| anonymous != &Value::Bool(false)) {
            return Err(Invalid::Anonymous.into());
        }
        let session = session(&members)?;
        let scopes = data_scopes(&members, &rules.host_scopes)?;
        let scopes = scopes.or_else(|| rules.scopes_required.then(Vec::new));
        let expires = timestamp(&members, "exp")?.ok_or(Invalid::Time)?;
        let (not_before, issued) = (timestamp(&members, "nbf")?, timestamp(&members, "iat")?);
        Ok(Claims { user, client: client.to_owned(), session, scopes, expires, not_before, issued })
    }

    /// Creates claims of the nil user that expire at `expires`.
    #[cfg(test)]
    pub(super) fn expiring_at(expires: i64) -> Claims {
        let (user, client) = (Uuid::nil(), String::new());
        Claims { user, client, session: None, scopes: None, expires, not_before: None, issued: None }
    }

    /// Checks the lifetime and the times (RFC 7519 sections 4.1.4 to 4.1.6). A token is valid before `exp`, not at
    /// `exp`.
    pub(super) fn check_times(&self, now: i64, lifetime_max: Option<Duration>) -> Result<(), Error> {
        if [self.not_before, self.issued].into_iter().flatten().any(|at| at > now + LEEWAY_SECONDS) {
            return Err(Invalid::Time.into());
        }
        let lifetime = self.expires - self.issued.unwrap_or(now);
        let too_long = |max: Duration| i64::try_from(max.as_secs()).is_ok_and(|max| lifetime > max);
        if lifetime_max.is_some_and(too_long) {
            return Err(Invalid::Lifetime.into());
        }
        if now - LEEWAY_SECONDS >= self.expires { Err(Error::Expired) } else { Ok(()) }
    }
}

/// Returns false if the claim `typ` or `token_use` states that the token is not an access token. Most providers use
/// neither claim.
fn is_access_token(members: &Object<Value>) -> bool {
    let other_type = members.get("typ").is_some_and(|stated| {
        stated
            .as_str()
            .is_none_or(|stated| OTHER_TYPES.iter().any(|other| stated.eq_ignore_ascii_case(other)))
    });
    let other_use = members.get("token_use").is_some_and(|stated| stated.as_str() != Some(ACCESS_TOKEN_USE));
    !other_type && !other_use
}

/// Returns the audiences of the claim `aud`, which is a string or an array of strings; `None` for any other value.
fn audiences(members: &Object<Value>) -> Option<Vec<&str>> {
    match members.get("aud")? {
        Value::String(audience) => Some(vec![audience]),
        Value::Array(audiences) => audiences.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// Returns the user's identifier from the claim `sub`. It must be a UUID with hyphens and not the nil UUID.
fn subject(members: &Object<Value>) -> Option<Uuid> {
    let text = members.get("sub")?.as_str().filter(|text| text.len() == UUID_CHARACTERS)?;
    Uuid::try_parse(text).ok().filter(|user| !user.is_nil())
}

/// Returns the client identifier (RFC 6749 appendix A.1: visible ASCII characters and spaces).
fn client(members: &Object<Value>) -> Option<&str> {
    let mut named = CLIENT_CLAIMS.iter().filter_map(|name| members.get(name));
    let client = named.next()?.as_str()?;
    let visible = client.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let good = visible && (1..=CLIENT_ID_CHARACTERS_MAX).contains(&client.len());
    (good && named.all(|other| other == client)).then_some(client)
}

/// Returns the session identifier if a claim names one. A malformed session identifier is an error: ignoring it would
/// let a token outlive its revoked session.
fn session(members: &Object<Value>) -> Result<Option<SessionId>, Invalid> {
    let Some(named) = SESSION_CLAIMS.iter().find_map(|name| members.get(name)) else { return Ok(None) };
    let named = named.as_str().ok_or(Invalid::Session)?;
    SessionId::parse(named).map(Some).map_err(|_| Invalid::Session)
}

/// Returns the data scopes that the token names; `None` if it names only scopes of OpenID Connect, or none. Any other name
/// limits the token, also a name that Passbook does not know: ignoring it would widen the token. So would ignoring a
/// malformed claim, and choosing one of two claims that name different data scopes.
fn data_scopes(members: &Object<Value>, host_scopes: &[Scope]) -> Result<Option<Vec<Scope>>, Invalid> {
    let mut limit: Option<Vec<Scope>> = None;
    for claim in SCOPE_CLAIMS.iter().filter_map(|name| members.get(name)) {
        let named = scope_names(claim).ok_or(Invalid::Scope)?;
        let is_data_scope = |scope: &&Scope| named.contains(&scope.as_str());
        let scopes: Vec<Scope> =
            Scope::ALL.iter().chain(host_scopes).filter(is_data_scope).copied().collect();
        match &limit {
            _ if named.iter().all(|name| OPENID_SCOPES.contains(name)) => {}
            Some(other) if *other != scopes => return Err(Invalid::Scope),
            _ => limit = Some(scopes),
        }
    }
    Ok(limit)
}

/// Returns the names in a list of scopes: a string in which single spaces separate them, or an array of strings; `None` for
/// any other value, and if a name is empty or has a character that RFC 6749 section 3.3 does not allow.
fn scope_names(claim: &Value) -> Option<Vec<&str>> {
    let names: Vec<&str> = match claim {
        Value::String(names) if names.is_empty() => Vec::new(),
        Value::String(names) => names.split(' ').collect(),
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let is_allowed = |byte: u8| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~');
    names.iter().all(|name| !name.is_empty() && name.bytes().all(is_allowed)).then_some(names)
}

/// Returns the time claim `name` in whole seconds since 1970; `None` if the token does not have it.
fn timestamp(members: &Object<Value>, name: &str) -> Result<Option<i64>, Invalid> {
    let Some(value) = members.get(name) else { return Ok(None) };
    let seconds = value.as_i64().filter(|seconds| (0..=TIMESTAMP_MAX).contains(seconds));
    seconds.map(Some).ok_or(Invalid::Time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_that_names_a_scope_of_the_host_is_limited_to_its_scopes() {
        const RECEIPTS: Scope = Scope::host("receipts:read");
        let scopes = |names: &str, host_scopes: &[Scope]| {
            let members = format!("{{\"scope\":\"openid {names}\"}}");
            data_scopes(&serde_json::from_str(&members).expect("JSON"), host_scopes)
        };
        assert_eq!(scopes("receipts:read", &[RECEIPTS]), Ok(Some(vec![RECEIPTS])));
        let both = Ok(Some(vec![Scope::SpendingRead, RECEIPTS]));
        assert_eq!(scopes("receipts:read spending:read", &[RECEIPTS]), both);
        assert_eq!(scopes("receipts:read", &[]), Ok(Some(Vec::new())));
        assert_eq!(scopes("email", &[RECEIPTS]), Ok(None));
        assert_eq!(scopes("receipts:read spending:read", &[]), Ok(Some(vec![Scope::SpendingRead])));
    }
}
