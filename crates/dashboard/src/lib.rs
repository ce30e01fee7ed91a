//! Serves the page that shows a person's money in a browser: the page and its assets, the sign-in, and the data.
//!
//! ```
//! use passbook_dashboard::{BaseUrl, Dashboard, Pipeline, Router};
//! use passbook_rest::Rest;
//!
//! fn page(pipeline: &Pipeline, rest: &Rest) -> Result<Router, Box<dyn std::error::Error>> {
//!     let dashboard = Dashboard::new(pipeline, rest, BaseUrl::parse("https://money.example")?);
//!     // The dashboard first: at its address it serves browsers only.
//!     Ok(Router::new(pipeline, dashboard.endpoints().into_iter().chain(rest.endpoints())))
//! }
//! ```
//!
//! The page is a client of this service like any other. Its data come from the REST adapter, in the same process and with
//! the token of its session. The session is a sealed cookie; this server stores nothing. `docs/dashboard.md` describes the
//! page, and `docs/security.md` the decisions behind its sign-in.

mod assets;
mod compression;
mod cookies;
mod exchange_limits;
mod handling;
mod page_request;
mod sealing;
mod session;
mod sign_in;

use std::sync::Arc;

use hyper::header::SET_COOKIE;
use hyper::{Method, Request, StatusCode};
use passbook_auth::{Clock, SystemClock};
use passbook_domain::scope::Surface;
use passbook_rest::Rest;
use passbook_web::{Adapter, Endpoint, HandlerResult, Methods, Received};

pub use passbook_auth::sign_in_code::SignInFile;
pub use passbook_web::{BaseUrl, Pipeline, Router};
pub use sealing::SessionKey;
pub use sign_in::SignInConfig;

use assets::Assets;
use compression::compressed_data;
use cookies::Cookies;
use handling::Inner;
use sealing::Sealer;
use sign_in::SignIn;

/// Path below the page to which the identity provider sends the browser back. The client of the page is registered with the
/// address of the page followed by this path.
pub const CALLBACK_PATH: &str = "/session/callback";
/// Start of the paths below the page that stand for paths of the REST adapter.
const DATA_PATHS: &str = "/data/v1/";

/// The methods of a request that changes the session.
const CHANGE: Methods = Methods {
    allowed: &[Method::POST],
    rule: "Only POST is accepted here: the request changes the session.",
};
/// The methods of a step of a sign-in. HEAD would spend the step without a page that continues.
const SIGN_IN_STEP: Methods = Methods {
    allowed: &[Method::GET],
    rule: "Only GET is accepted here: a browser is sent to this address during a sign-in.",
};

/// The dashboard. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Dashboard {
    pipeline: Pipeline,
    rest: Rest,
    page_url: BaseUrl,
    session_key: SessionKey,
    clock: Arc<dyn Clock>,
    sign_in: Option<SignInConfig>,
    sign_in_file: Option<SignInFile>,
}

impl Dashboard {
    /// Creates the dashboard, whose data come from `rest`, with a random session key and the system's clock. `page_url` is
    /// the address of the page without a slash at its end, such as `https://money.example` or
    /// `https://money.example/pictures`.
    pub fn new(pipeline: &Pipeline, rest: &Rest, page_url: BaseUrl) -> Dashboard {
        Dashboard {
            pipeline: pipeline.clone(),
            rest: rest.clone(),
            page_url,
            session_key: SessionKey::generate(),
            clock: Arc::new(SystemClock::new()),
            sign_in: None,
            sign_in_file: None,
        }
    }

    /// Sets the key that seals the cookies.
    #[must_use]
    pub fn with_session_key(self, session_key: SessionKey) -> Dashboard {
        Dashboard { session_key, ..self }
    }

    /// Signs people in at an identity provider. The clock of the provider measures the lifetimes of sessions and sign-ins.
    /// Without the provider, people enter a personal access token.
    #[must_use]
    pub fn with_sign_in(self, sign_in: SignInConfig) -> Dashboard {
        Dashboard { clock: sign_in.provider.clock().clone(), sign_in: Some(sign_in), ..self }
    }

    /// Exchanges the code of the file for a session once, whenever a program stores one.
    #[must_use]
    pub fn with_sign_in_file(self, file: SignInFile) -> Dashboard {
        Dashboard { sign_in_file: Some(file), ..self }
    }

