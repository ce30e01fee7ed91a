//! The credentials of an input: the rules that need the clock or the check of redirect URIs, and the names of the
//! credentials that a load writes.
//!
//! The reader of bundles receives the rules as functions, so that it reports their faults together with all others. The
//! loader checks them for records of any origin.

use jiff::{SignedDuration, Timestamp};
use passbook_input::{Fault, Faults};
use passbook_records::bundle::{CREATED_IN_FUTURE, CredentialRules};
use passbook_records::{Located, Record};

use super::check::offenders;
use super::result::{CredentialChange, LoadError};
use super::stage::{Staged, Staging};
use super::statement;
use super::table::{self, CREDENTIALS};
use crate::redirect_uri::{self, is_redirect_uri};

/// Maximum time by which the clock that created a token may be ahead of this machine's clock.
const CLOCK_AHEAD_MAX: SignedDuration = SignedDuration::from_secs(60);

/// Returns the rules for the reader of bundles, by the present time.
pub fn credential_rules() -> CredentialRules {
    CredentialRules {
        created_at_max: Timestamp::now() + CLOCK_AHEAD_MAX,
        redirect_uri: |uri| if is_redirect_uri(uri) { Ok(()) } else { Err(redirect_uri::RULE) },
    }
}

/// Adds a fault for every broken rule if the record is an OAuth client or a personal access token.
pub(super) fn check(located: &Located, faults: &mut Faults) {
    let place = &located.place;
    match &located.record {
        Record::OauthClient(client) => {
            let uris = client.redirect_uris.iter().enumerate();
            for (number, uri) in uris.filter(|(_, uri)| !is_redirect_uri(uri)) {
                let place = format!("{place}.redirect_uris[{number}]");
                faults.push(Fault::new(place, redirect_uri::RULE).received(uri));
            }
        }
        // A token from the future would be valid for longer than the maximum lifetime.
        Record::PersonalAccessToken(token)
            if token.created_at.duration_since(Timestamp::now()) > CLOCK_AHEAD_MAX =>
        {
            faults.push(Fault::new(format!("{place}.created_at"), CREATED_IN_FUTURE));
        }
        _ => {}
    }
}

/// Returns the credentials that the merge of the staged rows inserts or updates, in the order of the tables. The list of
/// each table ends after [`passbook_records::FAULTS_LISTED_MAX`] entries.
pub(super) async fn find_changes(
    staging: &Staging<'_>,
    staged: &Staged,
) -> Result<Vec<CredentialChange>, LoadError> {
    let mut changes = Vec::new();
    let tables = staged.stored.iter().map(|&number| table::by_number(number));
    for table in tables.filter(|table| CREDENTIALS.contains(&table.name)) {
        let label = match table.name {
            "oauth_clients" => "staged.client_id || ' (' || staged.name || ')'",
            "oauth_consents" => "staged.client_id",
            "oauth_sessions" => "staged.session_id",
            _ => "staged.name || ' (…' || staged.last_four || ')'",
        };
        for change in offenders(staging, &statement::find_changed_rows(table, label)).await? {
            changes.push(CredentialChange {
                table: table.name,
                name: change.get(0),
                owner: change.get(1),
                inserted: change.get(2),
            });
        }
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use passbook_records::record::{OauthClient, PersonalAccessToken};
    use uuid::Uuid;

    use super::*;

    fn faults(record: Record) -> Vec<String> {
        let mut faults = Faults::unlimited();
        check(&Located { place: "records[0]".to_owned(), record }, &mut faults);
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn invalid_redirect_uris_are_reported_by_their_number() {
        let uris = ["https://a.example/callback", "http://a.example/callback", "https://a.example/#x"];
        let client = OauthClient {
            client_id: "client".to_owned(),
            owner_user_id: None,
            name: "Client".to_owned(),
            redirect_uris: uris.map(str::to_owned).to_vec(),
            scopes: Vec::new(),
            rest: true,
            mcp: true,
            revoked_at: None,
        };
        let faults = faults(Record::OauthClient(client));
        let places: Vec<&str> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
        assert_eq!(places, ["records[0].redirect_uris[1]", "records[0].redirect_uris[2]"]);
        assert!(faults[0].ends_with("received http://a.example/callback"), "{}", faults[0]);
    }

    #[test]
    fn token_created_in_the_future_is_rejected_beyond_the_clock_tolerance() {
        let token = |ahead: i64| {
            let created_at = Timestamp::now() + SignedDuration::from_secs(ahead);
            Record::PersonalAccessToken(PersonalAccessToken {
                user_id: Uuid::nil(),
                token_id: Uuid::nil(),
                token_hash: [0; 32],
                name: "Token".to_owned(),
                last_four: "abcd".to_owned(),
                scopes: Vec::new(),
                rest: true,
                mcp: true,
                created_at,
                expires_at: created_at + SignedDuration::from_hours(24),
                revoked_at: None,
            })
        };
        assert_eq!(faults(token(30)), [""; 0]);
        assert_eq!(faults(token(120)), ["records[0].created_at: must not be in the future"]);
    }
}
