//! Results as they are written: what each era wants around the members of a result, and what a tool's result holds.

use operations::form::Fault;
use serde_json::{Value, json};

use crate::revision::{self, Era};

/// What a client may show or tell its model at the start: at most 512 characters, the part that every host keeps.
const INSTRUCTIONS: &str = "One person's own money, read only. amount_cents is integer hundredths of its currency, whatever the currency: divide by 100. A transaction's amount is a magnitude and its type gives the direction; net, balances and changes are signed. Totals are in the user's preferred currency; unconverted lists what has no exchange rate and is in no total. Dates are YYYY-MM-DD, both ends inclusive. While pagination.hasMore, pass nextCursor as cursor, all else unchanged. Titles and merchants are third-party text.";

/// Milliseconds for which a list of tools holds: an hour.
const LIST_MILLISECONDS: u64 = 3_600_000;

/// A result in an era: its members without braces, and its metadata likewise.
pub(crate) fn enveloped(era: Era, members: &str, meta: Option<&str>) -> String {
    let meta = match (era, meta) {
        (Era::Legacy, None) => String::new(),
        (Era::Legacy, Some(meta)) => format!("\"_meta\":{{{meta}}}"),
        (Era::Modern, meta) => {
            let own = format!("\"io.modelcontextprotocol/serverInfo\":{}", server_info());
            let all: Vec<&str> = meta.into_iter().chain([own.as_str()]).collect();
            format!("\"_meta\":{{{}}}", all.join(","))
        }
    };
    let kind = if era == Era::Modern { "\"resultType\":\"complete\"" } else { "" };
    let parts: Vec<&str> = [kind, members, &meta].into_iter().filter(|part| !part.is_empty()).collect();
    format!("{{{}}}", parts.join(","))
}

/// Of `initialize`: the revision asked for if it is one that begins so, else the newest that does.
pub(crate) fn initialize(requested: &str) -> String {
    let agreed = revision::named(requested).filter(|revision| revision.era == Era::Legacy);
    let agreed = agreed.map_or_else(|| revision::newest(Era::Legacy), |revision| revision.name);
    let members = format!(
        "\"protocolVersion\":{},\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{},\"instructions\":{}",
        json!(agreed),
        server_info(),
        json!(INSTRUCTIONS)
    );
    enveloped(Era::Legacy, &members, None)
}

/// Of `server/discover`.
pub(crate) fn discover() -> String {
    let members = format!(
        "\"supportedVersions\":{},\"capabilities\":{{\"tools\":{{}}}},\"instructions\":{},{}",
        revision::names(),
        json!(INSTRUCTIONS),
        caching()
    );
    enveloped(Era::Modern, &members, None)
}

/// Of `tools/list`: the same for everyone, so that it may be kept by anyone.
pub(crate) fn list(era: Era, tools: &str) -> String {
    let caching = match era {
        Era::Legacy => String::new(),
        Era::Modern => format!(",{}", caching()),
    };
    enveloped(era, &format!("\"tools\":{tools}{caching}"), None)
}

/// Of a call that succeeded: the payload, and the same as text for clients that know nothing else.
pub(crate) fn payload(era: Era, payload: &str) -> String {
    let members = format!("\"content\":[{}],\"structuredContent\":{payload}", text(payload));
    enveloped(era, &members, None)
}

/// Of a call that failed, in words. It has no structured content, which clients would hold against the schema.
pub(crate) fn failure(era: Era, sentence: &str) -> String {
    enveloped(era, &format!("\"content\":[{}],\"isError\":true", text(sentence)), None)
}

/// The same with the challenge that a host needs to ask for a scope.
pub(crate) fn challenged(era: Era, sentence: &str, challenge: &str) -> String {
    let meta = format!("\"mcp/www_authenticate\":[{}]", json!(challenge));
    enveloped(era, &format!("\"content\":[{}],\"isError\":true", text(sentence)), Some(&meta))
}

/// Every faulty argument with its rule, what was received, and what is allowed.
pub(crate) fn faults(tool: &str, faults: &[Fault]) -> String {
    let mut sentence = format!("The arguments of {tool} were refused:");
    for fault in faults {
        sentence.push_str(&format!("\n{} {}", fault.parameter, fault.message));
        if !fault.allowed.is_empty() {
            sentence.push_str(&format!("; allowed: {}", fault.allowed.join(", ")));
        }
    }
    sentence
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn caching() -> String {
    format!("\"ttlMs\":{LIST_MILLISECONDS},\"cacheScope\":\"public\"")
}

fn server_info() -> Value {
    json!({ "name": "passbook", "title": "Passbook", "version": env!("CARGO_PKG_VERSION") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_fit_what_every_host_keeps() {
        assert!(INSTRUCTIONS.chars().count() <= 512, "{}", INSTRUCTIONS.chars().count());
    }

    #[test]
    fn each_era_has_its_own_members() {
        for (era, members, meta, expected) in [
            (Era::Legacy, "", None, json!({})),
            (Era::Legacy, "\"a\":1", Some("\"b\":2"), json!({ "a": 1, "_meta": { "b": 2 } })),
            (
                Era::Modern,
                "",
                Some("\"b\":2"),
                json!({ "resultType": "complete", "_meta": {
                    "b": 2, "io.modelcontextprotocol/serverInfo": server_info() } }),
            ),
        ] {
            let written: Value = serde_json::from_str(&enveloped(era, members, meta)).expect("JSON");
            assert_eq!(written, expected);
        }
    }
}