    /// Returns the endpoints of the page. The page itself is only for requests that accept HTML by name, as browsers do, so
    /// that another adapter can serve programs at its path.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        let inner = Arc::new(self.inner());
        // A caller without a session sees no sign-in of the host: the page shows its own.
        let adapter = self.pipeline.adapter(Surface::Rest, None).without_challenges();
        let base = self.page_url.path();
        let endpoint = |template, methods, handler: fn(Arc<Inner>, Received) -> handling::Handling| {
            let inner = inner.clone();
            let endpoint =
                adapter.public(template, methods, move |received| handler(inner.clone(), received));
            endpoint.at(format!("{base}{template}"))
        };
        let mut endpoints = vec![
            endpoint("/", Methods::READ, |inner, received| {
                Box::pin(async move { inner.page(&received.head) })
            })
            .for_browsers(),
            // The address of the page without its last slash.
            endpoint("/", Methods::READ, |inner, _| Box::pin(async move { inner.to_slash() }))
                .at(base)
                .for_browsers(),
            endpoint("/session/code", CHANGE, |inner, received| Box::pin(inner.exchange_code(received))),
            endpoint("/session/token", CHANGE, |inner, received| Box::pin(inner.enter_token(received))),
            endpoint("/session/sign-out", CHANGE, |inner, received| {
                Box::pin(async move { inner.sign_out(&received.head) })
            }),
            endpoint("/session/sign-in", SIGN_IN_STEP, |inner, received| {
                Box::pin(async move { inner.begin_sign_in(&received.head) })
            }),
            endpoint(CALLBACK_PATH, SIGN_IN_STEP, |inner, received| {
                Box::pin(inner.complete_sign_in(received))
            }),
            data(&adapter, &self.pipeline, inner.clone()).at(format!("{base}{DATA_PATHS}")).with_subpaths(),
        ];
        for name in inner.assets.names() {
            let own = inner.clone();
            let handler = move |received: Received| {
                std::future::ready(Ok(own.assets.respond(name, &received.head.headers)))
            };
            let asset = adapter.public("/assets/{hash}/{name}", Methods::READ, handler);
            endpoints.push(asset.at(format!("{base}{}{name}", inner.assets.folder())));
        }
        endpoints
    }

    fn inner(&self) -> Inner {
        let Dashboard { pipeline, rest, page_url, session_key, clock, sign_in, sign_in_file } = self.clone();
        let (page, languages) = (passbook_views::page_files(), passbook_views::language_files());
        let assets = Assets::new(&[&page[..], &languages].concat());
        let options = passbook_views::PageOptions {
            assets: &format!("{}{}", page_url.path(), assets.folder()),
            base: &format!("{}/", page_url.path()),
            sign_in: sign_in.is_some(),
        };
        let redirect_uri = format!("{page_url}{CALLBACK_PATH}");
        Inner {
            rest: Router::new(&pipeline, rest.endpoints()),
            rest_path: pipeline.base_url().path().to_owned(),
            page: passbook_views::page_html(&options).into(),
            assets,
            cookies: Cookies::new(&page_url),
            sealer: Sealer::new(&session_key, page_url.origin()),
            page_url,
            clock,
            sign_in: sign_in.map(|config| SignIn::new(config, redirect_uri, pipeline)),
            sign_in_file,
        }
    }
}

/// Returns the endpoint of the data. A request with a session is passed to REST, which checks and logs it.
fn data(adapter: &Adapter, pipeline: &Pipeline, inner: Arc<Inner>) -> Endpoint {
    const TEMPLATE: &str = "/data/{path}";
    let rejecting = {
        let inner = inner.clone();
        let reject = move |received: Received| -> std::future::Ready<HandlerResult> {
            let rejected = inner.data_request(&received.head).err();
            std::future::ready(Err(rejected.unwrap_or_else(|| passbook_web::HttpError::not_found(None))))
        };
        adapter.public(TEMPLATE, Methods::READ, reject)
    };
    let pipeline = pipeline.clone();
    adapter.forwarding(TEMPLATE, move |request| {
        let (inner, pipeline, rejecting) = (inner.clone(), pipeline.clone(), rejecting.clone());
        async move {
            let (head, body) = request.into_parts();
            let mut response = match inner.data_request(&head) {
                Ok(request) => compressed_data(&head, inner.rest.handle(request).await).await,
                Err(_) => pipeline.handle(&rejecting, Request::from_parts(head, body)).await,
            };
            if response.status() == StatusCode::UNAUTHORIZED {
                let name = inner.cookies.session_name();
                response.headers_mut().append(SET_COOKIE, inner.cookies.delete(&name));
            }
            response
        }
    })
}
