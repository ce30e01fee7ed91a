//! Which era a request speaks, and whether its headers agree with it: the checks between the message's shape and its
//! method, in the order of revision 2026-07-28.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;

use crate::members::Members;
use crate::message::Request;
use crate::revision::{self, Era};
use crate::rpc_error::RpcError;

/// The header that names the revision.
const VERSION: &str = "mcp-protocol-version";
/// The headers that mirror the method, and the tool of a call.
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
/// The metadata that a modern request carries.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The era of a request, once everything that the era asks of its headers and metadata holds.
pub(crate) fn of(headers: &HeaderMap, request: &Request<'_>) -> Result<Era, RpcError> {
    let meta = request.params.get("_meta").map(Members::of);
    let claimed = meta.as_ref().and_then(|meta| meta.as_ref()?.get(META_VERSION)).is_some();
    // The handshake is legacy by itself, unless it claims otherwise where only a modern request does.
    let header_claims = request.method != "initialize"
        && values(headers, VERSION).any(|value| value.is_some_and(revision::claims_modern));
    if claimed || header_claims {
        modern(headers, request, meta.flatten().as_ref())?;
        return Ok(Era::Modern);
    }
    legacy(headers, request)?;
    Ok(Era::Legacy)
}

/// Of a notification nothing is asked but that its revision, if the header names one, is served.
pub(crate) fn of_notification(headers: &HeaderMap) -> Result<(), RpcError> {
    served(headers)
}

/// Whether a message that is no request was sent by a modern client.
pub(crate) fn header_is_modern(headers: &HeaderMap) -> bool {
    values(headers, VERSION).any(|value| value.is_some_and(revision::claims_modern))
}

fn legacy(headers: &HeaderMap, request: &Request<'_>) -> Result<(), RpcError> {
    let modern = |value: Option<&str>| {
        value.and_then(revision::named).is_some_and(|revision| revision.era == Era::Modern)
    };
    if request.method == "initialize" && values(headers, VERSION).any(modern) {
        let rule = "initialize belongs to revisions before the one that MCP-Protocol-Version names";
        return Err(RpcError::header_mismatch(rule));
    }
    served(headers)
}

fn served(headers: &HeaderMap) -> Result<(), RpcError> {
    for value in values(headers, VERSION) {
        if value.and_then(revision::named).is_none() {
            return Err(RpcError::unsupported_version(value.unwrap_or("(not text)")));
        }
    }
    Ok(())
}

fn modern(headers: &HeaderMap, request: &Request<'_>, meta: Option<&Members<'_>>) -> Result<(), RpcError> {
    let malformed = RpcError::malformed_params;
    let meta = meta.ok_or_else(|| malformed("_meta must be an object"))?;
    if let Some(name) = meta.repeated() {
        let name = operations::form::shortened(name);
        return Err(malformed(&format!("{name:?} is given twice in _meta")));
    }
    let version = meta
        .text(META_VERSION)
        .ok_or_else(|| malformed(&format!("_meta must name the protocol version as {META_VERSION:?}")))?;
    mirrors(headers, VERSION, &version)?;
    if revision::named(&version).is_none_or(|revision| revision.era != Era::Modern) {
        return Err(RpcError::unsupported_version(&version));
    }
    if meta.get(META_CAPABILITIES).and_then(Members::of).is_none() {
        return Err(malformed(&format!("_meta must have the object {META_CAPABILITIES:?}")));
    }
    mirrors(headers, METHOD, &request.method)?;
    match (request.method.as_str(), request.params.text("name")) {
        ("tools/call", Some(name)) => mirrors(headers, NAME, &name),
        _ => Ok(()),
    }
}

/// Whether a header is there once and says what the message says.
fn mirrors(headers: &HeaderMap, header: &'static str, message: &str) -> Result<(), RpcError> {
    let mut found = values(headers, header);
    let rule = match (found.next(), found.next()) {
        (None, _) => "is missing",
        (Some(_), Some(_)) => "is repeated",
        (Some(None), _) => "is not visible ASCII",
        (Some(Some(value)), None) if decoded(header, value).as_deref() == Some(message) => return Ok(()),
        (Some(Some(_)), None) => "does not say what the message says",
    };
    Err(RpcError::header_mismatch(&format!("{header} {rule}")))
}

/// The text of a header that may be encoded: only the name of a tool may.
fn decoded(header: &str, value: &str) -> Option<String> {
    let encoded = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?="));
    match encoded.filter(|_| header == NAME) {
        None => Some(value.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// The values of a header, without the space around them; none where a value is not visible ASCII.
fn values<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = Option<&'h str>> {
    headers.get_all(name).iter().map(|value| Some(value.to_str().ok()?.trim_matches([' ', '\t'])))
}
