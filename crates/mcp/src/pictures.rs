//! Pictures beside the results of tools: MCP Apps (SEP-1865, revision 2026-01-26). A picture is an HTML page without data,
//! which a host loads as a resource and to which the host passes the result of the tool.
//!
//! The address of a picture contains a hash of its content, because hosts cache pictures by address. An address with
//! another hash, which a host has from an earlier version, gives the current picture. Pictures are offered to every client:
//! hosts that draw them do not always declare the capability.

use passbook_views::View;
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::descriptor::ToolMeta;
use crate::message::{Request, string_member};
use crate::result::{ResultWriter, ServerInfo};
use crate::revision::Era;
use crate::rpc_error::RpcError;

/// Start of the address of every picture.
const ADDRESS_START: &str = "ui://passbook/";
/// End of the address of every picture.
const ADDRESS_END: &str = ".html";
/// Number of hexadecimal digits of the hash in an address.
const HASH_DIGITS: usize = 16;
/// The media type of a picture.
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

/// One picture.
#[derive(Clone)]
struct Picture {
    view: View,
    /// The address, with the hash of the page.
    uri: String,
    html: String,
}

/// All pictures. They are made once, at start.
#[derive(Clone)]
pub(crate) struct Pictures {
    pictures: Vec<Picture>,
    /// The origin of this service, by which ChatGPT separates the pictures of different services.
    origin: String,
    /// The results of each era.
    lists: [Box<RawValue>; 2],
    templates: [Box<RawValue>; 2],
}

/// The members of `_meta` of a picture. `ui.domain` is never sent: some hosts show nothing if they do not accept the value.
#[derive(Serialize)]
struct PictureMeta<'a> {
    ui: Ui,
    #[serde(rename = "openai/widgetCSP")]
    policy: OpenaiPolicy,
    #[serde(rename = "openai/widgetDomain")]
    domain: &'a str,
    #[serde(rename = "openai/widgetPrefersBorder")]
    prefers_border: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ui {
    csp: Policy,
    prefers_border: bool,
}

/// The content security policy: a picture needs no other origin. Hosts complain about a missing policy, so that empty lists
/// are sent.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Policy {
    connect_domains: [&'static str; 0],
    resource_domains: [&'static str; 0],
    frame_domains: [&'static str; 0],
    base_uri_domains: [&'static str; 0],
}

#[derive(Default, Serialize)]
struct OpenaiPolicy {
    connect_domains: [&'static str; 0],
    resource_domains: [&'static str; 0],
}

#[derive(Serialize)]
struct Listed<'a> {
    resources: Vec<Resource<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    uri: &'a str,
    name: &'static str,
    title: &'static str,
    mime_type: &'static str,
    #[serde(rename = "_meta")]
    meta: PictureMeta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Templates {
    resource_templates: [(); 0],
}

#[derive(Serialize)]
struct Read<'a> {
    contents: [Content<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    uri: &'a str,
    mime_type: &'static str,
    text: &'a str,
    #[serde(rename = "_meta")]
    meta: PictureMeta<'a>,
}

impl Pictures {
    /// Makes all pictures of a service with this origin. The lists of them name the server.
    pub(crate) fn new(origin: &str, server: &ServerInfo) -> Pictures {
        let picture = |view: View| {
            let html = passbook_views::app_html(view);
            let hash: String = Sha256::digest(&html).iter().map(|byte| format!("{byte:02x}")).collect();
            let uri = format!("{ADDRESS_START}{}-{}{ADDRESS_END}", view.name(), &hash[..HASH_DIGITS]);
            Picture { view, uri, html }
        };
        let pictures: Vec<Picture> = View::ALL.into_iter().map(picture).collect();
        let lists = Era::ALL.map(|era| {
            let resources = pictures.iter().map(|picture| Resource {
                uri: &picture.uri,
                name: picture.view.name(),
                title: picture.view.title(),
                mime_type: MEDIA_TYPE,
                meta: meta(origin),
            });
            ResultWriter { era, server }.write_public(Listed { resources: resources.collect() })
        });
        let templates = Era::ALL
            .map(|era| ResultWriter { era, server }.write_public(Templates { resource_templates: [] }));
        Pictures { pictures, origin: origin.to_owned(), lists, templates }
    }

    /// Returns the members of `_meta` for a tool; `None` if the tool has no picture.
    pub(crate) fn tool_meta(&self, tool: &str) -> Option<ToolMeta> {
        let picture = self.pictures.iter().find(|picture| picture.view.tools().contains(&tool))?;
        Some(ToolMeta::new(&picture.uri))
    }

    /// Returns the result of the method `resources/list`.
    pub(crate) fn list(&self, era: Era) -> Box<RawValue> {
        self.lists[era as usize].clone()
    }

    /// Returns the result of the method `resources/templates/list`.
    pub(crate) fn templates(&self, era: Era) -> Box<RawValue> {
        self.templates[era as usize].clone()
    }

    /// Returns the result of the method `resources/read`: the picture that the request names. The result repeats the
    /// requested address, also if its hash is an earlier one.
    ///
    /// # Errors
    /// The request has no address, or there is no such picture.
    pub(crate) fn read(
        &self,
        writer: ResultWriter<'_>,
        request: &Request<'_>,
    ) -> Result<Box<RawValue>, RpcError> {
        let uri = string_member(&request.params, "uri");
        let uri = uri.ok_or_else(|| RpcError::invalid_params("uri must be the address of a resource"))?;
        let picture =
            name(&uri).and_then(|name| self.pictures.iter().find(|picture| picture.view.name() == name));
        let picture = picture.ok_or_else(|| RpcError::resource_not_found(writer.era, &uri))?;
        let content =
            Content { uri: &uri, mime_type: MEDIA_TYPE, text: &picture.html, meta: meta(&self.origin) };
        Ok(writer.write_public(Read { contents: [content] }))
    }
}

fn meta(origin: &str) -> PictureMeta<'_> {
    PictureMeta {
        ui: Ui { csp: Policy::default(), prefers_border: true },
        policy: OpenaiPolicy::default(),
        domain: origin,
        prefers_border: true,
    }
}

/// Returns the name of the view in the address of a picture, whatever its hash; `None` if the text is no such address.
fn name(uri: &str) -> Option<&str> {
    let (name, hash) = uri.strip_prefix(ADDRESS_START)?.strip_suffix(ADDRESS_END)?.rsplit_once('-')?;
    let is_hash = hash.len() == HASH_DIGITS
        && hash.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    is_hash.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_the_name_and_any_hash() {
        assert_eq!(name("ui://passbook/net-worth-0123456789abcdef.html"), Some("net-worth"));
        for uri in [
            "ui://passbook/net-worth.html",
            "ui://passbook/net-worth-0123456789abcde.html",
            "ui://passbook/net-worth-0123456789ABCDEF.html",
            "ui://other/net-worth-0123456789abcdef.html",
            "net-worth-0123456789abcdef.html",
            "",
        ] {
            assert_eq!(name(uri), None, "{uri}");
        }
    }

    #[test]
    fn every_tool_of_a_view_has_its_picture() {
        let pictures = Pictures::new("https://money.example", &ServerInfo::default());
        for picture in &pictures.pictures {
            for tool in picture.view.tools() {
                let meta = pictures.tool_meta(tool).expect("a picture");
                assert_eq!(meta.uri(), picture.uri, "{tool}");
            }
        }
        assert!(pictures.tool_meta("get_preferences").is_none());
    }
}
