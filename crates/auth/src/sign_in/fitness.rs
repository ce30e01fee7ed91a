//! Whether clients can sign in with a provider in a mode: examined at start, by `/oauth/authorize`, and by the operator.

use reqwest::Url;

use super::Mode;
use crate::provider::Metadata;
use crate::provider::address::secure;

/// Something that keeps clients from signing in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether nobody at all can sign in, so that the service must not start.
    pub refused: bool,
    /// What is wrong, and what to change.
    pub sentence: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Everything about a provider, a mode and the public origin that breaks clients; `proxy` is the address of the
/// authorization proxy.
pub fn examine(metadata: &Metadata, mode: Mode, origin: &str, proxy: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut warn = |sentence: String| findings.push(Finding { refused: false, sentence });
    let issuer = &metadata.issuer;
    if Url::parse(origin).is_ok_and(|url| secure(&url).is_err()) {
        warn(format!(
            "the origin {origin} is http, where tokens can be read on their way and clients refuse to sign in: serve \
             it over https, and name it so in PASSBOOK_ORIGIN"
        ));
    }
    let own = issuer == origin;
    if metadata.authorization_response_iss_parameter_supported && mode != Mode::Direct && !own {
        warn(format!(
            "the provider sends its issuer {issuer} back with the code (RFC 9207), where assistants expect {origin} \
             and refuse: switch that off at the provider (Keycloak: \"Exclude Issuer From Authentication Response\" of \
             the client), or set PASSBOOK_OAUTH_MODE=direct"
        ));
    }
    if mode == Mode::Origin && !own {
        warn(format!(
            "ID tokens name the issuer {issuer}, and the OpenID configuration names {origin}: libraries that verify \
             ID tokens refuse; set PASSBOOK_OAUTH_MODE=split, or let the provider's issuer be {origin}"
        ));
    }
    let lists = |list: &[String], word: &str| list.iter().any(|item| item == word);
    if !lists(&metadata.token_endpoint_auth_methods_supported, "none") {
        warn(
            "the provider does not list none among token_endpoint_auth_methods_supported: dashboards and assistants \
             are public clients without a secret, so allow such clients there"
                .to_owned(),
        );
    }
    if !lists(&metadata.code_challenge_methods_supported, "S256") {
        warn(
            "the provider does not list S256 among code_challenge_methods_supported: clients send PKCE with S256 and \
             are safe only when it is enforced, so switch it on there"
                .to_owned(),
        );
    }
    if leads_to(&metadata.authorization_endpoint, proxy) {
        findings.push(Finding {
            refused: true,
            sentence: format!(
                "the provider's authorization_endpoint is this service's own proxy, {proxy}, so that signing in would \
                 go round in circles: let PASSBOOK_OIDC_ISSUER name the provider itself"
            ),
        });
    }
    findings
}

/// Whether an authorization endpoint is the proxy itself, whatever query it has.
fn leads_to(endpoint: &str, proxy: &str) -> bool {
    let place = |text: &str| {
        let mut url = Url::parse(text).ok()?;
        url.set_query(None);
        url.set_fragment(None);
        Some(url)
    };
    place(endpoint).is_some_and(|endpoint| Some(endpoint) == place(proxy))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ORIGIN: &str = "https://money.example";
    const PROXY: &str = "https://money.example/api/oauth/authorize";

    fn metadata(change: &[(&str, Value)]) -> Metadata {
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
        serde_json::from_value(document).expect("metadata")
    }

    fn sentences(change: &[(&str, Value)], mode: Mode, origin: &str) -> Vec<String> {
        examine(&metadata(change), mode, origin, PROXY).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_good_provider_gives_no_reason_to_warn() {
        for mode in [Mode::Split, Mode::Direct] {
            assert!(sentences(&[], mode, ORIGIN).is_empty(), "{mode:?}");
            assert!(sentences(&[], mode, "http://127.0.0.1:8080").is_empty(), "{mode:?}");
        }
        let own =
            [("issuer", json!(ORIGIN)), ("authorization_response_iss_parameter_supported", json!(true))];
        for mode in Mode::ALL {
            assert!(sentences(&own, mode, ORIGIN).is_empty(), "{mode:?}");
        }
    }

    #[test]
    fn each_fault_is_one_sentence_that_says_what_to_change() {
        let iss = ("authorization_response_iss_parameter_supported", json!(true));
        let cases = [
            (iss.clone(), Mode::Split, ORIGIN, Some("PASSBOOK_OAUTH_MODE=direct")),
            (iss, Mode::Direct, ORIGIN, None),
            (
                ("jwks_uri", json!("https://id.example/k")),
                Mode::Origin,
                ORIGIN,
                Some("PASSBOOK_OAUTH_MODE=split"),
            ),
            (("jwks_uri", json!("https://id.example/k")), Mode::Split, "http://money.example", Some("https")),
            (
                ("token_endpoint_auth_methods_supported", json!(["client_secret_basic"])),
                Mode::Split,
                ORIGIN,
                Some("public clients"),
            ),
            (("code_challenge_methods_supported", json!(["plain"])), Mode::Direct, ORIGIN, Some("S256")),
        ];
        for (change, mode, origin, expected) in cases {
            let found = sentences(std::slice::from_ref(&change), mode, origin);
            assert_eq!(found.len(), usize::from(expected.is_some()), "{change:?} {mode:?}: {found:?}");
            assert!(found.iter().zip(expected).all(|(found, part)| found.contains(part)), "{found:?}");
        }
    }

    #[test]
    fn a_loop_is_refused_however_it_is_written() {
        let refused = |endpoint: &str| {
            let change = [("authorization_endpoint", json!(endpoint))];
            examine(&metadata(&change), Mode::Split, ORIGIN, PROXY).iter().any(|finding| finding.refused)
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
