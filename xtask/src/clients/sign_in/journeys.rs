//! Runs the clients, each as one process over all settings, and reads what they print.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::household::Household;
use super::matrix::{CLIENTS, Client, End, Kind, SETTINGS, Setting};
use super::programs::Programs;
use super::servers::Servers;
use crate::command::{print_line, write};

/// Clients that run at the same time: one for each of two cores.
const AT_ONCE: usize = 2;
/// What the contract tells dashboards to ask for.
pub(super) const SCOPE: &str = "openid email profile";
pub(super) const OFFLINE: &str = "offline_access";

/// What one client made of one setting.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) client: String,
    pub(super) version: String,
    pub(super) setting: String,
    /// None where it ended in a way that no cell of the matrix has.
    pub(super) end: Option<End>,
    /// Step and message of a failure.
    failure: Option<String>,
    /// Where the client sent the person, without the query.
    authorization: Option<String>,
    /// The proxy of the server that was asked.
    proxy: String,
}

impl Outcome {
    fn read(line: &str, servers: &Servers) -> Result<Outcome, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let text = |member: &str| value[member].as_str().map(str::to_owned);
        let said = |member: &str| text(member).ok_or(format!("no {member} in {line}"));
        let setting = said("setting")?;
        let proxy = format!("{}/oauth/authorize", servers.base(&setting)?);
        let (failed_at, refreshed) = (text("failed_at"), text("refresh").as_deref() == Some("works"));
        let ends = [End::SignedIn, End::Refreshed, End::AtMetadata, End::AtCallback, End::AtIdToken];
        let end = ends
            .into_iter()
            .find(|end| end.failed_at() == failed_at.as_deref() && refreshed == (*end == End::Refreshed));
        Ok(Outcome {
            client: said("client")?,
            version: said("version")?,
            end,
            failure: failed_at.map(|step| format!("at {step}: {}", text("why").unwrap_or_default())),
            authorization: text("authorization"),
            setting,
            proxy,
        })
    }

    pub(super) fn is_of(&self, client: &Client, setting: &Setting) -> bool {
        self.client == client.name && self.setting == setting.name
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        self.failure.clone().unwrap_or_else(|| format!("{:?}", self.end))
    }

    /// Whether the person was sent past the proxy, or in mode `direct` to it.
    pub(super) fn wrong_way(&self, setting: &Setting) -> Option<String> {
        let went = self.authorization.as_ref()?;
        let through = *went == self.proxy;
        (through == (setting.mode == "direct")).then(|| format!("the person was sent to {went}"))
    }
}

/// Runs them all. A client that ends badly is an error; what it could not do is an outcome.
pub(super) fn run(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<Outcome>, String> {
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(client) = CLIENTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ended = one(client, programs, household, servers);
                    outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(ended);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let outcomes: Vec<Vec<Outcome>> = outcomes.into_iter().collect::<Result<_, _>>()?;
    Ok(outcomes.into_iter().flatten().collect())
}

fn one(
    client: &Client,
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<Outcome>, String> {
    print_line(&format!("signing in with {}", client.name));
    let mut cases = Vec::new();
    for setting in &SETTINGS {
        cases.push(case(client, setting, household, servers)?);
    }
    let plan = household.file(&format!("{}.json", client.name));
    write(&plan, &json!({ "cases": cases }).to_string())?;
    let printed = programs.run(client, &plan)?;
    printed.lines().map(|line| Outcome::read(line, servers)).collect()
}

fn case(
    client: &Client,
    setting: &Setting,
    household: &Household,
    servers: &Servers,
) -> Result<Value, String> {
    let (person, client_id) = match client.kind {
        Kind::Assistant { .. } => household.served_by_assistant(),
        Kind::Dashboard => household.owner_of_dashboard(),
    };
    let mut case = json!({
        "setting": setting.name, "base": servers.base(setting.name)?, "client_id": client_id, "person": person,
        "redirect_uri": household.redirect_uri(client.name, setting.name), "scope": SCOPE,
    });
    // An assistant asks for what the documents list. A dashboard that wants a refresh token knows what its provider
    // demands for one.
    if setting.strip == "none" {
        case["scope"] = json!(format!("{SCOPE} {OFFLINE}"));
        case["prompt"] = json!("consent");
    }
    Ok(case)
}
