//! One exchange: from a request to its answer, check by check.

use bytes::Bytes;
use domain::access::Credential;
use domain::scope::{Scope, Surface};
use http_body_util::Full;
use hyper::body::Body;
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use operations::{Code, Error};
use tokio::time::Instant;
use web::limits::{Admitted, Standing};
use web::{Challenge, Refusal, RequestId};

use crate::members::{self, Members};
use crate::message::{self, Id, Message, Request};
use crate::revision::Era;
use crate::rpc_error::RpcError;
use crate::tools::{Tool, Tools};
use crate::{Inner, Mcp, arguments, era, receive, reply, result};

/// The results that are the same for everyone, written once.
pub(crate) struct Prepared {
    discover: String,
    list_legacy: String,
    list_modern: String,
}

impl Prepared {
    /// Those of a list of tools.
    pub(crate) fn of(tools: &Tools) -> Prepared {
        let list = tools.list();
        Prepared {
            discover: result::discover(),
            list_legacy: result::list(Era::Legacy, &list),
            list_modern: result::list(Era::Modern, &list),
        }
    }
}

/// One request being answered.
pub(crate) struct Exchange<'a> {
    server: &'a Inner,
    mcp: &'a Mcp,
    request_id: &'a RequestId,
    deadline: Instant,
    /// Where the user stands with the limits, for the answer.
    pub(crate) standing: Standing,
    /// Held until the request is answered.
    admitted: Option<Admitted>,
    /// The method, for the log: never as it was sent, which may be anything.
    pub(crate) method: &'static str,
    /// The tool, for the log.
    pub(crate) tool: &'static str,
}

type Answer = Result<Response<Full<Bytes>>, Refusal>;

