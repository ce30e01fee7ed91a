//! An endpoint: the route template and the methods of a route.

use hyper::Method;

use crate::http_error::HttpError;

/// The route template and methods of a route, for the pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// The path template for the log, such as `/v1/me`. It is never the path as received, which may hold anything.
    pub template: &'static str,
    /// The methods that the route accepts.
    pub methods: &'static [Method],
    /// The message of a 405 response, which names the methods.
    pub methods_rule: &'static str,
}

impl Endpoint {
    /// Creates the endpoint of a route that only reads: its methods are GET and HEAD.
    pub const fn read(template: &'static str) -> Endpoint {
        Endpoint {
            template,
            methods: &[Method::GET, Method::HEAD],
            methods_rule: "Only GET and HEAD are accepted here: every operation is a read.",
        }
    }

    /// Checks the method of a request.
    ///
    /// # Errors
    /// `METHOD_NOT_ALLOWED` with the methods that the route accepts.
    pub(super) fn check_method(&self, method: &Method) -> Result<(), HttpError> {
        if self.methods.contains(method) {
            return Ok(());
        }
        Err(HttpError::method_not_allowed(self.methods, self.methods_rule))
    }
}
