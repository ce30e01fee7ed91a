//! Handles one request to the tool endpoint, from its head and body to its JSON-RPC response.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use passbook_domain::access::MissingScope;
use passbook_operations::{Code, Error};
use passbook_web::{Aborted, Caller, Challenge, Exchange, HttpError, Pipeline};
use serde_json::value::RawValue;

use crate::allowed_origins::AllowedOrigins;
use crate::message::{self, Id, Message, Request};
#[cfg(feature = "pictures")]
use crate::pictures::Pictures;
use crate::raw_value::{self, RawObject, string_member};
use crate::result::{self, ResultWriter, ServerInfo};
use crate::revision::Era;
use crate::rpc_error::RpcError;
use crate::tools::{Tool, Tools};
use crate::{era, request_checks, response};

/// The results of methods that are the same for every caller. They are serialised once at start.
#[derive(Clone)]
pub(crate) struct StaticResults {
    discover: Box<RawValue>,
    list_legacy: Box<RawValue>,
    list_modern: Box<RawValue>,
}

impl StaticResults {
    /// Creates the results of a server with a list of tools.
    pub(crate) fn new(tools: &Tools, server: &ServerInfo) -> StaticResults {
        let list = tools.list();
        let modern = ResultWriter { era: Era::Modern, server };
        StaticResults {
            discover: modern.discover(),
            list_legacy: ResultWriter { era: Era::Legacy, server }.list(list),
            list_modern: modern.list(list),
        }
    }
}

/// A request to the tool endpoint that is being handled.
pub(crate) struct McpExchange<'a> {
    pub(crate) pipeline: &'a Pipeline,
    pub(crate) origins: &'a AllowedOrigins,
    pub(crate) tools: &'a Tools,
    pub(crate) server: &'a ServerInfo,
    pub(crate) results: &'a StaticResults,
    #[cfg(feature = "pictures")]
    pub(crate) pictures: &'a Pictures,
    pub(crate) exchange: Exchange,
}

type Outcome = Result<Response<Full<Bytes>>, HttpError>;

