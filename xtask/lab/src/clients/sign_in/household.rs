//! The users of the sign-in suite with their data, and the OAuth clients that are registered for them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::matrix::{CLIENTS, Client, Identity, SCOPED, SETTINGS, Shape};
use crate::clients::suite::SuiteContext;
use crate::command::{read, run_quietly, write};

/// A user with an account at the identity provider and data in the service.
struct Person {
    sub: &'static str,
    email: &'static str,
}

const ANNA: Person = Person { sub: "5f0c9e1a-3b1d-4c55-9d7e-0d6a1f6c2a01", email: "anna@example.org" };
const BEN: Person = Person { sub: "a3d7b1c2-6e0f-4f8a-8c34-52f1e7b90b02", email: "ben@example.org" };

/// Identifiers of OAuth clients. They are registered at the provider and in the service.
const ASSISTANT: &str = "0d5a6d2e-58a1-4f6e-9b1c-2f7f3c1d0a11";
const DASHBOARD: &str = "6c1f0b9a-7d42-4b7b-a1de-90f3ab5c0d22";
/// Client of the dashboard of the server itself.
pub(super) const OWN_DASHBOARD: &str = "8e4f2a60-5c1d-4b39-a7f2-1d93c6e80d44";
const REVOKED: &str = "b9e24c77-1f3a-4e7d-8f55-c7a1d26e0f33";

/// The client identifier that is the URL of a client metadata document. The identifier is registered in the service only.
const ASSISTANT_BY_URL: &str = "https://assistant.example/client.json";

/// Text at the start of every redirect URI. No program listens at the address: the test browser stops at the redirect.
const REDIRECT: &str = "http://localhost:4777";
/// Text at the end of every redirect URI. Auth.js requires it: the last part is the provider's name in its options.
const CALLBACK: &str = "callback/passbook";
/// Redirect URI of the dashboard of the server itself. A provider ignores the port of a loopback address (RFC 8252 section
/// 7.3), and the servers have free ports.
const OWN_CALLBACK: &str = "http://127.0.0.1/session/callback";
/// Name of the client with which [`super::access`] checks access.
pub(super) const ACCESS: &str = "access";
/// Names of the clients with which [`super::consent`] checks narrowed consent and step-up.
pub(super) const NARROWED: &str = "narrowed";
pub(super) const STEP_UP: [&str; 3] = ["step-up-1", "step-up-2", "step-up-1-with-refresh-token"];

/// The files and programs of the suite.
#[derive(Debug)]
pub(super) struct Household {
    folder: PathBuf,
    admin: PathBuf,
    server: PathBuf,
}

impl Household {
    /// Prepares the folder of the suite and removes the database of an earlier run.
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
        write(&household.file("provider-requests.jsonl"), "")?;
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

    /// Returns the authorization requests that reached the providers, one JSON object per line.
    pub(super) fn provider_requests(&self) -> Result<String, String> {
        read(&self.file("provider-requests.jsonl"))
    }

    /// Returns environment variables that restrict the programs to the folders of this run.
    pub(super) fn environment(&self) -> [(&'static str, PathBuf); 2] {
        [("PASSBOOK_DATA_DIR", self.data()), ("XDG_CONFIG_HOME", self.file("settings"))]
    }

    /// Loads users, data and clients into the database of the running server.
    pub(super) fn load(&self) -> Result<(), String> {
        let bundle = self.file("bundle.json");
        write(&bundle, &self::bundle().to_string())?;
        self.admin(&["load", "--with-credentials", &bundle.display().to_string()])?;
        let scopes = "transactions:read,spending:read";
        for (id, kind, owner) in [
            (ASSISTANT, "known_mcp", None),
            (ASSISTANT_BY_URL, "known_mcp", None),
            (DASHBOARD, "personal_dashboard", Some(ANNA.email)),
            (OWN_DASHBOARD, "personal_dashboard", Some(ANNA.email)),
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

    /// Revokes the client of [`Household::client_to_revoke`].
    pub(super) fn revoke(&self) -> Result<(), String> {
        self.admin(&["client", "revoke", REVOKED]).map(drop)
    }

    /// Revokes the consent of [`Household::owner_of_dashboard`] to the dashboard of the server itself.
    pub(super) fn revoke_consent_to_own_dashboard(&self) -> Result<(), String> {
        self.admin(&["consent", "revoke", OWN_DASHBOARD, "--user", ANNA.email]).map(drop)
    }

    fn admin(&self, arguments: &[&str]) -> Result<String, String> {
        run_quietly(&self.admin.display().to_string(), arguments, &self.environment())
    }

    /// Returns a user and the client id of an assistant, which every user may use.
    pub(super) fn user_of_assistant(&self) -> (&'static str, &'static str) {
        (BEN.sub, ASSISTANT)
    }

    /// Returns the client id of an assistant that is the URL of its metadata document.
    pub(super) fn client_metadata_url(&self) -> &'static str {
        ASSISTANT_BY_URL
    }

    /// Returns a user and the client id of the dashboard that only this user may use.
    pub(super) fn owner_of_dashboard(&self) -> (&'static str, &'static str) {
        (ANNA.sub, DASHBOARD)
    }

    /// Returns another user, and the client id of a dashboard that this user must not use.
    pub(super) fn other_user_at_dashboard(&self) -> (&'static str, &'static str) {
        (BEN.sub, DASHBOARD)
    }

    /// Returns the user and the client id of the client that the suite revokes.
    pub(super) fn client_to_revoke(&self) -> (&'static str, &'static str) {
        (BEN.sub, REVOKED)
    }

    /// Returns the redirect URI of a sign-in. The URI identifies the sign-in among the provider's requests.
    pub(super) fn redirect_uri(&self, client: &str, setting: &str) -> String {
        redirect_uri(client, setting)
    }
}

pub(super) fn redirect_uri(client: &str, setting: &str) -> String {
    format!("{REDIRECT}/{client}/{setting}/{CALLBACK}")
}

fn redirect_uris() -> Vec<String> {
    let scoped = STEP_UP.into_iter().chain([ACCESS, NARROWED]).map(|name| redirect_uri(name, SCOPED.name));
    of_all_settings(CLIENTS.iter().map(|client| client.name).chain([ACCESS]))
        .into_iter()
        .chain(scoped)
        .collect()
}

fn document_redirect_uris() -> Vec<String> {
    let of_document = |client: &&Client| client.identity == Identity::MetadataDocument;
    of_all_settings(CLIENTS.iter().filter(of_document).map(|client| client.name))
}

fn of_all_settings(names: impl Iterator<Item = &'static str>) -> Vec<String> {
    names.flat_map(|name| SETTINGS.iter().map(move |setting| redirect_uri(name, setting.name))).collect()
}

fn provider_plan(shape: Shape) -> Value {
    let people = [ANNA, BEN].map(|person| json!({ "sub": person.sub, "email": person.email }));
    let redirects: Vec<String> = redirect_uris().into_iter().chain([OWN_CALLBACK.to_owned()]).collect();
    let client = |id| json!({ "id": id, "redirect_uris": redirects });
    let clients = [ASSISTANT, DASHBOARD, OWN_DASHBOARD, REVOKED].map(client);
    // Providers limit the size of a document, so it has only the redirect URIs of its own clients.
    let documents = [json!({ "id": ASSISTANT_BY_URL, "redirect_uris": document_redirect_uris() })];
    json!({
        "shape": shape.name(), "people": people, "clients": clients, "documents": documents,
        "always_refreshed": [DASHBOARD],
    })
}

/// Returns a bundle with one account and one purchase for each user.
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
