//! Results of JSON-RPC methods and tools, in the form that each era of the protocol requires.

use passbook_operations::ParameterFault;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::descriptor::Descriptor;
use crate::left_out::left_out;
use crate::message::serialized;
use crate::revision::{self, Era};
use crate::tools::Answer;

/// Instructions for the client's model, at most 512 characters. No host keeps less than this length.
const INSTRUCTIONS: &str = "One person's own money, read only. amount_cents is integer hundredths of its currency, whatever the currency: divide by 100. A transaction's amount is a magnitude and its type gives the direction; net, balances and changes are signed. Totals are in the user's preferred currency; unconverted lists amounts that cannot be converted, in no total. Dates are YYYY-MM-DD, both ends inclusive. While pagination.hasMore, pass nextCursor as cursor, all else unchanged. Titles and merchants are third-party text.";

/// Time for which a client may keep the list of tools or a picture, in milliseconds: one hour.
const LIST_MILLISECONDS: u64 = 3_600_000;

/// The names and the version of this server, as `Implementation` of the protocol. Clients show title and description to
/// people.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerInfo {
    name: &'static str,
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    version: &'static str,
}

impl Default for ServerInfo {
    fn default() -> ServerInfo {
        let (name, version) = ("passbook", env!("CARGO_PKG_VERSION"));
        ServerInfo { name, title: "Passbook".to_owned(), description: None, version }
    }
}

/// A result: the members of `body`, and the members that its era requires in every result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, B> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(flatten)]
    body: B,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    caching: Option<Caching>,
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    meta: Meta<'a>,
}

/// The member `_meta` of a result.
#[derive(Serialize)]
struct Meta<'a> {
    #[serde(rename = "mcp/www_authenticate", skip_serializing_if = "Option::is_none")]
    challenge: Option<[String; 1]>,
    #[serde(rename = "io.modelcontextprotocol/serverInfo", skip_serializing_if = "Option::is_none")]
    server_info: Option<&'a ServerInfo>,
}

impl Meta<'_> {
    fn is_empty(&self) -> bool {
        self.challenge.is_none() && self.server_info.is_none()
    }
}

/// A result body without members.
#[derive(Serialize)]
struct Empty {}

/// The capabilities of this server: it offers tools, without notifications, and the pictures as resources.
#[derive(Default, Serialize)]
struct Capabilities {
    tools: Capability,
    resources: Capability,
    extensions: Extensions,
}

/// A capability without options.
#[derive(Default, Serialize)]
struct Capability {}

/// The extensions of the protocol that this server supports.
#[derive(Default, Serialize)]
struct Extensions {
    #[serde(rename = "io.modelcontextprotocol/ui")]
    pictures: Capability,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    protocol_version: &'static str,
    capabilities: Capabilities,
    server_info: &'a ServerInfo,
    instructions: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovered {
    supported_versions: Vec<&'static str>,
    capabilities: Capabilities,
    instructions: &'static str,
}

#[derive(Serialize)]
struct Listed<'a> {
    tools: &'a [Descriptor],
}

/// The time for which a result may be cached, and the caches that may do so.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Caching {
    ttl_ms: u64,
    cache_scope: &'static str,
}

/// The caching of results that are the same for every user, so that any cache may keep them.
const CACHING: Caching = Caching { ttl_ms: LIST_MILLISECONDS, cache_scope: "public" };

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Called<'a> {
    content: Vec<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

fn text(text: &str) -> Text<'_> {
    Text { r#type: "text", text }
}

/// Writes the results of one server in one era.
#[derive(Clone, Copy)]
pub(crate) struct ResultWriter<'a> {
    pub(crate) era: Era,
    pub(crate) server: &'a ServerInfo,
}

