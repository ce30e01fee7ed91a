//! What an access token claims (RFC 7519 section 4, RFC 9068 section 2.2), as far as it matters.

use std::time::Duration;

use domain::access::SessionId;
use serde_json::Value;
use uuid::Uuid;

use super::{Invalid, Members, Rules};
use crate::Error;

/// Seconds by which the provider's clock and ours may differ.
const LEEWAY_SECONDS: i64 = 30;
/// The latest moment that a claim may name: the largest whole number that every JSON reader has exactly.
const MOMENT_MAX: i64 = (1 << 53) - 1;
/// Where a token names its client. Providers differ; those that name it twice agree with themselves.
const CLIENT_CLAIMS: [&str; 3] = ["client_id", "azp", "cid"];
/// Where a token names its session, the first that is there.
const SESSION_CLAIMS: [&str; 2] = ["session_id", "sid"];
/// The longest identifier of a client, in characters.
const IDENTIFIER_CHARACTERS_MAX: usize = 200;
/// What only an ID token has (OpenID Connect Core 1.0 sections 2 and 3.3.2.11).
const ID_TOKEN_CLAIMS: [&str; 3] = ["nonce", "at_hash", "c_hash"];
/// Characters of a UUID with its hyphens.
const UUID_CHARACTERS: usize = 36;

/// What a token claims, with signature, issuer and audience found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claims {
    /// The user.
    pub(crate) user: Uuid,
    /// The client that the user let in.
    pub(crate) client: String,
    /// The session of the user that the token belongs to, if the provider says.
    pub(crate) session: Option<SessionId>,
    /// When it ends, in seconds since 1970.
    pub(crate) expires: i64,
    not_before: Option<i64>,
    issued: Option<i64>,
}

impl Claims {
    /// Reads the claims and checks all that does not depend on the time.
    pub(super) fn read(bytes: &[u8], issuer: &str, rules: &Rules) -> Result<Claims, Error> {
        let members = Members::read(bytes).ok_or(Invalid::Claims)?;
        if members.get("iss").and_then(Value::as_str) != Some(issuer) {
            return Err(Invalid::Issuer.into());
        }
        let audiences = audiences(&members).ok_or(Invalid::Audience)?;
        if !audiences.iter().any(|audience| rules.audiences.iter().any(|ours| ours == audience)) {
            return Err(Invalid::Audience.into());
        }
        let user = subject(&members).ok_or(Invalid::Subject)?;
        let client = client(&members).ok_or(Invalid::Client)?;
        if audiences.contains(&client) && ID_TOKEN_CLAIMS.iter().any(|name| members.has(name)) {
            return Err(Invalid::IdToken.into());
        }
        if members.has("cnf") {
            return Err(Invalid::Bound.into());
        }
        if members.get("is_anonymous").is_some_and(|anonymous| anonymous != &Value::Bool(false)) {
            return Err(Invalid::Anonymous.into());
        }
        let session = session(&members)?;
        let expires = moment(&members, "exp")?.ok_or(Invalid::Time)?;
        let (not_before, issued) = (moment(&members, "nbf")?, moment(&members, "iat")?);
        Ok(Claims { user, client: client.to_owned(), session, expires, not_before, issued })
    }

    /// Claims of nobody that end at a moment.
    #[cfg(test)]
    pub(super) fn ending_at(expires: i64) -> Claims {
        let (user, client) = (Uuid::nil(), String::new());
        Claims { user, client, session: None, expires, not_before: None, issued: None }
    }

    /// Checks the times (RFC 7519 sections 4.1.4 to 4.1.6): a token is good before `exp`, not on it.
    pub(super) fn check_times(&self, now: i64, lifetime_max: Option<Duration>) -> Result<(), Error> {
        if [self.not_before, self.issued].into_iter().flatten().any(|at| at > now + LEEWAY_SECONDS) {
            return Err(Invalid::Time.into());
        }
        let lifetime = self.expires - self.issued.unwrap_or(now);
        let too_long = |most: Duration| i64::try_from(most.as_secs()).is_ok_and(|most| lifetime > most);
        if lifetime_max.is_some_and(too_long) {
            return Err(Invalid::Lifetime.into());
        }
        if now - LEEWAY_SECONDS >= self.expires { Err(Error::Expired) } else { Ok(()) }
    }
}

/// `aud`: a string, or strings.
fn audiences(members: &Members) -> Option<Vec<&str>> {
    match members.get("aud")? {
        Value::String(audience) => Some(vec![audience]),
        Value::Array(audiences) => audiences.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// `sub`: a UUID with hyphens, and not the one that stands for nobody.
fn subject(members: &Members) -> Option<Uuid> {
    let text = members.get("sub")?.as_str().filter(|text| text.len() == UUID_CHARACTERS)?;
    Uuid::try_parse(text).ok().filter(|user| !user.is_nil())
}

/// The one client that is named (RFC 6749 appendix A.1: visible characters).
fn client(members: &Members) -> Option<&str> {
    let mut named = CLIENT_CLAIMS.iter().filter_map(|name| members.get(name));
    let client = named.next()?.as_str()?;
    let visible = client.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let good = visible && (1..=IDENTIFIER_CHARACTERS_MAX).contains(&client.len());
    (good && named.all(|other| other == client)).then_some(client)
}

/// The session, if one is named. One that cannot be read is no reason to look for none.
fn session(members: &Members) -> Result<Option<SessionId>, Invalid> {
    let Some(named) = SESSION_CLAIMS.iter().find_map(|name| members.get(name)) else { return Ok(None) };
    let named = named.as_str().ok_or(Invalid::Session)?;
    SessionId::parse(named).map(Some).map_err(|_| Invalid::Session)
}

/// A time in whole seconds since 1970, if the claim is there.
fn moment(members: &Members, name: &str) -> Result<Option<i64>, Invalid> {
    let Some(value) = members.get(name) else { return Ok(None) };
    let moment = value.as_i64().filter(|moment| (0..=MOMENT_MAX).contains(moment));
    moment.map(Some).ok_or(Invalid::Time)
}
