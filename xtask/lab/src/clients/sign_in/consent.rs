//! Checks consent to data scopes, at a provider that knows them: a token with fewer data scopes reads less, and a client
//! that calls a tool without the scope of the tool gets the scope with one redirect to the provider (step-up).

use serde_json::{Value, json};

use super::household::{self, Household, NARROWED, STEP_UP};
use super::journeys::{OFFLINE, SCOPE};
use super::matrix::SCOPED;
use super::programs::Programs;
use super::provider_requests::{requested_scopes, requests};
use super::servers::Servers;
use crate::clients::suite::capture;
use crate::command::{print_line, write};

/// Runs both checks. Returns one line per unexpected outcome.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("checking narrowed consent and step-up");
    let case = |name: &str, (person, client_id): (&str, &str)| {
        let base = servers.base(SCOPED.name)?;
        Ok::<Value, String>(json!({
            "setting": SCOPED.name, "base": base, "client_id": client_id, "person": person,
            "redirect_uri": household.redirect_uri(name, SCOPED.name),
        }))
    };
    let mut found = narrowed(programs, household, &case(NARROWED, household.user_of_assistant())?)?;
    let [one, two, one_with_refresh] = STEP_UP;
    let cases = [
        (1, case(one, household.user_of_assistant())?),
        (2, case(two, household.user_of_assistant())?),
        (1, case(one_with_refresh, household.owner_of_dashboard())?),
    ];
    found.extend(step_up(programs, household, cases)?);
    Ok(found)
}

/// A consent to some data scopes, and the expected outcome.
struct Narrowed {
    consent_to: &'static str,
    /// The data scopes of the access token.
    token: &'static [&'static str],
    /// The status of `/v1/me`, `/v1/transactions`, `/v1/spending/summary` and `/v1/portfolio`.
    routes: [u16; 4],
}

/// The grant of the client has `transactions:read` and `spending:read`.
const NARROWED_CASES: [Narrowed; 4] = [
    Narrowed {
        consent_to: "transactions:read spending:read",
        token: &["spending:read", "transactions:read"],
        routes: [200, 200, 200, 403],
    },
    Narrowed { consent_to: "transactions:read", token: &["transactions:read"], routes: [200, 200, 403, 403] },
    Narrowed {
        consent_to: "spending:read portfolio:read",
        token: &["portfolio:read", "spending:read"],
        routes: [200, 403, 200, 403],
    },
    // Where data scopes are requestable, a token without one reads nothing of the grant.
    Narrowed { consent_to: "none", token: &[], routes: [200, 403, 403, 403] },
];

fn narrowed(programs: &Programs, household: &Household, case: &Value) -> Result<Vec<String>, String> {
    let scope = format!("{SCOPE} {OFFLINE} transactions:read spending:read portfolio:read");
    let cases = NARROWED_CASES.map(|narrowed| {
        let mut case = case.clone();
        case["scope"] = json!(scope);
        case["prompt"] = json!("consent");
        case["consent_to"] = json!(narrowed.consent_to);
        case
    });
    let expected = NARROWED_CASES.map(|narrowed| {
        let Narrowed { consent_to, token, routes } = narrowed;
        json!({ "consent_to": consent_to, "token": token, "routes": routes, "refreshed": routes })
    });
    let plan = household.file("narrowed.json");
    write(&plan, &json!({ "cases": cases }).to_string())?;
    let printed = capture(&mut programs.script("narrowed.mjs", &[&plan]))?;
    Ok(differences("narrowed consent", &requests(&printed), &expected))
}

fn step_up(
    programs: &Programs,
    household: &Household,
    cases: [(u8, Value); 3],
) -> Result<Vec<String>, String> {
    let cases = cases.map(|(sdk, mut case)| {
        case["sdk"] = json!(sdk);
        case
    });
    let plan = household.file("step-up.json");
    write(&plan, &json!({ "cases": cases }).to_string())?;
    let printed = capture(&mut programs.script("step_up.mjs", &[&plan]))?;
    let succeeds = |sdk: u8| json!({ "sdk": sdk, "before": "redirect", "after": "rows", "kept": "rows", "redirects": 1 });
    let refused = "Error: Streamable HTTP error: Server returned 403 after trying upscoping";
    let expected = [
        succeeds(1),
        succeeds(2),
        // With a refresh token version 1 refreshes the token instead of sending the user to the provider.
        json!({ "sdk": 1, "before": refused, "after": refused, "kept": "rows", "redirects": 0 }),
    ];
    let mut found = differences("step-up", &requests(&printed), &expected);

    let log = requests(&household.provider_requests()?);
    let wanted = "openid transactions:read spending:read";
    let with_offline = format!("{SCOPE} {OFFLINE}");
    for (name, scopes) in STEP_UP.into_iter().zip([
        vec![SCOPE, wanted],
        vec![with_offline.as_str(), "openid email profile transactions:read spending:read offline_access"],
        vec![SCOPE],
    ]) {
        let received = requested_scopes(&log, &household::redirect_uri(name, SCOPED.name));
        if received != scopes {
            found.push(format!("{name}: the provider received {received:?}, expected {scopes:?}"));
        }
    }
    Ok(found)
}

fn differences(check: &str, received: &[Value], expected: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    if received.len() != expected.len() {
        found.push(format!("{check}: received {} outcomes, expected {}", received.len(), expected.len()));
    }
    for (received, expected) in received.iter().zip(expected) {
        if received != expected {
            found.push(format!("{check}: received {received}, expected {expected}"));
        }
    }
    found
}
