//! Determines the era of a request, and validates the request's headers and metadata by the rules of that era, in the
//! order of revision 2026-07-28.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use passbook_input::excerpt;

use crate::message::{self, RawObject, Request, string_member};
use crate::revision::{self, Era};
use crate::rpc_error::RpcError;

/// Name of the header that contains the protocol revision.
const VERSION: &str = "mcp-protocol-version";
/// Name of the header that repeats the method of the message.
const METHOD: &str = "mcp-method";
/// Name of the header that repeats the name of the called tool, or the address of the requested resource.
const NAME: &str = "mcp-name";
/// Member of `_meta` that contains the protocol revision of a modern request.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Member of `_meta` that contains the client's capabilities.
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Returns the era of a request, after validating the headers and metadata that the era requires.
pub(crate) fn of_request(headers: &HeaderMap, request: &Request<'_>) -> Result<Era, RpcError> {
    let meta = request.params.get("_meta").map(|meta| message::object(meta));
    let claimed_by_meta =
        meta.as_ref().and_then(Option::as_ref).is_some_and(|meta| meta.contains(META_VERSION));
    // `initialize` belongs to the legacy era, unless its metadata names a revision.
    let claimed_by_header = request.method != "initialize" && header_is_modern(headers);
    if claimed_by_meta || claimed_by_header {
        validate_modern(headers, request, meta.flatten().as_ref())?;
        return Ok(Era::Modern);
    }
    validate_legacy(headers, request)?;
    Ok(Era::Legacy)
}

/// Validates a notification: only the `MCP-Protocol-Version` header, and only if present.
pub(crate) fn validate_notification(headers: &HeaderMap) -> Result<(), RpcError> {
    validate_version(headers)
}

/// Returns true if a `MCP-Protocol-Version` header names a revision of the modern era.
pub(crate) fn header_is_modern(headers: &HeaderMap) -> bool {
    values(headers, VERSION).any(|value| value.is_some_and(revision::claims_modern))
}

fn validate_legacy(headers: &HeaderMap, request: &Request<'_>) -> Result<(), RpcError> {
    let is_modern = |value: Option<&str>| {
        value.and_then(revision::find).is_some_and(|revision| revision.era == Era::Modern)
    };
    if request.method == "initialize" && values(headers, VERSION).any(is_modern) {
        let rule = "initialize belongs to revisions before the one that MCP-Protocol-Version names";
        return Err(RpcError::header_mismatch(rule));
    }
    validate_version(headers)
}

fn validate_version(headers: &HeaderMap) -> Result<(), RpcError> {
    for value in values(headers, VERSION) {
        if value.and_then(revision::find).is_none() {
            return Err(RpcError::unsupported_version(value.unwrap_or("(not text)")));
        }
    }
    Ok(())
}

fn validate_modern(
    headers: &HeaderMap,
    request: &Request<'_>,
    meta: Option<&RawObject<'_>>,
) -> Result<(), RpcError> {
    let malformed = RpcError::malformed_params;
    let meta = meta.ok_or_else(|| malformed("_meta must be an object"))?;
    if let Some(name) = meta.repeated_name() {
        let name = excerpt(name);
        return Err(malformed(&format!("{name:?} is given twice in _meta")));
    }
    let version = string_member(meta, META_VERSION)
        .ok_or_else(|| malformed(&format!("_meta must name the protocol version as {META_VERSION:?}")))?;
    validate_mirror(headers, VERSION, &version)?;
    if revision::find(&version).is_none_or(|revision| revision.era != Era::Modern) {
        return Err(RpcError::unsupported_version(&version));
    }
    if meta.get(META_CAPABILITIES).and_then(|value| message::object(value)).is_none() {
        return Err(malformed(&format!("_meta must have the object {META_CAPABILITIES:?}")));
    }
    validate_mirror(headers, METHOD, &request.method)?;
    match mirrored_member(&request.method).and_then(|member| string_member(&request.params, member)) {
        Some(name) => validate_mirror(headers, NAME, &name),
        None => Ok(()),
    }
}

/// Returns the name of the parameter that the header `Mcp-Name` repeats for a method; `None` if there is none.
fn mirrored_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    }
}

/// Checks that a header is present exactly once and equals the value of the message that it repeats.
fn validate_mirror(headers: &HeaderMap, header: &'static str, message: &str) -> Result<(), RpcError> {
    let mut found = values(headers, header);
    let rule = match (found.next(), found.next()) {
        (None, _) => "is missing",
        (Some(_), Some(_)) => "is repeated",
        (Some(None), _) => "is not visible ASCII",
        (Some(Some(value)), None) if decoded(header, value).as_deref() == Some(message) => return Ok(()),
        (Some(Some(_)), None) => "differs from the message",
    };
    Err(RpcError::header_mismatch(&format!("{header} {rule}")))
}

/// Decodes the text of a header. Only the header with the name of a tool or resource may be base64-encoded.
fn decoded(header: &str, value: &str) -> Option<String> {
    let encoded = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?="));
    match encoded.filter(|_| header == NAME) {
        None => Some(value.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// Returns the trimmed values of a header; `None` for a value that is not visible ASCII.
fn values<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = Option<&'h str>> {
    headers.get_all(name).iter().map(|value| Some(value.to_str().ok()?.trim_matches([' ', '\t'])))
}
