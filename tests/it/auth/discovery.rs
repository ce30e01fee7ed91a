//! OAuth discovery: discovery documents, authorization proxy, challenges, and the apps challenge.

mod apps_challenge;
mod challenges;
mod documents;
mod proxy;

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tests::app::{App, settings};
use tests::database::Database;
use tests::http::{Http, Reply};
use tests::provider::IdentityProvider;
use tests::signer::Signer;
use tokio::net::TcpListener;

/// A provider whose discovery document has every member, including members that Passbook must not publish.
async fn full_provider() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    let issuer = provider.issuer.clone();
    for (member, path) in [
        ("userinfo_endpoint", "oauth/userinfo"),
        ("revocation_endpoint", "oauth/revoke"),
        ("end_session_endpoint", "logout"),
        ("registration_endpoint", "oauth/register"),
        ("pushed_authorization_request_endpoint", "oauth/par"),
        ("device_authorization_endpoint", "oauth/device"),
        ("backchannel_authentication_endpoint", "oauth/ciba"),
        ("introspection_endpoint", "oauth/introspect"),
        ("check_session_iframe", "session"),
    ] {
        provider.set_metadata(member, json!(format!("{issuer}/{path}")));
    }
    provider.set_metadata("mtls_endpoint_aliases", json!({ "token_endpoint": format!("{issuer}/mtls") }));
    provider.set_metadata("signed_metadata", json!("e30.e30.e30"));
    provider.set_metadata("request_uri_parameter_supported", json!(true));
    provider.set_metadata("require_pushed_authorization_requests", json!(true));
    provider.set_metadata("response_types_supported", json!(["code", "token", "id_token"]));
    provider.set_metadata("response_modes_supported", json!(["query", "fragment", "form_post"]));
    provider.set_metadata(
        "grant_types_supported",
        json!(["authorization_code", "implicit", "password", "refresh_token"]),
    );
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["client_secret_basic", "none"]));
    provider.set_metadata("subject_types_supported", json!(["public"]));
    provider.set_metadata("id_token_signing_alg_values_supported", json!(["ES256"]));
    provider.set_metadata("claims_supported", json!(["sub", "email"]));
    provider.set_metadata("client_id_metadata_document_supported", json!(true));
    provider.set_metadata("authorization_response_iss_parameter_supported", json!(true));
    provider
}

/// Starts an application whose clients sign in with `provider`.
async fn app(provider: &IdentityProvider, environment: &[(&str, &str)]) -> App {
    let issuer = [("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str())];
    let environment: Vec<(&str, &str)> = issuer.iter().chain(environment).copied().collect();
    App::start_with(Database::fresh().await, settings(&environment)).await
}

fn origin(app: &App) -> &str {
    app.base_url.strip_suffix("/api").expect("the base address is below the origin")
}

/// Sends a request to a path below the origin.
async fn send_to_origin(app: &App, method: Method, target: &str) -> Reply {
    Http::default().send(method, &format!("{}{target}", origin(app)), &[]).await
}

/// A sign-in page of a provider that records its requests.
#[derive(Clone)]
struct SignInPage {
    address: String,
    visits: Arc<Mutex<Vec<String>>>,
}

impl SignInPage {
    async fn open() -> SignInPage {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}/sign-in", listener.local_addr().expect("an address"));
        let page = SignInPage { address, visits: Arc::default() };
        let visits = page.visits.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let visits = visits.clone();
                let service = service_fn(move |request: Request<Incoming>| {
                    let target = request.uri().to_string();
                    visits.lock().unwrap_or_else(PoisonError::into_inner).push(target);
                    async { Ok::<_, std::convert::Infallible>(Response::new(Full::<Bytes>::default())) }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        page
    }

    /// The request targets since the last call.
    fn visits(&self) -> Vec<String> {
        std::mem::take(&mut self.visits.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
