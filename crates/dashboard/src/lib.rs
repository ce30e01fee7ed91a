//! Serves the page that shows a person's money in a browser: the page and its assets, the sign-in, and the data.
//!
//! ```
//! use passbook_dashboard::{BaseUrl, Config, Dashboard};
//!
//! fn page(rest: passbook_rest::Rest) -> Result<Dashboard, Box<dyn std::error::Error>> {
//!     let config = Config::new(BaseUrl::parse("https://money.example")?, 10);
//!     Ok(Dashboard::new(rest, config, None))
//! }
//! ```
//!
//! The page is a client of this service like any other. Its data come from the REST adapter, in the same process and with
//! the token of its session. The session is a sealed cookie; this server stores nothing. `docs/dashboard.md` describes the
//! page, and `docs/security.md` the decisions behind its sign-in.

mod assets;
mod cookies;
mod handling;
mod page_request;
mod responses;
mod rest_request;
mod route;
mod sealing;
mod session;
mod sign_in;
mod sign_in_code;

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::header::SET_COOKIE;
use hyper::{HeaderMap, Request, Response, StatusCode};
use passbook_auth::{Clock, SystemClock};
use passbook_rest::Rest;
use passbook_web::{PublicPipeline, RequestObserver};

pub use passbook_rest::BaseUrl;
pub use route::Route;
pub use sealing::SessionKey;
pub use sign_in::SignInConfig;
pub use sign_in_code::SignInCode;

use assets::Assets;
use cookies::Cookies;
use handling::Inner;
use route::Resource;
use sealing::Sealer;
use sign_in::SignIn;

/// Path below the page to which the identity provider sends the browser back. The client of the page is registered with the
/// address of the page followed by this path.
pub const CALLBACK_PATH: &str = "/session/callback";

/// Settings of the dashboard.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address of the page without a slash at its end, such as `https://money.example` or
    /// `https://money.example/pictures`.
    pub page_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// The key that seals the cookies.
    pub session_key: SessionKey,
    /// The clock for the lifetimes of sessions and sign-ins.
    pub clock: Arc<dyn Clock>,
}

impl Config {
    /// Creates settings with a random session key and the system's clock.
    pub fn new(page_url: BaseUrl, request_seconds_max: u64) -> Config {
        let clock = Arc::new(SystemClock::new());
        Config { page_url, request_seconds_max, session_key: SessionKey::generate(), clock }
    }
}

/// The dashboard. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Dashboard {
    pipeline: PublicPipeline,
    inner: Arc<Inner>,
    code: Option<SignInCode>,
}

impl Dashboard {
    /// Creates the dashboard, whose data come from `rest`. Without `sign_in` people enter a personal access token.
    pub fn new(rest: Rest, config: Config, sign_in: Option<SignInConfig>) -> Dashboard {
        let Config { page_url, request_seconds_max, session_key, clock } = config;
        let assets = Assets::new(passbook_views::modules());
        let options = passbook_views::PageOptions {
            assets: &format!("{}{}", page_url.path(), assets.folder()),
            base: &format!("{}/", page_url.path()),
            sign_in: sign_in.is_some(),
        };
        let redirect_uri = format!("{page_url}{CALLBACK_PATH}");
        let inner = Inner {
            rest,
            page: passbook_views::page_html(&options).into(),
            assets,
            cookies: Cookies::new(&page_url),
            sealer: Sealer::new(&session_key, page_url.origin()),
            page_url,
            clock,
            sign_in: sign_in.map(|config| SignIn::new(config, redirect_uri)),
        };
        let pipeline = PublicPipeline::new(request_seconds_max);
        Dashboard { pipeline, inner: Arc::new(inner), code: None }
    }

    /// Adds a code that is exchanged for a session once.
    #[must_use]
    pub fn with_sign_in_code(self, code: SignInCode) -> Dashboard {
        Dashboard { code: Some(code), ..self }
    }

    /// Adds an observer of the requests, for metrics. Data requests are observed by the REST adapter.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> Dashboard {
        Dashboard { pipeline: self.pipeline.with_observer(observer), ..self }
    }

    /// Returns the route with this path of the origin, or `None` if the dashboard has none. The page itself is only for
    /// requests that accept HTML by name, as browsers do, so that another adapter can serve programs at its path.
    pub fn route(&self, path: &str, headers: &HeaderMap) -> Option<Route> {
        let Inner { page_url, assets, .. } = &*self.inner;
        let prefix = page_url.path();
        let resource = match page_url.below(path) {
            Some(below) => route::find(below).or_else(|| assets.find(below).map(Resource::Asset))?,
            None if path == prefix => Resource::PageWithoutSlash,
            None => return None,
        };
        let is_page = matches!(resource, Resource::Page | Resource::PageWithoutSlash);
        (!is_page || passbook_web::accepts_html(headers)).then_some(Route(resource))
    }

    /// Handles a request whose path is a path of the origin. If the dashboard has no such path, the response is 404.
    pub async fn handle_origin<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        match self.route(request.uri().path(), request.headers()) {
            Some(route) => self.handle_route(route, request).await,
            None => self.pipeline.not_found(&request.into_parts().0).await,
        }
    }

    /// Handles a request whose route [`Dashboard::route`] has found.
    pub async fn handle_route<B>(&self, route: Route, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let inner = &*self.inner;
        let Route(resource) = route;
        let (head, body) = request.into_parts();
        let mut response = match resource {
            Resource::Data => match inner.data_request(&head) {
                Ok(request) => Box::pin(inner.rest.handle(request)).await,
                Err(error) => self.pipeline.run(&head, resource.endpoint(), |_| async { Err(error) }).await,
            },
            Resource::Code => {
                let code = self.code.as_ref();
                let respond = |exchange| inner.exchange_code(code, &head, body, exchange);
                self.pipeline.run(&head, resource.endpoint(), respond).await
            }
            _ => {
                let respond = |exchange| inner.respond(resource, &head, body, exchange);
                self.pipeline.run(&head, resource.endpoint(), respond).await
            }
        };
        if resource == Resource::Data && response.status() == StatusCode::UNAUTHORIZED {
            let name = inner.cookies.session_name();
            response.headers_mut().append(SET_COOKIE, inner.cookies.delete(&name));
        }
        response
    }
}
