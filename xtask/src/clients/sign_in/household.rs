//! The people who sign in, and the clients that the operator made for them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::matrix::{CLIENTS, SETTINGS, Shape};
use crate::clients::suite::SuiteContext;
use crate::command::{read, run_quietly, write};

/// Somebody with an account at the provider and some money here.
struct Person {
    sub: &'static str,
    email: &'static str,
}

const ANNA: Person = Person { sub: "5f0c9e1a-3b1d-4c55-9d7e-0d6a1f6c2a01", email: "anna@example.org" };
const BEN: Person = Person { sub: "a3d7b1c2-6e0f-4f8a-8c34-52f1e7b90b02", email: "ben@example.org" };

/// Identifiers of the clients, which the provider and the service know alike.
const ASSISTANT: &str = "0d5a6d2e-58a1-4f6e-9b1c-2f7f3c1d0a11";
const DASHBOARD: &str = "6c1f0b9a-7d42-4b7b-a1de-90f3ab5c0d22";
const REVOKED: &str = "b9e24c77-1f3a-4e7d-8f55-c7a1d26e0f33";

/// Nobody listens there: the browser stops when it is sent there.
const REDIRECT: &str = "http://localhost:4777";
/// Who asks in [`super::access`].
pub(super) const ACCESS: &str = "access";

/// What is theirs on disk.
#[derive(Debug)]
pub(super) struct Household {
    folder: PathBuf,
    admin: PathBuf,
    server: PathBuf,
}

impl Household {
    /// A folder without yesterday's people.
    pub(super) fn new(context: &SuiteContext<'_>, folder: &Path) -> Result<Household, String> {
        let binary = |name: &str| context.root.join("target/debug").join(name);
        let household = Household {
            folder: folder.to_owned(),
            admin: binary("passbook-admin"),
            server: binary("passbook-server"),
        };
        if household.data().exists() {
            std::fs::remove_dir_all(household.data()).map_err(|error| error.to_string())?;
        }
        write(&household.file("seen.jsonl"), "")?;
        for shape in Shape::ALL {
            write(&household.provider_plan(shape), &provider_plan(shape).to_string())?;
        }
        Ok(household)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn data(&self) -> PathBuf {
        self.file("data")
    }

    pub(super) fn server(&self) -> &Path {
        &self.server
    }

    pub(super) fn provider_plan(&self, shape: Shape) -> PathBuf {
        self.file(&format!("provider-{}.json", shape.name()))
    }

    /// The authorization requests that arrived at the providers, a JSON object a line.
    pub(super) fn seen(&self) -> Result<String, String> {
        read(&self.file("seen.jsonl"))
    }

    /// What keeps the programs to our own folders.
    pub(super) fn environment(&self) -> [(&'static str, PathBuf); 2] {
        [("PASSBOOK_DATA_DIR", self.data()), ("XDG_CONFIG_HOME", self.file("settings"))]
    }

    /// Puts people and clients into the database that a server keeps running.
    pub(super) fn move_in(&self) -> Result<(), String> {
        let bundle = self.file("bundle.json");
        write(&bundle, &self::bundle().to_string())?;
        self.admin(&["load", &bundle.display().to_string()])?;
        let scopes = "transactions:read,spending:read";
        for (id, kind, owner) in [
            (ASSISTANT, "known_mcp", None),
            (DASHBOARD, "personal_dashboard", Some(ANNA.email)),
            (REVOKED, "known_mcp", None),
        ] {
            let mut create = vec!["client", "create", "--id", id, "--kind", kind, "--name", "sign-in"];
            create.extend(["--scopes", scopes]);
            create.extend(owner.into_iter().flat_map(|owner| ["--owner", owner]));
            let redirects = redirect_uris();
            create.extend(redirects.iter().flat_map(|uri| ["--redirect-uri", uri.as_str()]));
            self.admin(&create)?;
        }
        Ok(())
    }

    /// Takes the client back that is there to be taken back.
    pub(super) fn revoke(&self) -> Result<(), String> {
        self.admin(&["client", "revoke", REVOKED]).map(drop)
    }

    fn admin(&self, arguments: &[&str]) -> Result<String, String> {
        run_quietly(&self.admin.display().to_string(), arguments, &self.environment())
    }

    /// Person and client of an assistant, which serves everyone.
    pub(super) fn served_by_assistant(&self) -> (&'static str, &'static str) {
        (BEN.sub, ASSISTANT)
    }

    /// Person and client of a dashboard, which serves its owner.
    pub(super) fn owner_of_dashboard(&self) -> (&'static str, &'static str) {
        (ANNA.sub, DASHBOARD)
    }

    /// Somebody else at the owner's dashboard.
    pub(super) fn stranger_at_dashboard(&self) -> (&'static str, &'static str) {
        (BEN.sub, DASHBOARD)
    }

    /// Person and client of what will be revoked.
    pub(super) fn to_be_revoked(&self) -> (&'static str, &'static str) {
        (BEN.sub, REVOKED)
    }

    /// By which an authorization request that arrives is known.
    pub(super) fn redirect_uri(&self, client: &str, setting: &str) -> String {
        redirect_uri(client, setting)
    }
}

pub(super) fn redirect_uri(client: &str, setting: &str) -> String {
    format!("{REDIRECT}/{client}/{setting}")
}

fn redirect_uris() -> Vec<String> {
    let names = CLIENTS.iter().map(|client| client.name).chain([ACCESS]);
    names.flat_map(|name| SETTINGS.iter().map(move |setting| redirect_uri(name, setting.name))).collect()
}

fn provider_plan(shape: Shape) -> Value {
    let people = [ANNA, BEN].map(|person| json!({ "sub": person.sub, "email": person.email }));
    let client = |id| json!({ "id": id, "redirect_uris": redirect_uris() });
    let clients = [ASSISTANT, DASHBOARD, REVOKED].map(client);
    json!({ "shape": shape.name(), "people": people, "clients": clients })
}

/// One account and one purchase each.
fn bundle() -> Value {
    let each = |make: fn(&Person) -> Value| [ANNA, BEN].map(|person| make(&person));
    json!({
        "format": "passbook-bundle",
        "version": 1,
        "users": each(|person| json!({
            "id": person.sub, "email": person.email, "preferred_currency": "EUR", "time_zone": "Europe/Paris",
            "excluded_categories": [],
        })),
        "banks": each(|person| json!({ "user": person.sub, "id": "bank", "name": "Home Bank" })),
        "accounts": each(|person| json!({
            "user": person.sub, "id": "checking", "bank": "bank", "name": "Checking", "type": "depository",
            "subtype": "checking", "currency": "EUR", "balance_cents": 184_212,
            "balance_updated_at": "2026-11-20T22:00:00Z",
        })),
        "transactions": each(|person| json!({
            "user": person.sub, "id": "1", "account": "checking", "date": "2026-11-19", "type": "EXPENSE",
            "category": "COFFEE", "amount_cents": 450, "currency": "EUR", "title": "CAFE DE LA GARE",
            "merchant_name": "Café de la Gare",
        })),
    })
}
