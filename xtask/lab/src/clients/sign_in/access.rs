//! Checks which users get data through a client, and that a revoked client gets none: over the same connections, over
//! REST and MCP, with the old access token and with a refreshed one.

use serde_json::Value;

use super::household::Household;
use super::programs::Programs;
use super::servers::Servers;
use super::signed_in_client::{SignedInClient, refused, served};
use crate::command::print_line;

/// Name of the setting in which access is checked: the default mode, with a provider that always issues a refresh
/// token.
const SETTING: &str = "supabase-split";

/// Checks the access of each user. Returns one line per unexpected response.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("checking the access of owners, other users and revoked clients");
    let served = served();
    let mut found = Vec::new();
    let mut compare = |case: &str, received: Value, expected: &Value| {
        if received != *expected {
            found.push(format!("{case}: received {received}, expected {expected}"));
        }
    };

    let start = |who| SignedInClient::start(who, SETTING, programs, household, servers);
    compare("the owner of a dashboard", start(household.owner_of_dashboard())?.next()?, &served);
    let other_user = start(household.other_user_at_dashboard())?.next()?;
    compare("another user at a dashboard", other_user, &refused(403, "FORBIDDEN"));

    let mut client = start(household.client_to_revoke())?;
    compare("a client before it is revoked", client.next()?, &served);
    compare("the same client again", client.again("same token")?, &served);
    compare("with a refreshed token", client.again("refresh")?, &served);
    household.revoke()?;
    compare("a client after it is revoked", client.again("same token")?, &refused(401, "UNAUTHORIZED"));
    let refreshed = client.again("refresh")?;
    compare("a revoked client with a refreshed token", refreshed, &refused(401, "UNAUTHORIZED"));
    Ok(found)
}
