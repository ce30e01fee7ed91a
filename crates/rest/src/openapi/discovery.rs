//! Discovery and signing in, as far as OpenAPI can tell of them: documents whose shape is a standard's, and a redirect.

use serde_json::{Map, Value, json};

use super::{Document, open, responses};
use crate::BaseUrl;
use crate::apps_challenge::AppsChallenge;
use crate::origin::DOCUMENTS;

/// Errors of what needs an identity provider.
const WITH_PROVIDER: &[(&str, &str)] = &[("404", "NotFound"), ("503", "Unavailable")];

/// Parameters of an authorization request that most clients send: name, meaning, example.
const PARAMETERS: [(&str, &str, &str); 7] = [
    ("client_id", "The client, as it was registered.", "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001"),
    (
        "redirect_uri",
        "Where the code goes: exactly an address registered for the client.",
        "http://localhost:3000/callback",
    ),
    ("response_type", "Always `code`.", "code"),
    ("code_challenge", "The challenge of PKCE (RFC 7636).", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "Always `S256`.", "S256"),
    ("state", "Comes back with the code.", "af0ifjsldkj"),
    ("scope", "Scopes with spaces between them; `offline_access` is taken out.", "openid email profile"),
];

impl Document {
    /// The documents about the identity provider, and the proxy.
    pub(super) fn discovery(&mut self) {
        let object = json!({ "type": "object" });
        let mut add = |path: &str, id: &str, summary: &str, description: &str| {
            let mut item = open(id, summary, description, responses::success(summary, &object));
            refer(&mut item, WITH_PROVIDER);
            self.paths.insert(path.to_owned(), item);
        };
        add(
            web::metadata::AUTHORIZATION_SERVER_PATH,
            "authorization_server",
            "Authorization-server metadata",
            "The identity provider as clients of this service are to use it (RFC 8414). 404 where none is configured.",
        );
        add(
            web::metadata::OPENID_PATH,
            "openid_configuration",
            "OpenID configuration",
            "The same as OpenID Connect Discovery 1.0 has it, with the issuer that ID tokens name.",
        );
        self.paths.insert(auth::sign_in::AUTHORIZE_PATH.to_owned(), authorize());
    }

    /// The discovery documents, which are served at the root of the origin as well: there with the path of the base
    /// address behind the well-known one (RFC 9728 section 3.1, RFC 8414 section 3.1), and without.
    pub(super) fn at_the_root(&mut self, base_url: &BaseUrl) {
        if base_url.path().is_empty() {
            return;
        }
        let origin = json!({ "url": base_url.origin(), "description": "The root of the origin" });
        let here = json!({ "url": &**base_url, "description": "This service" });
        for document in DOCUMENTS {
            let below: Vec<String> =
                self.paths.keys().filter(|path| path.starts_with(document)).cloned().collect();
            for below in below {
                let mut item = self.paths[&below].clone();
                item["servers"] = json!([origin]);
                let id = item["get"]["operationId"].as_str().unwrap_or_default();
                item["get"]["operationId"] = json!(format!("{id}_at_the_root"));
                let moved = below.trim_start_matches(document);
                self.paths.insert(format!("{document}{}{moved}", base_url.path()), item);
            }
            self.paths[document]["servers"] = json!([here, origin]);
        }
    }

    /// The word at the root that proves whose the domain is.
    pub(super) fn apps_challenge(&mut self, challenge: &AppsChallenge, base_url: &BaseUrl) {
        let mut item = open(
            "apps_challenge",
            "Domain verification",
            "The token of a vendor of assistants, which finds out here whose the domain is.",
            json!({
                "description": "The token and nothing else.",
                "content": { "text/plain": { "schema": { "type": "string" } } }
            }),
        );
        item["servers"] = json!([{ "url": base_url.origin(), "description": "The root of the origin" }]);
        self.paths.insert(challenge.path().to_owned(), item);
    }
}

/// The authorization proxy.
fn authorize() -> Value {
    let mut item = open(
        "authorize",
        "Sign in",
        "The authorization endpoint (RFC 6749 section 3.1): sends a browser on to the identity provider with every \
         parameter as it came, named here or not, but for scopes that the provider would refuse. Each may be given \
         once. Errors are never sent to redirect_uri.",
        Value::Null,
    );
    let parameters = PARAMETERS.map(|(name, description, example)| {
        json!({
            "name": name, "in": "query", "required": false, "description": description,
            "schema": { "type": "string" }, "example": example
        })
    });
    item["get"]["parameters"] = json!(parameters);
    let answers = item["get"]["responses"].as_object_mut().expect("every route has answers");
    answers.remove("200");
    answers.insert(
        "302".to_owned(),
        json!({
            "description": "On to the identity provider.",
            "headers": { "Location": { "description": "Its page.", "schema": { "type": "string" } } }
        }),
    );
    refer(&mut item, &[("400", "InvalidRequest")]);
    refer(&mut item, WITH_PROVIDER);
    item
}

fn refer(item: &mut Value, shared: &[(&str, &str)]) {
    let answers: &mut Map<String, Value> =
        item["get"]["responses"].as_object_mut().expect("every route has answers");
    responses::refer(answers, shared);
}