impl<'a> McpExchange<'a> {
    /// Handles the request. Errors of HTTP, the token and the grant are HTTP errors; errors of the message are JSON-RPC
    /// errors; errors of a tool call are tool results.
    pub(crate) async fn respond<B>(&self, head: &Parts, body: B) -> Outcome
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (caller, body) = self.receive(head, body).await?;
        match message::parse(&body) {
            Err((id, error)) => Ok(response::error(id, &error)),
            Ok(Message::Response(id)) if era::header_is_modern(&head.headers) => {
                let rule = "a client answers nothing: there are no requests from here";
                Ok(response::error(id, &RpcError::invalid_request(rule)))
            }
            Ok(Message::Notification | Message::Response(_)) => {
                self.exchange.set_call("notification");
                if let Err(error) = era::validate_notification(&head.headers) {
                    return Ok(response::error(Id::NULL, &error));
                }
                caller.check_grant().await?;
                Ok(response::accepted())
            }
            Ok(Message::Request(request)) => match era::of_request(&head.headers, &request) {
                Err(error) => Ok(response::error(request.id, &error)),
                Ok(era) => self.dispatch(era, &request, &caller).await,
            },
        }
    }

    /// Checks `Origin`, token, rate limit, query string, content type and accepted type of the HTTP request, and reads
    /// its body.
    async fn receive<B>(&self, head: &Parts, body: B) -> Result<(Caller, Bytes), HttpError>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if !self.origins.allows(&head.headers) {
            let message = "Pages of this origin may not call the tool server.";
            return Err(HttpError::new(StatusCode::FORBIDDEN, Code::Forbidden.as_str(), message));
        }
        let caller = self.pipeline.authenticate(&self.exchange, head).await?;
        request_checks::content_type(&head.headers)?;
        request_checks::accept(&head.headers)?;
        Ok((caller, passbook_web::read_body(body, request_checks::BODY_BYTES_MAX).await?))
    }

    /// Runs the method that the request names. A tool call checks the grant in the transaction that reads the data; for
    /// every other method this function checks the grant.
    async fn dispatch(&self, era: Era, request: &Request<'_>, caller: &Caller) -> Outcome {
        let result = match (era, request.method.as_str()) {
            (_, "tools/call") => {
                self.exchange.set_call("tools/call");
                return self.call(era, request, caller).await;
            }
            (Era::Legacy, "initialize") => {
                self.exchange.set_call("initialize");
                string_member(&request.params, "protocolVersion")
                    .as_deref()
                    .map(|requested| self.writer(era).initialize(requested))
                    .ok_or_else(|| RpcError::invalid_params("protocolVersion must be the name of a revision"))
            }
            (Era::Legacy, "ping") => {
                self.exchange.set_call("ping");
                Ok(self.writer(era).empty())
            }
            (Era::Modern, "server/discover") => {
                self.exchange.set_call("server/discover");
                Ok(self.results.discover.clone())
            }
            (_, "tools/list") => {
                self.exchange.set_call("tools/list");
                let list =
                    if era == Era::Legacy { &self.results.list_legacy } else { &self.results.list_modern };
                one_page(request, list.clone())
            }
            #[cfg(feature = "pictures")]
            (_, "resources/list") => {
                self.exchange.set_call("resources/list");
                one_page(request, self.pictures.list(era))
            }
            #[cfg(feature = "pictures")]
            (_, "resources/templates/list") => {
                self.exchange.set_call("resources/templates/list");
                one_page(request, self.pictures.templates(era))
            }
            #[cfg(feature = "pictures")]
            (_, "resources/read") => {
                self.exchange.set_call("resources/read");
                self.pictures.read(self.writer(era), request)
            }
            (_, method) => {
                self.exchange.set_call("unknown");
                Err(RpcError::method_not_found(era, method))
            }
        };
        match result {
            Err(error) => Ok(response::error(request.id, &error)),
            Ok(result) => {
                caller.check_grant().await?;
                Ok(response::result(request.id, &result))
            }
        }
    }

    /// Calls a tool. A timeout becomes a tool result, which the model sees; a panic becomes a JSON-RPC error.
    async fn call(&self, era: Era, request: &Request<'_>, caller: &Caller) -> Outcome {
        let (tool, arguments) = match self.tool_and_arguments(request) {
            Ok(found) => found,
            Err(error) => return Ok(response::error(request.id, &error)),
        };
        self.exchange.set_tool(tool.name);
        match self.exchange.guard(tool.call(caller, &arguments)).await {
            Ok(Ok(payload)) => Ok(response::result(request.id, &self.writer(era).payload(&payload))),
            Ok(Err(error)) => self.failed(era, request.id, tool, error),
            Err(Aborted::Timeout) => {
                let error = HttpError::timeout();
                self.exchange.record_error(&error);
                let sentence = self.with_request_id(&error.to_string());
                Ok(response::result(request.id, &self.writer(era).failure(&sentence)))
            }
            Err(panic @ Aborted::Panic(_)) => {
                self.exchange.record_error(&HttpError::from(panic));
                let error = RpcError::internal(self.exchange.request_id().as_str());
                Ok(response::error(request.id, &error))
            }
        }
    }

    /// Returns the tool and the arguments that a `tools/call` request names.
    fn tool_and_arguments<'r>(&self, request: &Request<'r>) -> Result<(&'a Tool, RawObject<'r>), RpcError> {
        let invalid = RpcError::invalid_params;
        let name = string_member(&request.params, "name")
            .ok_or_else(|| invalid("name must be the name of a tool"))?;
        let tool = self.tools.named(&name).ok_or_else(|| {
            let name = passbook_input::excerpt(&name);
            invalid(&format!("there is no tool {name:?}; tools/list names every one"))
        })?;
        let arguments = match request.params.get("arguments") {
            None => RawObject::default(),
            Some(arguments) if raw_value::is_null(arguments) => RawObject::default(),
            Some(arguments) => raw_value::object(arguments)
                .ok_or_else(|| invalid("arguments must be an object with at most 64 members"))?,
        };
        Ok((tool, arguments))
    }

    /// Returns the response to a failed tool call: an HTTP error if the grant is not valid. Otherwise a tool result,
    /// which tells the model to correct its arguments, names the missing scope, or says that the service has failed.
    fn failed(&self, era: Era, id: Id<'_>, tool: &Tool, error: Error) -> Outcome {
        let failure = |sentence: &str| response::result(id, &self.writer(era).failure(sentence));
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
        self.exchange.record_error(&HttpError::from(error));
        Ok(failed)
    }

    fn missing_scope(
        &self,
        era: Era,
        id: Id<'_>,
        missing: &MissingScope,
        error: &Error,
    ) -> Response<Full<Bytes>> {
        let challenges = self.pipeline.challenges();
        let challenge = challenges.header(&Challenge::InsufficientScope(missing.clone()));
        let body = self.writer(era).challenged(&error.public(), &challenge);
        if challenges.is_requestable(missing.required) {
            return response::forbidden(id, &body, &challenge);
        }
        response::result(id, &body)
    }

    fn writer(&self, era: Era) -> ResultWriter<'a> {
        ResultWriter { era, server: self.server }
    }

    fn with_request_id(&self, sentence: &str) -> String {
        format!("{sentence} Request id: {}.", self.exchange.request_id().as_str())
    }
}

/// Returns a list that has one page. A cursor names no page.
fn one_page(request: &Request<'_>, list: Box<RawValue>) -> Result<Box<RawValue>, RpcError> {
    match request.params.get("cursor").filter(|cursor| !raw_value::is_null(cursor)) {
        None => Ok(list),
        Some(_) => Err(RpcError::invalid_params("cursor names no page: the list has only one")),
    }
}
