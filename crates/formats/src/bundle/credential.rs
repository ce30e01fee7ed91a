//! The elements about who may read: clients, consents, and tokens by their hash.

use domain::scope::Scope;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{CredentialName, LastFour, Sha256, SourceId, Text};
use super::value::Flag;
use crate::id::derive;
use crate::record::{self, Record};
use crate::{Fault, Faults};

/// How long a personal access token may live.
const LIFETIME_DAYS_MAX: i64 = 366;

element! {
    /// A client that signs in through the identity provider.
    OauthClient; {
        /// Its identifier there.
        client_id: SourceId,
        /// The identifier of the one user whom it serves; absent for a client that serves everyone.
        owner: Option<Uuid>,
        /// Its name.
        name: CredentialName,
        /// Where the identity provider may send people back to.
        redirect_uris: Vec<Text<2000>>,
        /// What it may read.
        scopes: Vec<Scope>,
        /// Whether it may use the REST routes.
        rest: Flag<true>,
        /// Whether it may use the tool server.
        mcp: Flag<true>,
        /// When access was taken away.
        revoked_at: Option<Timestamp>,
    }
}

impl Element for OauthClient {
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
    /// What a person agreed to.
    OauthConsent; {
        /// The user's identifier.
        user: Uuid,
        /// The `client_id` of the client.
        client_id: SourceId,
        /// When the person agreed.
        granted_at: Timestamp,
        /// When the person took it back.
        revoked_at: Option<Timestamp>,
    }
}

impl Element for OauthConsent {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::OauthConsent(record::OauthConsent {
            user_id: self.user,
            client_id: self.client_id.0,
            granted_at: self.granted_at,
            revoked_at: self.revoked_at,
        })
    }
}

element! {
    /// A session of a client, so that it can be taken back alone; sessions need not be recorded.
    OauthSession; {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the identity provider, as the tokens of the session say it.
        session_id: SourceId,
        /// The `client_id` of the client that signed in, where it is known.
        client_id: Option<SourceId>,
        /// When it began.
        created_at: Timestamp,
        /// When it was taken back.
        revoked_at: Option<Timestamp>,
    }
}

impl Element for OauthSession {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::OauthSession(record::OauthSession {
            user_id: self.user,
            session_id: self.session_id.0,
            client_id: self.client_id.map(|client| client.0),
            created_at: self.created_at,
            revoked_at: self.revoked_at,
        })
    }
}

element! {
    /// A personal access token, by its hash. The token itself never stands in a bundle.
    PersonalAccessToken; {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the source.
        id: SourceId,
        /// SHA-256 of the token, in lower-case hexadecimal.
        token_hash: Sha256,
        /// What its owner calls it.
        name: CredentialName,
        /// The last four characters of the token.
        last_four: LastFour,
        /// What it may read.
        scopes: Vec<Scope>,
        /// Whether it may use the REST routes.
        rest: Flag<true>,
        /// Whether it may use the tool server.
        mcp: Flag<true>,
        /// When it was made.
        created_at: Timestamp,
        /// When it stops working: after `created_at`, by 366 days at most.
        expires_at: Timestamp,
        /// When it was taken away.
        revoked_at: Option<Timestamp>,
    }
}

impl PersonalAccessToken {
    /// Checks the rules that concern several fields.
    fn check(&self, place: &str, faults: &mut Faults) {
        let mut add = |key: &str, rule: String| faults.add(Fault::new(format!("{place}.{key}"), rule));
        if Fault::withholds(&self.name.0) {
            add("name", "must not be a token: names are shown".to_owned());
        }
        if self.scopes.is_empty() {
            add("scopes", "must name at least one scope".to_owned());
        }
        let lifetime = self.expires_at.duration_since(self.created_at);
        if lifetime <= SignedDuration::ZERO || lifetime > SignedDuration::from_hours(24 * LIFETIME_DAYS_MAX) {
            add("expires_at", format!("must be after created_at, by at most {LIFETIME_DAYS_MAX} days"));
        }
    }
}

impl Element for PersonalAccessToken {
    const IS_SECRET: bool = true;

    fn record(self, place: &str, faults: &mut Faults) -> Record {
        self.check(place, faults);
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
