//! Runs the clients, each as one process for all settings, and reads the printed outcomes.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::household::Household;
use super::matrix::{CLIENTS, Client, End, Identity, Kind, SETTINGS, Setting};
use super::programs::Programs;
use super::servers::Servers;
use crate::command::{print_line, write};

/// Number of client processes that run at the same time, for two cores.
const CONCURRENT_CLIENTS: usize = 2;
/// Scopes that the documents tell dashboards to request.
pub(super) const SCOPE: &str = "openid email profile";
pub(super) const OFFLINE: &str = "offline_access";

/// The outcome of signing in with one client at one setting.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) client: String,
    pub(super) version: String,
    pub(super) setting: String,
    /// The kind of outcome; `None` if it is not one of the matrix.
    pub(super) end: Option<End>,
    /// Step and message of a failure; `None` if the sign-in succeeded.
    failure: Option<String>,
    /// Address of the client's authorization request, without its query; `None` if there was no request.
    authorization: Option<String>,
    /// The address of the server's authorization proxy.
    proxy: String,
}

impl Outcome {
    fn read(line: &str, servers: &Servers) -> Result<Outcome, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let text = |member: &str| value[member].as_str().map(str::to_owned);
        let required = |member: &str| text(member).ok_or(format!("no {member} in {line}"));
        let setting = required("setting")?;
        let proxy = format!("{}/oauth/authorize", servers.base(&setting)?);
        let (failed_at, refreshed) = (text("failed_at"), text("refresh").as_deref() == Some("works"));
        let end = End::ALL
            .into_iter()
            .find(|end| end.failed_at() == failed_at.as_deref() && refreshed == (*end == End::Refreshed));
        Ok(Outcome {
            client: required("client")?,
            version: required("version")?,
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

    /// Returns a description of the outcome for people.
    pub(super) fn description(&self) -> String {
        self.failure.clone().unwrap_or_else(|| format!("{:?}", self.end))
    }

    /// Returns a problem if the client bypassed the authorization proxy, or used the proxy where it should not.
    pub(super) fn wrong_authorization(&self, client: &Client, setting: &Setting) -> Option<String> {
        let went = self.authorization.as_ref()?;
        let through = *went == self.proxy;
        (through != client.uses_proxy(setting)).then(|| format!("the client sent the user to {went}"))
    }
}

/// Runs every client.
///
/// # Errors
/// A client process that fails. A sign-in that fails is an outcome, not an error.
pub(super) fn run(
    programs: &Programs,
    household: &Household,
    servers: &Servers,
) -> Result<Vec<Outcome>, String> {
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..CONCURRENT_CLIENTS {
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
    write(&plan, &json!({ "client": client.name, "cases": cases }).to_string())?;
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
        Kind::Assistant { .. } => household.user_of_assistant(),
        Kind::Dashboard => household.owner_of_dashboard(),
    };
    let mut case = json!({
        "setting": setting.name, "base": servers.base(setting.name)?, "issuer": servers.issuer(setting),
        "person": person, "redirect_uri": household.redirect_uri(client.name, setting.name), "scope": SCOPE,
    });
    match client.identity {
        Identity::Registered => case["client_id"] = json!(client_id),
        Identity::MetadataDocument => case["client_metadata_url"] = json!(household.client_metadata_url()),
    }
    // An assistant requests the scopes that the documents list. A dashboard that wants a refresh token has to request
    // `offline_access` with `prompt=consent`, as its provider requires.
    if setting.strip == "none" {
        case["scope"] = json!(format!("{SCOPE} {OFFLINE}"));
        case["prompt"] = json!("consent");
    }
    Ok(case)
}