impl<'a> Exchange<'a> {
    pub(crate) fn new(mcp: &'a Mcp, request_id: &'a RequestId, deadline: Instant) -> Exchange<'a> {
        let (server, standing) = (mcp.inner.as_ref(), Standing::default());
        Exchange { server, mcp, request_id, deadline, standing, admitted: None, method: "", tool: "" }
    }

    pub(crate) async fn answer<B>(&mut self, head: &Parts, body: B) -> Answer
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (credential, body) = web::within(self.deadline, self.receive(head, body)).await??;
        match message::parse(&body) {
            Err((id, error)) => Ok(reply::error(id, &error)),
            Ok(Message::Response(id)) if era::header_is_modern(&head.headers) => {
                let rule = "a client answers nothing: there are no requests from here";
                Ok(reply::error(id, &RpcError::invalid_request(rule)))
            }
            Ok(Message::Notification | Message::Response(_)) => {
                self.method = "notification";
                if let Err(error) = era::of_notification(&head.headers) {
                    return Ok(reply::error(Id::NULL, &error));
                }
                self.admit(&credential).await?;
                Ok(reply::accepted())
            }
            Ok(Message::Request(request)) => match era::of(&head.headers, &request) {
                Err(error) => Ok(reply::error(request.id, &error)),
                Ok(era) => self.respond(era, &request, &credential).await,
            },
        }
    }

    /// Everything of HTTP: path, method, origin, head, token, rate limit, types and body.
    async fn receive<B>(&mut self, head: &Parts, body: B) -> Result<(Credential, Bytes), Refusal>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if head.uri.path() != crate::PATH {
            return Err(Refusal::not_found());
        }
        if head.method != Method::POST {
            let message = "Only POST is accepted here: there are no streams to open and no sessions to end.";
            return Err(Refusal::method_not_allowed("POST", message));
        }
        if !self.server.origins.admit(&head.headers) {
            let message = "Pages of this origin may not call the tool server.";
            return Err(Refusal::new(StatusCode::FORBIDDEN, Code::Forbidden.as_str(), message));
        }
        web::head::check(head)?;
        let (authenticator, caller) = (&self.server.authenticator, self.mcp.caller.as_ref());
        let credential = web::credential(authenticator, Surface::Mcp, caller, head).await?;
        if let Some(limits) = &self.mcp.limits {
            self.admitted = Some(limits.admit(&credential, &mut self.standing).await?);
        }
        receive::no_token_in(head.uri.query().unwrap_or_default(), authenticator)?;
        receive::content_type(&head.headers)?;
        receive::accept(&head.headers)?;
        Ok((credential, receive::body(body).await?))
    }

    /// Whether the grant is live and serves tools. A call need not ask: the transaction that reads its data does.
    async fn admit(&self, credential: &Credential) -> Result<(), Refusal> {
        web::within(self.deadline, self.server.service.admit(credential)).await?.map_err(Refusal::from)
    }

    async fn respond(&mut self, era: Era, request: &Request<'_>, credential: &Credential) -> Answer {
        let prepared = &self.server.prepared;
        let result = match (era, request.method.as_str()) {
            (_, "tools/call") => {
                self.method = "tools/call";
                return self.call(era, request, credential).await;
            }
            (Era::Legacy, "initialize") => {
                self.method = "initialize";
                request
                    .params
                    .text("protocolVersion")
                    .as_deref()
                    .map(result::initialize)
                    .ok_or_else(|| RpcError::invalid_params("protocolVersion must be the name of a revision"))
            }
            (Era::Legacy, "ping") => {
                self.method = "ping";
                Ok(result::enveloped(era, "", None))
            }
            (Era::Modern, "server/discover") => {
                self.method = "server/discover";
                Ok(prepared.discover.clone())
            }
            (_, "tools/list") => {
                self.method = "tools/list";
                let list = if era == Era::Legacy { &prepared.list_legacy } else { &prepared.list_modern };
                match request.params.get("cursor").filter(|cursor| !members::is_null(cursor)) {
                    None => Ok(list.clone()),
                    Some(_) => Err(RpcError::invalid_params("cursor names no page: the list has only one")),
                }
            }
            (_, method) => {
                self.method = "unknown";
                Err(RpcError::method_not_found(era, method))
            }
        };
        match result {
            Err(error) => Ok(reply::error(request.id, &error)),
            Ok(result) => {
                self.admit(credential).await?;
                Ok(reply::result(request.id, &result))
            }
        }
    }

    async fn call(&mut self, era: Era, request: &Request<'_>, credential: &Credential) -> Answer {
        let (tool, arguments) = match self.wanted(request) {
            Ok(wanted) => wanted,
            Err(error) => return Ok(reply::error(request.id, &error)),
        };
        self.tool = tool.name;
        let given = arguments::given(&arguments, &tool.declared);
        let calling = tool.call(&self.server.service, credential, &given);
        let called = match web::walled(tokio::time::timeout_at(self.deadline, calling)).await {
            Ok(Ok(called)) => called,
            Ok(Err(_elapsed)) => {
                let sentence = self.with_request_id(&Refusal::timeout().to_string());
                return Ok(reply::result(request.id, &result::failure(era, &sentence)));
            }
            Err(panicked) => {
                panicked.log(self.request_id, crate::PATH);
                return Ok(reply::error(request.id, &RpcError::internal(self.request_id.as_str())));
            }
        };
        match called {
            Ok(payload) => Ok(reply::result(request.id, &result::payload(era, &payload))),
            Err(error) => self.failed(era, request.id, tool, error),
        }
    }

    /// The tool and the arguments that a call names.
    fn wanted<'r>(&self, request: &Request<'r>) -> Result<(&'a Tool, Members<'r>), RpcError> {
        let invalid = RpcError::invalid_params;
        let name = request.params.text("name").ok_or_else(|| invalid("name must be the name of a tool"))?;
        let tool = self.server.tools.named(&name).ok_or_else(|| {
            let name = operations::form::shortened(&name);
            invalid(&format!("there is no tool {name:?}; tools/list names every one"))
        })?;
        let arguments = match request.params.get("arguments") {
            None => Members::default(),
            Some(arguments) if members::is_null(arguments) => Members::default(),
            Some(arguments) => {
                Members::of(arguments).ok_or_else(|| invalid("arguments must be an object"))?
            }
        };
        Ok((tool, arguments))
    }

    /// What a model is told: what to change, whom to ask, or that it was not its fault.
    fn failed(&self, era: Era, id: Id<'_>, tool: &Tool, error: Error) -> Answer {
        let failure = |sentence: &str| reply::result(id, &result::failure(era, sentence));
        let response = match &error {
            Error::Unauthorized { .. } | Error::Forbidden => return Err(error.into()),
            Error::InsufficientScope(scope) => self.scope_missing(era, id, *scope, &error),
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                failure(&result::faults(tool.name, faults))
            }
            Error::Unavailable(_) | Error::Timeout(_) | Error::Internal(_) => {
                failure(&self.with_request_id(&error.public()))
            }
        };
        Refusal::from(error).log(self.request_id, crate::PATH);
        Ok(response)
    }

    fn scope_missing(&self, era: Era, id: Id<'_>, scope: Scope, error: &Error) -> Response<Full<Bytes>> {
        let challenge = self.server.challenges.header(Challenge::InsufficientScope(scope));
        let body = result::challenged(era, &error.public(), &challenge);
        if self.server.challenges.is_requestable(scope) {
            return reply::forbidden(id, &body, &challenge);
        }
        reply::result(id, &body)
    }

    fn with_request_id(&self, sentence: &str) -> String {
        format!("{sentence} Request id: {}.", self.request_id.as_str())
    }
}