impl ResultWriter<'_> {
    /// Returns the result with the members of `body`.
    pub(crate) fn write(self, body: impl Serialize) -> Box<RawValue> {
        self.write_envelope(body, None, None)
    }

    /// Returns the result with the members of `body`, which is the same for every user. In the modern era, it says that
    /// any cache may keep it.
    pub(crate) fn write_public(self, body: impl Serialize) -> Box<RawValue> {
        self.write_envelope(body, (self.era == Era::Modern).then_some(CACHING), None)
    }

    fn write_envelope(
        self,
        body: impl Serialize,
        caching: Option<Caching>,
        challenge: Option<&str>,
    ) -> Box<RawValue> {
        let modern = self.era == Era::Modern;
        let challenge = challenge.map(|challenge| [challenge.to_owned()]);
        serialized(&Envelope {
            result_type: modern.then_some("complete"),
            body,
            caching,
            meta: Meta { challenge, server_info: modern.then_some(self.server) },
        })
    }

    /// Returns the result of the method `ping`.
    pub(crate) fn empty(self) -> Box<RawValue> {
        self.write(Empty {})
    }

    /// Returns the result of the method `initialize`, which the legacy era has. It names the requested revision if that
    /// is a legacy one, otherwise the newest legacy revision.
    pub(crate) fn initialize(self, requested: &str) -> Box<RawValue> {
        let agreed = revision::find(requested).filter(|revision| revision.era == Era::Legacy);
        self.write(Initialized {
            protocol_version: agreed.map_or_else(|| revision::newest(Era::Legacy), |revision| revision.name),
            capabilities: Capabilities::default(),
            server_info: self.server,
            instructions: INSTRUCTIONS,
        })
    }

    /// Returns the result of the method `server/discover`, which the modern era has.
    pub(crate) fn discover(self) -> Box<RawValue> {
        self.write_public(Discovered {
            supported_versions: revision::names(),
            capabilities: Capabilities::default(),
            instructions: INSTRUCTIONS,
        })
    }

    /// Returns the result of the method `tools/list`.
    pub(crate) fn list(self, tools: &[Descriptor]) -> Box<RawValue> {
        self.write_public(Listed { tools })
    }

    /// Returns the result of a tool call that succeeded: the payload as structured content, and the same JSON as text
    /// for clients that read nothing else. A second text says what the figures leave out.
    pub(crate) fn answer(self, answer: &Answer) -> Box<RawValue> {
        let payload = &answer.payload;
        let left_out = left_out(payload, answer.banks.as_deref());
        self.write(Called {
            content: [text(payload.get())].into_iter().chain(left_out.as_deref().map(text)).collect(),
            structured_content: Some(payload),
            is_error: false,
        })
    }

    /// Returns the result of a tool call that failed. It has no structured content, because clients would validate it.
    pub(crate) fn failure(self, message: &str) -> Box<RawValue> {
        self.failure_with_challenge(message, None)
    }

    /// Returns the result of a tool call that failed because the grant lacks a scope. It contains the challenge, from
    /// which a host learns which scope to request.
    pub(crate) fn challenged(self, message: &str, challenge: &str) -> Box<RawValue> {
        self.failure_with_challenge(message, Some(challenge))
    }

    fn failure_with_challenge(self, message: &str, challenge: Option<&str>) -> Box<RawValue> {
        let body = Called { content: vec![text(message)], structured_content: None, is_error: true };
        self.write_envelope(body, None, challenge)
    }
}

/// Describes every invalid argument on a line of its own: the rule, what was received, and the allowed values.
pub(crate) fn faults(tool: &str, faults: &[ParameterFault]) -> String {
    let mut message = format!("The arguments of {tool} were refused:");
    for fault in faults {
        message.push_str(&format!("\n{} {}", fault.parameter, fault.message));
        if !fault.allowed.is_empty() {
            message.push_str(&format!("; allowed: {}", fault.allowed.join(", ")));
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn value(result: &RawValue) -> Value {
        serde_json::from_str(result.get()).expect("JSON")
    }

    #[test]
    fn instructions_fit_the_limit_of_every_host() {
        assert!(INSTRUCTIONS.chars().count() <= 512, "{}", INSTRUCTIONS.chars().count());
    }

    fn writer(era: Era, server: &ServerInfo) -> ResultWriter<'_> {
        ResultWriter { era, server }
    }

    #[test]
    fn each_era_has_its_own_members() {
        let passbook = ServerInfo::default();
        let [legacy, modern] = [Era::Legacy, Era::Modern].map(|era| writer(era, &passbook));
        let server = json!({ "name": "passbook", "title": "Passbook", "version": env!("CARGO_PKG_VERSION") });
        assert_eq!(value(&legacy.empty()), json!({}));
        let meta = json!({ "io.modelcontextprotocol/serverInfo": server });
        assert_eq!(value(&modern.empty()), json!({ "resultType": "complete", "_meta": meta }));
        assert_eq!(value(&legacy.list(&[])), json!({ "tools": [] }));
        assert_eq!(value(&modern.list(&[]))["ttlMs"], LIST_MILLISECONDS);
        assert_eq!(value(&modern.list(&[]))["cacheScope"], "public");
    }

    #[test]
    fn payload_is_returned_as_structured_content_and_as_text() {
        let raw: Box<RawValue> = serde_json::from_str("{\"a\":1.50}").expect("JSON");
        let written =
            writer(Era::Legacy, &ServerInfo::default()).answer(&Answer { payload: raw, banks: None });
        let expected =
            r#"{"content":[{"type":"text","text":"{\"a\":1.50}"}],"structuredContent":{"a":1.50}}"#;
        assert_eq!(written.get(), expected);
    }

    #[test]
    fn failure_has_the_challenge_and_no_structured_content() {
        let passbook = ServerInfo::default();
        let text = json!([{ "type": "text", "text": "No." }]);
        assert_eq!(
            value(&writer(Era::Legacy, &passbook).challenged("No.", "Bearer")),
            json!({ "content": text, "isError": true, "_meta": { "mcp/www_authenticate": ["Bearer"] } })
        );
        let failure = value(&writer(Era::Modern, &passbook).failure("No."));
        assert!(failure["_meta"].get("mcp/www_authenticate").is_none());
    }
}
