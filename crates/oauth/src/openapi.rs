//! The OpenAPI description of the discovery documents and the authorization proxy.

use passbook_auth::authorization_proxy::AUTHORIZE_PATH;
use passbook_web::openapi::{PathItems, public_route, refer, success};
use passbook_web::{
    AUTHORIZATION_SERVER, BaseUrl, OPENID_CONFIGURATION, PROTECTED_RESOURCE, ProtectedResource,
};
use serde_json::{Map, Value, json};

use crate::ROOT_DOCUMENTS;
use crate::apps_challenge::AppsChallenge;

/// Error responses of routes that need an identity provider.
const WITH_PROVIDER: &[(&str, &str)] = &[("404", "NotFound"), ("503", "Unavailable")];

/// Parameters of an authorization request that most clients send, each with its name, meaning and example.
const PARAMETERS: [(&str, &str, &str); 7] = [
    ("client_id", "The client, as it was registered.", "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001"),
    (
        "redirect_uri",
        "The address that receives the code: exactly an address registered for the client.",
        "http://localhost:3000/callback",
    ),
    ("response_type", "Always `code`.", "code"),
    ("code_challenge", "The challenge of PKCE (RFC 7636).", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "Always `S256`.", "S256"),
    ("state", "Returned with the code.", "af0ifjsldkj"),
    ("scope", "Scopes with spaces between them; `offline_access` is removed.", "openid email profile"),
];

/// Returns the OpenAPI path items of all routes of this adapter.
pub(crate) fn paths(
    base_url: &BaseUrl,
    resources: &[ProtectedResource],
    apps_challenge: Option<&AppsChallenge>,
) -> PathItems {
    let mut paths = documents(resources);
    add_root_documents(&mut paths, base_url);
    if let Some(challenge) = apps_challenge {
        paths.insert(challenge.path().to_owned(), apps_challenge_item(base_url));
    }
    paths
}

/// Returns the OpenAPI path items of the documents below the base address.
fn documents(resources: &[ProtectedResource]) -> PathItems {
    let object = json!({ "type": "object" });
    let item = |id: &str, summary: &str, description: &str| {
        public_route(id, summary, description, success(summary, &object))
    };
    let mut paths = PathItems::new();
    paths.insert(
        PROTECTED_RESOURCE.to_owned(),
        item(
            "protected_resource",
            "Protected-resource metadata",
            "The protected-resource metadata (RFC 9728), which the 401 challenge names.",
        ),
    );
    for resource in resources {
        let described = item(resource.operation_id, resource.summary, resource.description);
        paths.insert(resource.metadata_path.to_owned(), described);
    }
    for (path, id, summary, description) in [
        (
            AUTHORIZATION_SERVER,
            "authorization_server",
            "Authorization-server metadata",
            "The identity provider's metadata for clients of this service (RFC 8414). 404 if no provider is configured.",
        ),
        (
            OPENID_CONFIGURATION,
            "openid_configuration",
            "OpenID configuration",
            "The identity provider's configuration (OpenID Connect Discovery 1.0), with the issuer that its ID tokens name.",
        ),
    ] {
        let mut described = item(id, summary, description);
        refer(responses(&mut described), WITH_PROVIDER);
        paths.insert(path.to_owned(), described);
    }
    paths.insert(AUTHORIZE_PATH.to_owned(), authorize());
    paths
}

/// Adds the path items of the documents that are served at the root of the origin too: there the path of the base
/// address follows the well-known path (RFC 9728 section 3.1, RFC 8414 section 3.1).
fn add_root_documents(paths: &mut PathItems, base_url: &BaseUrl) {
    if base_url.path().is_empty() {
        return;
    }
    let origin = json!({ "url": base_url.origin(), "description": "The root of the origin" });
    let base = json!({ "url": &**base_url, "description": "This service" });
    for document in ROOT_DOCUMENTS {
        let below: Vec<String> = paths.keys().filter(|path| path.starts_with(document)).cloned().collect();
        for below in below {
            let mut item = paths[&below].clone();
            item["servers"] = json!([origin]);
            let id = item["get"]["operationId"].as_str().unwrap_or_default();
            item["get"]["operationId"] = json!(format!("{id}_at_the_root"));
            let rest = below.trim_start_matches(document);
            paths.insert(format!("{document}{}{rest}", base_url.path()), item);
        }
        paths[document]["servers"] = json!([base, origin]);
    }
}

/// Returns the path item of the domain verification, which is at the root of the origin.
fn apps_challenge_item(base_url: &BaseUrl) -> Value {
    let mut item = public_route(
        "apps_challenge",
        "Domain verification",
        "The token by which a vendor of assistants verifies the domain.",
        json!({
            "description": "The token and nothing else.",
            "content": { "text/plain": { "schema": { "type": "string" } } }
        }),
    );
    item["servers"] = json!([{ "url": base_url.origin(), "description": "The root of the origin" }]);
    item
}

/// Returns the path item of the authorization proxy.
fn authorize() -> Value {
    let mut item = public_route(
        "authorize",
        "Sign in",
        "The authorization endpoint (RFC 6749 section 3.1): redirects a browser to the identity provider with every \
         parameter as received, listed here or not, except for scopes that the provider would reject. Each may be \
         given once. Errors are never sent to redirect_uri.",
        Value::Null,
    );
    let parameters = PARAMETERS.map(|(name, description, example)| {
        json!({
            "name": name, "in": "query", "required": false, "description": description,
            "schema": { "type": "string" }, "example": example
        })
    });
    item["get"]["parameters"] = json!(parameters);
    let responses = responses(&mut item);
    responses.remove("200");
    responses.insert(
        "302".to_owned(),
        json!({
            "description": "A redirect to the identity provider.",
            "headers": { "Location": { "description": "The address of the identity provider's page.", "schema": { "type": "string" } } }
        }),
    );
    refer(responses, &[("400", "InvalidRequest")]);
    refer(responses, WITH_PROVIDER);
    item
}

/// Returns the member `responses` of a GET path item.
fn responses(item: &mut Value) -> &mut Map<String, Value> {
    item["get"]["responses"].as_object_mut().expect("every route has responses")
}
