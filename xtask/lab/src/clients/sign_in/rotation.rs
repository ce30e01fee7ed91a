//! Checks that the server accepts tokens of a new signing key without a restart, also if the provider publishes the new
//! key under the identifier of the old one. Such a key is only found by a signature that does not verify.

use std::time::Duration;

use super::household::Household;
use super::matrix::SCOPED;
use super::programs::Programs;
use super::provider_requests::requests;
use super::servers::Servers;
use super::signed_in_client::{SignedInClient, refused, served};
use crate::command::print_line;

/// Minimum time between two fetches of the keys that tokens cause. The check waits until this time has passed since the
/// server fetched the keys.
const PAUSE: Duration = Duration::from_secs(31);

/// Checks tokens of the old key and of the new key. Returns one line per unexpected outcome.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &mut Servers,
) -> Result<Vec<String>, String> {
    print_line("checking a new signing key under the same key identifier");
    let start = |servers: &Servers| {
        let who = household.user_of_assistant();
        SignedInClient::start(who, SCOPED.name, programs, household, servers)
    };
    let mut found = Vec::new();
    let mut check = |case: &str, received: &serde_json::Value, expected: &serde_json::Value| {
        if received != expected {
            found.push(format!("key rotation, {case}: received {received}, expected {expected}"));
        }
    };
    let mut earlier = start(servers)?;
    check("token of the first key", &earlier.next()?, &served());
    let issuer = servers.issuer(&SCOPED).to_owned();
    wait_after_last_fetch(household, &issuer)?;
    let before = fetches(household, &issuer)?.len();
    servers.rotate_key(&SCOPED)?;

    let mut later = start(servers)?;
    check("token of the new key", &later.next()?, &served());
    check("token of the replaced key", &earlier.again("same token")?, &refused(401, "UNAUTHORIZED"));
    check("token of the new key again", &later.again("same token")?, &served());
    let fetched = fetches(household, &issuer)?.len() - before;
    if fetched != 1 {
        found.push(format!("key rotation: the server fetched the keys {fetched} times, expected 1"));
    }
    Ok(found)
}

/// Waits until the server may fetch the keys again.
#[expect(clippy::disallowed_methods, reason = "the times in the provider's log count from the Unix epoch")]
fn wait_after_last_fetch(household: &Household, issuer: &str) -> Result<(), String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let last = fetches(household, issuer)?.into_iter().max().ok_or("the server has not fetched the keys")?;
    let wait = (last + PAUSE).saturating_sub(now);
    if !wait.is_zero() {
        print_line(&format!("waiting {} s, until the server may fetch the keys again", wait.as_secs()));
        std::thread::sleep(wait);
    }
    Ok(())
}

/// Returns the times, since the Unix epoch, at which the provider received a request for its keys.
fn fetches(household: &Household, issuer: &str) -> Result<Vec<Duration>, String> {
    let log = requests(&household.provider_requests()?);
    let of_issuer = log.iter().filter(|request| request["keys_of"] == *issuer);
    Ok(of_issuer.filter_map(|request| request["at_ms"].as_u64()).map(Duration::from_millis).collect())
}
