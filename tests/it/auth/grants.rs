//! Grants of OAuth clients: rights of clients, consents and sessions, their revocation, and the cost of a lookup. A server
//! with one open HTTP connection to it.

mod kinds;
mod revocation;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::http::request::Builder;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_rest::HostCaller;
use passbook_server::settings::Settings;
use passbook_store::Store;
use serde_json::{Value, json};
use tests::app::{TODAY, checked_store, credential, settings};
use tests::database::Database;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use uuid::Uuid;

/// The caller of a request.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    /// The holder of a personal access token.
    Token(String),
    /// A signed-in OAuth client, as the credential that authentication produces.
    Client(Credential),
}

impl Caller {
    /// A client of a person, with an optional session.
    pub(crate) fn client(user: Uuid, client_id: &str, session: Option<&str>) -> Caller {
        let session_id = session.map(|session| SessionId::parse(session).expect("the identifier is valid"));
        let grant = GrantReference::OauthClient { client_id: client_id.to_owned(), session_id };
        Caller::Client(credential(user, grant))
    }

    /// A person in a session of a host.
    pub(crate) fn host(user: Uuid, session: &str) -> Caller {
        let id = SessionId::parse(session).expect("the identifier is valid");
        Caller::Client(credential(user, GrantReference::Host { id }))
    }
}

/// A server, which has passed the start-up check.
pub(crate) struct Server {
    settings: Settings,
    store: Store,
}

impl Server {
    /// Starts a server with the given database configuration and settings.
    pub(crate) async fn start(reader: tokio_postgres::Config, environment: &[(&str, &str)]) -> Server {
        let settings = Settings { today: Some(TODAY), ..settings(environment) };
        let store = checked_store(&settings, reader).await;
        Server { settings, store }
    }
}

/// An open connection of one caller.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    caller: Caller,
    accepted: Arc<AtomicUsize>,
    serving: JoinHandle<()>,
}

impl Drop for Connection {
    /// Stops serving the connection.
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Connection {
    /// Starts a server with the start-up check and connects to it.
    pub(crate) async fn open(database: &Database, caller: &Caller) -> Connection {
        Connection::through(database.configuration(passbook_schema::READER), &[], caller).await
    }

    /// Starts a server with the given database configuration and settings, and connects to it.
    pub(crate) async fn through(
        reader: tokio_postgres::Config,
        environment: &[(&str, &str)],
        caller: &Caller,
    ) -> Connection {
        Connection::to(&Server::start(reader, environment).await, caller).await
    }

    /// Connects to a server. It serves each of its connections on a port of its own.
    pub(crate) async fn to(server: &Server, caller: &Caller) -> Connection {
        let (settings, store) = (server.settings.clone(), server.store.clone());
        let accepted = Arc::new(AtomicUsize::new(0));
        let (address, serving) = serve(settings, store, caller.clone(), accepted.clone()).await;
        let stream = TcpStream::connect(address).await.expect("the server listens");
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .expect("the HTTP handshake succeeds");
        tokio::spawn(connection);
        Connection { sender, caller: caller.clone(), accepted, serving }
    }

    /// Sends a GET request. Returns the status and the error code.
    pub(crate) async fn status_and_code(&mut self, path: &str) -> (StatusCode, Option<String>) {
        let (status, body) = self.get(path).await;
        (status, body["error"]["code"].as_str().map(str::to_owned))
    }

    /// Sends a GET request. Returns the status.
    pub(crate) async fn status(&mut self, path: &str) -> u16 {
        self.get(path).await.0.as_u16()
    }

    /// Sends a GET request. Returns the status and the body.
    pub(crate) async fn get(&mut self, path: &str) -> (StatusCode, Value) {
        self.send(Request::get(format!("/api{path}")), Bytes::new()).await
    }

    /// Calls a tool. Returns the status and the error code.
    pub(crate) async fn call(&mut self, tool: &str) -> (StatusCode, Option<String>) {
        let params = json!({ "name": tool, "arguments": {} });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let request = Request::post("/api/mcp").header("content-type", "application/json");
        let (status, body) = self.send(request, Bytes::from(message.to_string())).await;
        assert_eq!(
            body["result"]["isError"],
            Value::Null,
            "the tool must succeed or fail with a status: {body}"
        );
        (status, body["error"]["code"].as_str().map(str::to_owned))
    }

    async fn send(&mut self, request: Builder, body: Bytes) -> (StatusCode, Value) {
        let mut request = request.header("host", "127.0.0.1");
        if let Caller::Token(token) = &self.caller {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Full::new(body)).expect("a well-formed request");
        self.sender.ready().await.expect("the connection is kept alive");
        let reply = self.sender.send_request(request).await.expect("the server sends a response");
        let status = reply.status();
        let body = reply.into_body().collect().await.expect("the body arrives").to_bytes();
        assert_eq!(self.accepted.load(Ordering::Relaxed), 1, "all requests must use the first connection");
        (status, serde_json::from_slice(&body).expect("the body is JSON"))
    }
}

/// Serves one caller on its own port and counts the accepted connections.
async fn serve(
    settings: Settings,
    store: Store,
    caller: Caller,
    accepted: Arc<AtomicUsize>,
) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let base_url = format!("http://{address}/api");
    let router = passbook_server::wiring::mount(&settings, store, None, base_url).router;
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            accepted.fetch_add(1, Ordering::Relaxed);
            let (router, caller) = (router.clone(), caller.clone());
            let service = service_fn(move |mut request: Request<Incoming>| {
                if let Caller::Client(credential) = &caller {
                    request.extensions_mut().insert(HostCaller(credential.clone()));
                }
                let router = router.clone();
                async move { Ok::<_, Infallible>(router.handle(request).await) }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    (address, serving)
}
