//! Checks the sign-in to the dashboard of the server itself, at every setting.

use serde_json::{Value, json};

use super::household::Household;
use super::matrix::SETTINGS;
use super::programs::Programs;
use super::provider_requests::requests;
use super::servers::Servers;
use crate::clients::suite::capture;
use crate::command::{print_line, write};

/// Signs the owner of the dashboard's client in at every setting, and another user at the first. Returns one line per
/// unexpected outcome.
pub(super) fn faults(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<String>, String> {
    print_line("signing in to the dashboard of the server");
    let (owner, _) = household.owner_of_dashboard();
    let (other, _) = household.other_user_at_dashboard();
    let case = |setting: &str, person: &str| {
        let base = servers.base(setting)?;
        Ok::<Value, String>(json!({ "setting": setting, "base": base, "person": person }))
    };
    let owned = SETTINGS.iter().map(|setting| case(setting.name, owner));
    let cases = owned.chain([case(SETTINGS[0].name, other)]).collect::<Result<Vec<Value>, String>>()?;
    let expected = |case: &Value| {
        let is_owner = case["person"] == owner;
        json!({
            "setting": case["setting"],
            "signed_in": if is_owner { "/" } else { "/#error=token" },
            "person": if is_owner { 200 } else { 401 },
            "replayed": "/#error=state",
            "signed_out": 401,
        })
    };
    let plan = household.file("own-dashboard.json");
    write(&plan, &json!({ "cases": cases }).to_string())?;
    let printed = capture(&mut programs.script("own_dashboard.mjs", &[&plan]))?;
    let received = requests(&printed);
    let expected: Vec<Value> = cases.iter().map(expected).collect();
    if received == expected {
        return Ok(Vec::new());
    }
    Ok(vec![format!("the dashboard of the server: received {received:?}, expected {expected:?}")])
}
