//! Handles one request to the tool endpoint, from its head and body to its JSON-RPC response.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, WWW_AUTHENTICATE};
use hyper::{HeaderMap, Response, StatusCode};
use passbook_domain::access::MissingScope;
use passbook_operations::Error;
use passbook_web::{
    Aborted, Adapter, AuthenticatedCaller, Caller, Challenge, HandlerResult, HttpError, RequestBody,
    RequestRecord,
};
use serde_json::value::RawValue;

use crate::message::{self, Id, Message, RawObject, Request, string_member};
use crate::pictures::Pictures;
use crate::result::{self, ResultWriter, ServerInfo};
use crate::revision::Era;
use crate::rpc_error::RpcError;
use crate::tools::{Tool, Tools};
use crate::{era, request_checks};

/// The results of methods that are the same for every caller. They are serialised once at start.
#[derive(Clone)]
pub(crate) struct StaticResults {
    discover: Box<RawValue>,
    /// The list of tools of each era.
    lists: [Box<RawValue>; 2],
}

impl StaticResults {
    /// Creates the results of a server with a list of tools.
    pub(crate) fn new(tools: &Tools, server: &ServerInfo) -> StaticResults {
        let writer = |era| ResultWriter { era, server };
        StaticResults {
            discover: writer(Era::Modern).discover(),
            lists: Era::ALL.map(|era| writer(era).list(tools.list())),
        }
    }
}

/// The tool server, which all requests share.
pub(crate) struct ToolServer {
    pub(crate) adapter: Adapter,
    pub(crate) tools: Tools,
    pub(crate) server: ServerInfo,
    pub(crate) results: StaticResults,
    pub(crate) pictures: Pictures,
}

/// A request to the tool endpoint that is being handled.
pub(crate) struct ToolRequest<'a> {
    pub(crate) server: &'a ToolServer,
    pub(crate) record: RequestRecord,
}

impl<'a> ToolRequest<'a> {
    /// Handles the request. Errors of HTTP and the grant are HTTP errors; errors of the message are JSON-RPC errors; errors
    /// of a tool call are tool results.
    pub(crate) async fn respond(
        &self,
        headers: &HeaderMap,
        body: RequestBody,
        caller: AuthenticatedCaller,
    ) -> HandlerResult {
        request_checks::content_type(headers)?;
        request_checks::accept(headers)?;
        let body = passbook_web::read_body(body, request_checks::BODY_BYTES_MAX).await?;
        let caller = caller.admit().await?;
        match message::parse(&body) {
            Err((id, error)) => Ok(error_response(id, &error)),
            Ok(Message::Response(id)) if era::header_is_modern(headers) => {
                let rule = "a client answers nothing: there are no requests from here";
                Ok(error_response(id, &RpcError::invalid_request(rule)))
            }
            Ok(Message::Notification | Message::Response(_)) => {
                self.record.set_call("notification");
                if let Err(error) = era::validate_notification(headers) {
                    return Ok(error_response(Id::NULL, &error));
                }
                caller.check_grant().await?;
                Ok(accepted())
            }
            Ok(Message::Request(request)) => match era::of_request(headers, &request) {
                Err(error) => Ok(error_response(request.id, &error)),
                Ok(era) => self.dispatch(era, &request, &caller).await,
            },
        }
    }

    /// Runs the method that the request names. A tool call checks the grant in the transaction that reads the data; for
    /// every other method this function checks the grant.
    async fn dispatch(&self, era: Era, request: &Request<'_>, caller: &Caller) -> HandlerResult {
        let result = match (era, request.method.as_str()) {
            (_, "tools/call") => {
                self.record.set_call("tools/call");
                return self.call(era, request, caller).await;
            }
            (Era::Legacy, "initialize") => {
                self.record.set_call("initialize");
                string_member(&request.params, "protocolVersion")
                    .as_deref()
                    .map(|requested| self.writer(era).initialize(requested))
                    .ok_or_else(|| RpcError::invalid_params("protocolVersion must be the name of a revision"))
            }
            (Era::Legacy, "ping") => {
                self.record.set_call("ping");
                Ok(self.writer(era).empty())
            }
            (Era::Modern, "server/discover") => {
                self.record.set_call("server/discover");
                Ok(self.server.results.discover.clone())
            }
            (_, "tools/list") => {
                self.record.set_call("tools/list");
                one_page(request, self.server.results.lists[era as usize].clone())
            }
            (_, "resources/list") => {
                self.record.set_call("resources/list");
                one_page(request, self.server.pictures.list(era))
            }
            (_, "resources/templates/list") => {
                self.record.set_call("resources/templates/list");
                one_page(request, self.server.pictures.templates(era))
            }
            (_, "resources/read") => {
                self.record.set_call("resources/read");
                self.server.pictures.read(self.writer(era), request)
            }
            (_, method) => {
                self.record.set_call("unknown");
                Err(RpcError::method_not_found(era, method))
            }
        };
        match result {
            Err(error) => Ok(error_response(request.id, &error)),
            Ok(result) => {
                caller.check_grant().await?;
                Ok(result_response(request.id, &result))
            }
        }
    }

