//! The compatibility check of an identity provider: finds settings with which clients cannot sign in.
//!
//! The server runs the check at start and for each authorization request; the operator's tool runs it on demand.

use reqwest::Url;

use crate::authorization_proxy::IssuerMode;
use crate::provider::DiscoveryDocument;
use crate::provider::url_policy::check_secure;

/// A problem of the identity provider or its settings, because of which some or all clients cannot sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// True if the problem affects all clients, so that the service must not start.
    pub refused: bool,
    /// The problem and its remedy, in one sentence.
    pub sentence: String,
    /// The change of the configuration that fixes the problem; `None` if no change does. A program appends the name of
    /// its setting.
    pub remedy: Option<Remedy>,
}

/// A change of this service's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Set the public origin to the https address.
    HttpsOrigin,
    /// Set the issuer mode to [`IssuerMode::Direct`].
    DirectMode,
    /// Set the issuer mode to [`IssuerMode::Split`].
    SplitMode,
    /// Set the issuer to the identity provider's own issuer identifier.
    ProviderIssuer,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Returns every problem that a provider causes for clients in an issuer mode; empty if all clients can sign in.
///
/// `origin` is the public origin of this service, `proxy` the full address of its authorization proxy.
pub fn check(provider: &DiscoveryDocument, mode: IssuerMode, origin: &str, proxy: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut warn = |sentence: String, remedy: Option<Remedy>| {
        findings.push(Finding { refused: false, sentence, remedy });
    };
    let issuer = &provider.issuer;
    if Url::parse(origin).is_ok_and(|url| check_secure(&url).is_err()) {
        warn(
            format!(
                "the origin {origin} is http, where tokens can be read on their way and clients refuse to sign in: serve \
             it over https"
            ),
            Some(Remedy::HttpsOrigin),
        );
    }
    let own = issuer == origin;
    if provider.authorization_response_iss_parameter_supported && mode != IssuerMode::Direct && !own {
        warn(
            format!(
                "the provider sends its issuer {issuer} back with the code (RFC 9207), where assistants expect {origin} \
             and refuse: switch that off at the provider (Keycloak: \"Exclude Issuer From Authentication Response\" of \
             the client)"
            ),
            Some(Remedy::DirectMode),
        );
    }
    if mode == IssuerMode::Origin && !own {
        warn(
            format!(
                "ID tokens name the issuer {issuer}, and the OpenID configuration names {origin}: libraries that verify \
             ID tokens refuse; let the provider's issuer be {origin}"
            ),
            Some(Remedy::SplitMode),
        );
    }
    let lists = |list: &[String], word: &str| list.iter().any(|item| item == word);
    if !lists(&provider.token_endpoint_auth_methods_supported, "none") {
        warn(
            "the provider does not list none among token_endpoint_auth_methods_supported: dashboards and assistants \
             are public clients without a secret, so allow such clients there"
                .to_owned(),
            None,
        );
    }
    if !lists(&provider.code_challenge_methods_supported, "S256") {
        warn(
            "the provider does not list S256 among code_challenge_methods_supported: clients send PKCE with S256 and \
             are safe only when it is enforced, so switch it on there"
                .to_owned(),
            None,
        );
    }
    if is_same_address(&provider.authorization_endpoint, proxy) {
        findings.push(Finding {
            refused: true,
            sentence: format!(
                "the provider's authorization_endpoint is this service's own proxy, {proxy}, so that signing in would \
                 go round in circles"
            ),
            remedy: Some(Remedy::ProviderIssuer),
        });
    }
    findings
}

/// Returns true if an authorization endpoint has the address of the authorization proxy. Query and fragment are not
/// compared.
fn is_same_address(endpoint: &str, proxy: &str) -> bool {
    let address = |text: &str| {
        let mut url = Url::parse(text).ok()?;
        url.set_query(None);
        url.set_fragment(None);
        Some(url)
    };
    address(endpoint).is_some_and(|endpoint| Some(endpoint) == address(proxy))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ORIGIN: &str = "https://money.example";
    const PROXY: &str = "https://money.example/api/oauth/authorize";

    fn discovery_document(change: &[(&str, Value)]) -> DiscoveryDocument {
        let mut document = json!({
            "issuer": "https://id.example/auth",
            "authorization_endpoint": "https://id.example/auth/authorize",
            "token_endpoint": "https://id.example/auth/token",
            "jwks_uri": "https://id.example/auth/keys",
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
        });
        for (name, value) in change {
            document[*name] = value.clone();
        }
        serde_json::from_value(document).expect("a discovery document")
    }

    fn sentences(change: &[(&str, Value)], mode: IssuerMode, origin: &str) -> Vec<String> {
        check(&discovery_document(change), mode, origin, PROXY).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn compatible_provider_has_no_findings() {
        for mode in [IssuerMode::Split, IssuerMode::Direct] {
            assert!(sentences(&[], mode, ORIGIN).is_empty(), "{mode:?}");
            assert!(sentences(&[], mode, "http://127.0.0.1:8080").is_empty(), "{mode:?}");
        }
        let own =
            [("issuer", json!(ORIGIN)), ("authorization_response_iss_parameter_supported", json!(true))];
        for mode in IssuerMode::ALL {
            assert!(sentences(&own, mode, ORIGIN).is_empty(), "{mode:?}");
        }
    }

    #[test]
    fn each_incompatibility_is_one_finding_that_names_the_remedy() {
        let iss = ("authorization_response_iss_parameter_supported", json!(true));
        let cases = [
            (iss.clone(), IssuerMode::Split, ORIGIN, Some(("switch that off", Some(Remedy::DirectMode)))),
            (iss, IssuerMode::Direct, ORIGIN, None),
            (
                ("jwks_uri", json!("https://id.example/k")),
                IssuerMode::Origin,
                ORIGIN,
                Some(("let the provider's issuer be", Some(Remedy::SplitMode))),
            ),
            (
                ("jwks_uri", json!("https://id.example/k")),
                IssuerMode::Split,
                "http://money.example",
                Some(("https", Some(Remedy::HttpsOrigin))),
            ),
            (
                ("token_endpoint_auth_methods_supported", json!(["client_secret_basic"])),
                IssuerMode::Split,
                ORIGIN,
                Some(("public clients", None)),
            ),
            (
                ("code_challenge_methods_supported", json!(["plain"])),
                IssuerMode::Direct,
                ORIGIN,
                Some(("S256", None)),
            ),
        ];
        for (change, mode, origin, expected) in cases {
            let document = discovery_document(std::slice::from_ref(&change));
            let found = check(&document, mode, origin, PROXY);
            assert_eq!(found.len(), usize::from(expected.is_some()), "{change:?} {mode:?}: {found:?}");
            for (found, (part, remedy)) in found.iter().zip(expected) {
                assert!(found.sentence.contains(part) && found.remedy == remedy, "{found:?}");
            }
        }
    }

    #[test]
    fn authorization_endpoint_that_is_the_proxy_blocks_the_start() {
        let refused = |endpoint: &str| {
            let change = [("authorization_endpoint", json!(endpoint))];
            check(&discovery_document(&change), IssuerMode::Split, ORIGIN, PROXY)
                .iter()
                .any(|finding| finding.refused)
        };
        for endpoint in [
            PROXY,
            "https://MONEY.example:443/api/oauth/authorize",
            "https://money.example/api/x/../oauth/authorize?x=y",
        ] {
            assert!(refused(endpoint), "{endpoint}");
        }
        for endpoint in
            ["https://money.example/api/oauth/authorize/", "https://id.example/api/oauth/authorize"]
        {
            assert!(!refused(endpoint), "{endpoint}");
        }
    }
}
