//! The start page at the root of the origin: a short page for a person who opens the address in a browser, and the same
//! addresses as JSON for a program.
//!
//! The page has no script, no style and no image, so the standard content security policy, which allows nothing, holds
//! for it too.

use std::fmt::Write as _;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{HeaderMap, HeaderValue, VARY};
use passbook_web::openapi::OPENAPI_PATH;
use passbook_web::{BaseUrl, accepts_html, response};
use serde::Serialize;

/// The path of the start page at the origin.
pub(crate) const PATH: &str = "/";

/// A page of the documentation that the host serves beside the API, as plain text.
#[derive(Clone, Copy, Debug)]
pub struct DocumentationPage {
    /// Path of the page at the origin, such as `/docs/api.md`.
    pub path: &'static str,
    /// The first heading of the page.
    pub title: &'static str,
    /// The text of the page, in Markdown.
    pub text: &'static str,
}

/// The addresses of the service, for programs.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub(crate) struct StartPage {
    /// The name of the service: `passbook`.
    service: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The base address of the routes.
    base: String,
    /// The address of the OpenAPI document, which describes every route.
    openapi: String,
    /// The page for a person.
    #[serde(skip)]
    html: Bytes,
}

impl StartPage {
    /// Creates the page of a service.
    pub(crate) fn new(base_url: &BaseUrl, title: &str, documentation: &[DocumentationPage]) -> StartPage {
        let mut page = StartPage {
            service: "passbook",
            version: env!("CARGO_PKG_VERSION"),
            base: base_url.to_string(),
            openapi: format!("{base_url}{OPENAPI_PATH}"),
            html: Bytes::new(),
        };
        page.html = page.render(title, documentation).into();
        page
    }

    fn render(&self, title: &str, documentation: &[DocumentationPage]) -> String {
        let [base, openapi, title] = [self.base.as_str(), &self.openapi, title].map(escaped);
        let version = self.version;
        let mut links = String::new();
        for page in documentation {
            let (path, title) = (escaped(page.path), escaped(page.title));
            writeln!(links, "<li>Documentation: <a href=\"{path}\">{title}</a></li>")
                .expect("a string takes all text");
        }
        format!(
            "<!doctype html>\n\
             <html lang=\"en\">\n\
             <head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n\
             </head>\n\
             <body>\n\
             <h1>{title} {version}</h1>\n\
             <p>This is a read-only personal finance service for programs and assistants. Requests for data need a \
             token.</p>\n\
             <ul>\n\
             <li>Base address of the API: <a href=\"{base}/health\">{base}</a></li>\n\
             <li>Description of every route: <a href=\"{openapi}\">{openapi}</a></li>\n\
             {links}\
             </ul>\n\
             </body>\n\
             </html>\n"
        )
    }

    /// Returns the page as HTML if the request accepts HTML by name, as browsers do, and otherwise as JSON.
    pub(crate) fn respond(&self, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let mut response = if accepts_html(headers) {
            response::private_as("text/html; charset=utf-8", self.html.clone())
        } else {
            response::private(serde_json::to_vec(self).expect("the page has only string keys"))
        };
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
        response
    }
}

/// Replaces the characters that have a meaning in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_address_is_escaped() {
        let base_url = BaseUrl::parse("https://money.example/a&b").expect("an address");
        let page = StartPage::new(&base_url, "Ada & Co", &[]).render("Ada & Co", &[]);
        assert!(page.contains("<title>Ada &amp; Co</title>"), "{page}");
        assert!(page.contains("href=\"https://money.example/a&amp;b/openapi.json\""), "{page}");
        assert!(!page.contains("a&b"), "{page}");
    }
}