    /// Calls a tool. A timeout becomes a tool result, which the model sees; a panic becomes a JSON-RPC error.
    async fn call(&self, era: Era, request: &Request<'_>, caller: &Caller) -> HandlerResult {
        let (tool, arguments) = match self.tool_and_arguments(request) {
            Ok(found) => found,
            Err(error) => return Ok(error_response(request.id, &error)),
        };
        self.record.set_tool(tool.name);
        match self.record.guard(self.server.tools.call(tool, caller, &arguments)).await {
            Ok(Ok(answer)) => Ok(result_response(request.id, &self.writer(era).answer(&answer))),
            Ok(Err(error)) => self.failed(era, request.id, tool, error),
            Err(Aborted::Timeout) => {
                let error = HttpError::timeout();
                self.record.record_error(&error);
                let sentence = self.with_request_id(&error.to_string());
                Ok(result_response(request.id, &self.writer(era).failure(&sentence)))
            }
            Err(panic @ Aborted::Panic(_)) => {
                self.record.record_error(&HttpError::from(panic));
                let error = RpcError::internal(self.record.request_id().as_str());
                Ok(error_response(request.id, &error))
            }
        }
    }

    /// Returns the tool and the arguments that a `tools/call` request names.
    fn tool_and_arguments<'r>(&self, request: &Request<'r>) -> Result<(&'a Tool, RawObject<'r>), RpcError> {
        let invalid = RpcError::invalid_params;
        let name = string_member(&request.params, "name")
            .ok_or_else(|| invalid("name must be the name of a tool"))?;
        let tool = self.server.tools.named(&name).ok_or_else(|| {
            let name = passbook_input::excerpt(&name);
            invalid(&format!("there is no tool {name:?}; tools/list names every one"))
        })?;
        let arguments = match request.params.get("arguments") {
            None => RawObject::default(),
            Some(arguments) if message::is_null(arguments) => RawObject::default(),
            Some(arguments) => message::object(arguments)
                .ok_or_else(|| invalid("arguments must be an object with at most 64 members"))?,
        };
        Ok((tool, arguments))
    }

    /// Returns the response to a failed tool call: an HTTP error if the grant is not valid. Otherwise a tool result,
    /// which tells the model to correct its arguments, names the missing scope, or says that the service has failed.
    fn failed(&self, era: Era, id: Id<'_>, tool: &Tool, error: Error) -> HandlerResult {
        let failure = |sentence: &str| result_response(id, &self.writer(era).failure(sentence));
        let failed = match &error {
            Error::Unauthorized { .. } | Error::Forbidden => return Err(error.into()),
            Error::InsufficientScope(missing) => self.missing_scope(era, id, missing, &error),
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                failure(&result::faults(tool.name, faults))
            }
            Error::NotOffered(_) => failure(&error.public()),
            // Outages, timeouts and defects, and the kinds of a later version.
            _ => failure(&self.with_request_id(&error.public())),
        };
        self.record.record_error(&HttpError::from(error));
        Ok(failed)
    }

    fn missing_scope(
        &self,
        era: Era,
        id: Id<'_>,
        missing: &MissingScope,
        error: &Error,
    ) -> Response<Full<Bytes>> {
        let challenges = self.server.adapter.challenges();
        let challenge = challenges.header(&Challenge::InsufficientScope(missing.clone()));
        let body = self.writer(era).challenged(&error.public(), &challenge);
        if challenges.is_requestable(missing) {
            return forbidden(id, &body, &challenge);
        }
        result_response(id, &body)
    }

    fn writer(&self, era: Era) -> ResultWriter<'a> {
        ResultWriter { era, server: &self.server.server }
    }

    fn with_request_id(&self, sentence: &str) -> String {
        format!("{sentence} Request id: {}.", self.record.request_id().as_str())
    }
}

/// Returns a list that has one page. A cursor names no page.
fn one_page(request: &Request<'_>, list: Box<RawValue>) -> Result<Box<RawValue>, RpcError> {
    match request.params.get("cursor").filter(|cursor| !message::is_null(cursor)) {
        None => Ok(list),
        Some(_) => Err(RpcError::invalid_params("cursor names no page: the list has only one")),
    }
}

/// Creates a JSON-RPC response with a result.
fn result_response(id: Id<'_>, result: &RawValue) -> Response<Full<Bytes>> {
    passbook_web::response::private(message::response(id, result))
}

/// Creates a JSON-RPC response with a result, status 403 and a challenge, upon which a client requests the missing
/// scope.
fn forbidden(id: Id<'_>, body: &RawValue, challenge: &str) -> Response<Full<Bytes>> {
    let mut response = result_response(id, body);
    *response.status_mut() = StatusCode::FORBIDDEN;
    let challenge = HeaderValue::try_from(challenge).expect("a challenge is ASCII");
    response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    response
}

/// Creates a JSON-RPC response with an error.
fn error_response(id: Id<'_>, error: &RpcError) -> Response<Full<Bytes>> {
    passbook_web::response::json(error.status, "no-store", message::error_response(id, error).into())
}

/// Creates the response to a notification: 202 without a body.
fn accepted() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
