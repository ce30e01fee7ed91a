//! The dashboard at HTTP level: page and assets, sessions, data requests, and the sign-in with its attacks.

mod data;
mod mounted;
mod sign_in;

use std::collections::BTreeMap;
use std::sync::Arc;

use hyper::Method;
use passbook_domain::scope::Scope;
use passbook_server::settings::{DashboardSettings, Settings};
use serde_json::Value;
use tests::app::{App, settings_with};
use tests::database::Database;
use tests::http::{Http, Reply, query};
use tests::provider::{CLIENT, IdentityProvider, IssuedCode, TestClock};
use tests::signer::Signer;
use uuid::Uuid;

/// The header that the page adds to its requests.
pub(super) const PAGE: (&str, &str) = ("x-passbook-page", "1");

/// A browser with its cookies.
#[derive(Clone, Debug, Default)]
pub(super) struct Browser {
    http: Http,
    pub(super) cookies: BTreeMap<String, String>,
}

impl Browser {
    /// Sends a request with the stored cookies, and stores the cookies of the response.
    pub(super) async fn send(
        &mut self,
        method: Method,
        url: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookie = pairs.join("; ");
        let mut headers = headers.to_vec();
        if !cookie.is_empty() {
            headers.push(("cookie", &cookie));
        }
        let reply = self.http.send_body(method, url, &headers, body.to_owned().into()).await;
        for line in reply.headers.get_all("set-cookie") {
            let line = line.to_str().expect("a cookie is text");
            let (pair, attributes) = line.split_once(';').expect("a cookie has attributes");
            let (name, value) = pair.split_once('=').expect("a cookie has a value");
            for attribute in ["Path=/", "HttpOnly", "SameSite=Lax"] {
                assert!(attributes.contains(attribute), "{line}");
            }
            assert!(!attributes.contains("Domain"), "{line}");
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        reply
    }

    /// Follows a link of the page.
    pub(super) async fn open(&mut self, url: &str) -> Reply {
        self.send(Method::GET, url, &[("accept", "text/html"), ("sec-fetch-site", "same-origin")], "").await
    }

    /// Sends a data request of the page.
    pub(super) async fn data(&mut self, origin: &str, path: &str) -> Reply {
        let url = format!("{origin}/data{path}");
        self.send(Method::GET, &url, &[PAGE, ("sec-fetch-site", "same-origin")], "").await
    }

    /// Sends a POST request of the page.
    pub(super) async fn change(&mut self, origin: &str, path: &str, body: &str) -> Reply {
        let headers = [
            PAGE,
            ("sec-fetch-site", "same-origin"),
            ("origin", origin),
            ("content-type", "application/json"),
        ];
        self.send(Method::POST, &format!("{origin}{path}"), &headers, body).await
    }

    /// Returns true if the browser has a session cookie.
    pub(super) fn is_signed_in(&self) -> bool {
        self.cookies.keys().any(|name| name.contains("passbook-session"))
    }
}

/// A server with the dashboard, an identity provider, and a person who has a client of the dashboard.
pub(super) struct Dashboard {
    pub(super) app: App,
    pub(super) origin: String,
    pub(super) provider: IdentityProvider,
    pub(super) signer: Signer,
    pub(super) clock: Arc<TestClock>,
    pub(super) user: Uuid,
}

impl Dashboard {
    pub(super) async fn start() -> Dashboard {
        let signer = Signer::new("k1", "ES256");
        let provider = IdentityProvider::start(&[&signer]).await;
        let clock = Arc::new(TestClock::default());
        let session_key = passbook_dashboard::SessionKey::generate();
        let own = DashboardSettings { client_id: Some(CLIENT.to_owned()), session_key };
        let settings = Settings { dashboard: Some(own), ..settings_with(&provider, &clock) };
        let app = App::start_with(Database::fresh().await, settings).await;
        let (household, _) = app.add_person().await;
        let user = household.user.user_id;
        app.add_client(CLIENT, Some(user), Scope::ALL, true).await;
        let origin = app.origin().to_owned();
        Dashboard { app, origin, provider, signer, clock, user }
    }

    /// Returns an access token with changed claims.
    pub(super) fn token(&self, changes: &[(&str, Value)]) -> String {
        self.signer.sign(&self.provider.changed_claims(self.user, self.clock.now(), changes))
    }

    /// Begins a sign-in. Returns the parameters of the authorization request that the identity provider receives.
    pub(super) async fn begin(&self, browser: &mut Browser, query: &str) -> BTreeMap<String, String> {
        let begun = browser.open(&format!("{}/session/sign-in{query}", self.origin)).await;
        assert_eq!(begun.status, 303, "{:?}", begun.body);
        let proxy = begun.header("location").to_owned();
        assert!(proxy.starts_with(&format!("{}/oauth/authorize?", self.app.base_url)), "{proxy}");
        let redirected = Http::default().send(Method::GET, &proxy, &[]).await;
        let (endpoint, request) = split_query(redirected.header("location"));
        assert_eq!(endpoint, format!("{}/oauth/authorize", self.provider.issuer));
        request
    }

    /// Begins a sign-in, and issues `code-1` for it. Returns the parameters of the callback.
    pub(super) async fn attempt(&self, browser: &mut Browser) -> Vec<(&'static str, String)> {
        let request = self.begin(browser, "").await;
        self.issue(&request, "code-1", self.token(&[]));
        vec![("code", "code-1".to_owned()), ("state", request["state"].clone())]
    }

    /// Issues a code for an authorization request, for an access token.
    pub(super) fn issue(&self, request: &BTreeMap<String, String>, code: &str, token: String) {
        let (challenge, redirect_uri) = (request["code_challenge"].clone(), request["redirect_uri"].clone());
        self.provider.issue(code, IssuedCode { challenge, redirect_uri, token });
    }

    /// Sends the browser to the callback, as the identity provider does.
    pub(super) async fn call_back<T: AsRef<str>>(
        &self,
        browser: &mut Browser,
        parameters: &[(&str, T)],
    ) -> Reply {
        let pairs: Vec<(&str, &str)> =
            parameters.iter().map(|(name, value)| (*name, value.as_ref())).collect();
        let url = format!("{}/session/callback?{}", self.origin, query(&pairs));
        browser
            .send(Method::GET, &url, &[("accept", "text/html"), ("sec-fetch-site", "cross-site")], "")
            .await
    }

    /// Signs a browser in with this access token. Returns the response to the callback.
    pub(super) async fn sign_in(&self, browser: &mut Browser, query: &str, token: String) -> Reply {
        let request = self.begin(browser, query).await;
        self.issue(&request, "code-1", token);
        self.call_back(browser, &[("code", "code-1"), ("state", &request["state"])]).await
    }
}

/// Splits an address into the part before its query and the decoded parameters.
pub(super) fn split_query(address: &str) -> (&str, BTreeMap<String, String>) {
    let (path, query) = address.split_once('?').expect("a query");
    let decode = |text: &str| passbook_web::query_string::decode(text).expect("percent-encoded text");
    let pairs = query.split('&').map(|pair| pair.split_once('=').expect("a value"));
    (path, pairs.map(|(name, value)| (decode(name), decode(value))).collect())
}

/// The port of an origin, which is a part of the names of cookies.
pub(super) fn port(origin: &str) -> &str {
    origin.rsplit_once(':').expect("a port").1
}

/// Asserts that a sign-in has failed: the page explains the error, and there is no session.
#[track_caller]
pub(super) fn assert_failed(reply: &Reply, browser: &Browser, error: &str) {
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, format!("/#error={error}").as_str()));
    assert!(!browser.is_signed_in(), "{error}");
}
