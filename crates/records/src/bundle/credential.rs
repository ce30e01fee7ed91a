//! The elements that grant access: OAuth clients, consents, sessions, and personal access tokens by their hash.

use jiff::{SignedDuration, Timestamp};
use passbook_domain::scope::Scope;
use passbook_input::{Fault, Faults};
use uuid::Uuid;

use super::element::{CREATED_IN_FUTURE, CredentialRules, Element, Fields, element};
use super::text::{CredentialName, LastFour, Sha256, SourceId, Text};
use super::value::Flag;
use crate::id::derive;
use crate::record::{self, Record};

/// Maximum lifetime of a personal access token, in days.
const LIFETIME_DAYS_MAX: i64 = 366;

/// A redirect URI of a client.
type RedirectUri = Text<2000>;

element! {
    /// An OAuth client, through which people sign in at the identity provider.
    OauthClient; {
        /// The client's identifier at the identity provider.
        client_id: SourceId,
        /// The identifier of the only user whom the client may serve; absent for a client that may serve everyone.
        owner: Option<Uuid>,
        /// The client's name.
        name: CredentialName,
        /// The URIs to which the identity provider may redirect people.
        redirect_uris: Vec<RedirectUri>,
        /// The scopes that the client may use.
        scopes: Vec<Scope>,
        /// True if the client may use the REST routes.
        rest: Flag<true>,
        /// True if the client may use the tool server.
        mcp: Flag<true>,
        /// The time at which the client was revoked.
        revoked_at: Option<Timestamp>,
    }
}

impl Element for OauthClient {
    fn check(fields: &Fields<'_>, rules: &CredentialRules, faults: &mut Faults) {
        for (number, uri) in fields.valid_items::<RedirectUri>("redirect_uris") {
            if let Err(rule) = (rules.redirect_uri)(&uri.0) {
                let place = format!("{}[{number}]", fields.place_of("redirect_uris"));
                faults.push(Fault::new(place, rule).received(uri.0));
            }
        }
    }

    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::OauthClient(record::OauthClient {
            client_id: self.client_id.0,
            owner_user_id: self.owner,
            name: self.name.0,
            redirect_uris: self.redirect_uris.into_iter().map(|uri| uri.0).collect(),
            scopes: self.scopes,
            rest: self.rest.0,
            mcp: self.mcp.0,
            revoked_at: self.revoked_at,
        })
    }
}

element! {
    /// The consent of a person to a client.
    OauthConsent; {
        /// The user's identifier.
        user: Uuid,
        /// The `client_id` of the client.
        client_id: SourceId,
        /// The time at which the person consented.
        granted_at: Timestamp,
        /// The time at which the consent was revoked.
        revoked_at: Option<Timestamp>,
    } => |oauth_consent| {
        user_id: oauth_consent.user,
        client_id: oauth_consent.client_id.0,
        granted_at: oauth_consent.granted_at,
        revoked_at: oauth_consent.revoked_at,
    }
}

element! {
    /// A session of a client, recorded so that it can be revoked alone. Sessions need not be recorded.
    OauthSession; {
        /// The user's identifier.
        user: Uuid,
        /// The session's identifier at the identity provider, as in the tokens of the session.
        session_id: SourceId,
        /// The `client_id` of the client that signed in, if known.
        client_id: Option<SourceId>,
        /// The time at which the session started.
        created_at: Timestamp,
        /// The time at which the session was revoked.
        revoked_at: Option<Timestamp>,
    } => |oauth_session| {
        user_id: oauth_session.user,
        session_id: oauth_session.session_id.0,
        client_id: oauth_session.client_id.map(|client| client.0),
        created_at: oauth_session.created_at,
        revoked_at: oauth_session.revoked_at,
    }
}

element! {
    /// A personal access token, by its hash. A bundle never contains the token itself.
    PersonalAccessToken; {
        /// The user's identifier.
        user: Uuid,
        /// The token's identifier at the source.
        id: SourceId,
        /// SHA-256 of the token, in lower-case hexadecimal.
        token_hash: Sha256,
        /// The name that the owner gave the token.
        name: CredentialName,
        /// The last four characters of the token.
        last_four: LastFour,
        /// The scopes that the token grants.
        scopes: Vec<Scope>,
        /// True if the token is valid for the REST routes.
        rest: Flag<true>,
        /// True if the token is valid for the tool server.
        mcp: Flag<true>,
        /// The time at which the token was created; not in the future.
        created_at: Timestamp,
        /// The time at which the token expires: after `created_at`, by at most 366 days.
        expires_at: Timestamp,
        /// The time at which the token was revoked.
        revoked_at: Option<Timestamp>,
    }
}

impl Element for PersonalAccessToken {
    const IS_SECRET: bool = true;

    fn check(fields: &Fields<'_>, rules: &CredentialRules, faults: &mut Faults) {
        let mut add = |key: &str, rule: &str| faults.push(Fault::new(fields.place_of(key), rule));
        if fields.valid::<CredentialName>("name").is_some_and(|name| passbook_input::contains_token(&name.0))
        {
            add("name", "must not be a token, because names are displayed");
        }
        if fields.valid::<Vec<Scope>>("scopes").is_some_and(|scopes| scopes.is_empty()) {
            add("scopes", "must name at least one scope");
        }
        let Some(created_at) = fields.valid::<Timestamp>("created_at") else { return };
        if created_at > rules.created_at_max {
            add("created_at", CREATED_IN_FUTURE);
        }
        let Some(expires_at) = fields.valid::<Timestamp>("expires_at") else { return };
        let lifetime = expires_at.duration_since(created_at);
        if lifetime <= SignedDuration::ZERO || lifetime > SignedDuration::from_hours(24 * LIFETIME_DAYS_MAX) {
            add("expires_at", &format!("must be after created_at, by at most {LIFETIME_DAYS_MAX} days"));
        }
    }

    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::PersonalAccessToken(record::PersonalAccessToken {
            user_id: self.user,
            token_id: derive(self.user, "token", &self.id.0),
            token_hash: self.token_hash.0,
            name: self.name.0,
            last_four: self.last_four.0,
            scopes: self.scopes,
            rest: self.rest.0,
            mcp: self.mcp.0,
            created_at: self.created_at,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
        })
    }
}
