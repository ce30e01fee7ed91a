//! The route table of the server, for its connections, and the pages of the documentation that the server serves
//! beside the API: those for people who use the service. They describe exactly the version that serves them.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};
use passbook_rest::{DocumentationPage, Rest, Router, bad_head_response, shed_response};
use passbook_transport::{BadHead, ClientAddress, Handler, RequestBody, Shed};
#[cfg(feature = "opentelemetry")]
use tracing::Instrument as _;

use crate::announce::Page;

/// The path of the base address below the origin.
pub const PREFIX: &str = "/api";

/// The paths that are answered however many requests are in progress.
const EXEMPT_PATHS: [&str; 2] = ["/api/health", "/api/ready"];

/// The endpoints of the server.
#[derive(Clone, Debug)]
pub struct Mount {
    /// The endpoints of all adapters, whose base address ends in [`PREFIX`].
    pub router: Router,
    /// Answers `/ready`, which fails when the server stops.
    pub rest: Rest,
    /// The dashboard, if it is served.
    pub page: Option<Page>,
}

impl Handler for Mount {
    async fn handle(
        &self,
        mut request: Request<RequestBody>,
        client: ClientAddress,
    ) -> Response<Full<Bytes>> {
        request.extensions_mut().insert(passbook_rest::ClientAddress(client.as_ip()));
        #[cfg(feature = "opentelemetry")]
        let span = crate::telemetry::request_span(request.headers());
        let handled = self.router.handle(request);
        #[cfg(feature = "opentelemetry")]
        let handled = handled.instrument(span);
        handled.await
    }

    /// Makes `/ready` fail, so that a balancer sends no further requests.
    fn stopping(&self) {
        self.rest.announce_stop();
    }

    /// Health and readiness are answered under load too: a supervisor must not restart a server that is busy.
    fn is_exempt(&self, request: &Request<RequestBody>) -> bool {
        EXEMPT_PATHS.contains(&request.uri().path())
    }

    fn shed(&self, request: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>> {
        shed_response(request.headers(), reason == Shed::RequestsOfClient)
    }

    fn bad_head(&self, request: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>> {
        bad_head_response(request.headers(), reason.message())
    }
}

/// The served pages, in the order of the links on the start page.
pub const PAGES: &[DocumentationPage] = &[
    DocumentationPage {
        path: "/docs/clients.md",
        title: "Client guide",
        text: include_str!("../docs/clients.md"),
    },
    DocumentationPage {
        path: "/docs/api.md",
        title: "The REST interface",
        text: include_str!("../docs/api.md"),
    },
    DocumentationPage {
        path: "/docs/connecting-assistants.md",
        title: "Connecting assistants",
        text: include_str!("../docs/connecting-assistants.md"),
    },
    DocumentationPage {
        path: "/docs/figures.md",
        title: "How figures are computed",
        text: include_str!("../docs/figures.md"),
    },
];

#[cfg(test)]
mod tests {
    use super::PAGES;

    #[test]
    fn title_of_each_page_is_its_first_heading() {
        for page in PAGES {
            assert_eq!(page.text.lines().next(), Some(format!("# {}", page.title).as_str()), "{}", page.path);
        }
    }
}
