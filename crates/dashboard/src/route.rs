//! The routes of the page, by path below its address.

use hyper::Method;
use passbook_web::Endpoint;

/// Path of the data below the page. The rest of the path is a path of the REST adapter.
pub(crate) const DATA: &str = "/data";
/// Start of the REST paths that the page may read.
const DATA_PATHS: &str = "/v1/";

/// A route of the page.
#[derive(Clone, Copy, Debug)]
pub struct Route(pub(crate) Resource);

/// The content that a route serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Page,
    /// The address of the page without its last slash, which is redirected.
    PageWithoutSlash,
    Asset(&'static str),
    Data,
    Code,
    Token,
    SignOut,
    SignIn,
    Callback,
}

/// Returns the resource at a path below the page, except for assets.
pub(crate) fn find(path: &str) -> Option<Resource> {
    Some(match path {
        "/" => Resource::Page,
        "/session/code" => Resource::Code,
        "/session/token" => Resource::Token,
        "/session/sign-out" => Resource::SignOut,
        "/session/sign-in" => Resource::SignIn,
        "/session/callback" => Resource::Callback,
        path if path.strip_prefix(DATA).is_some_and(|below| below.starts_with(DATA_PATHS)) => Resource::Data,
        _ => return None,
    })
}

impl Resource {
    /// Returns the template and the methods of the route.
    pub(crate) fn endpoint(self) -> Endpoint {
        const fn change(template: &'static str) -> Endpoint {
            let methods_rule = "Only POST is accepted here: the request changes the session.";
            Endpoint { template, methods: &[Method::POST], methods_rule }
        }
        match self {
            Resource::Page | Resource::PageWithoutSlash => Endpoint::read("/"),
            Resource::Asset(_) => Endpoint::read("/assets/{hash}/{name}"),
            Resource::Data => Endpoint::read("/data/{path}"),
            Resource::SignIn => get_only("/session/sign-in"),
            Resource::Callback => get_only("/session/callback"),
            Resource::Code => change("/session/code"),
            Resource::Token => change("/session/token"),
            Resource::SignOut => change("/session/sign-out"),
        }
    }
}

/// The endpoint of a step of a sign-in. HEAD would spend the step without a page that continues.
const fn get_only(template: &'static str) -> Endpoint {
    let methods_rule = "Only GET is accepted here: a browser is sent to this address during a sign-in.";
    Endpoint { template, methods: &[Method::GET], methods_rule }
}
