//! Tool descriptors, which are the entries of `tools/list`.

use passbook_domain::scope::Scope;
use passbook_operations::form::Declaration;
use passbook_operations::{CatalogueEntry, Tool};
use serde_json::Value;

use crate::schema;

/// The descriptor of one tool. The members that a model reads come first.
#[derive(Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input_schema: Value,
    output_schema: Value,
    annotations: Annotations,
    security_schemes: [SecurityScheme; 1],
    /// Metadata that repeats `securitySchemes`, because some hosts drop unknown members and keep `_meta`, and names the
    /// tool's picture.
    #[serde(rename = "_meta")]
    meta: Meta,
}

/// Hints about the tool's behaviour, as in revision 2025-03-26. All are stated: a host assumes the worst of a missing
/// hint.
#[derive(Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    title: &'static str,
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

#[derive(Clone, serde::Serialize)]
struct SecurityScheme {
    r#type: &'static str,
    scopes: Vec<Scope>,
}

#[derive(Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    security_schemes: [SecurityScheme; 1],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    picture: Option<ToolMeta>,
}

/// The members of a tool's `_meta` that name its picture.
#[derive(Clone, serde::Serialize)]
pub(crate) struct ToolMeta {
    ui: ToolUi,
    /// The deprecated name of `ui.resourceUri`, which hosts of 2025 read.
    #[serde(rename = "ui/resourceUri")]
    deprecated: String,
    /// The name of `ui.resourceUri` for ChatGPT.
    #[serde(rename = "openai/outputTemplate")]
    template: String,
    /// Allows the picture to call the tool in ChatGPT. The standard allows this by default.
    #[serde(rename = "openai/widgetAccessible")]
    accessible: bool,
}

#[derive(Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolUi {
    resource_uri: String,
}

impl ToolMeta {
    /// Names the picture at an address.
    pub(crate) fn new(uri: &str) -> ToolMeta {
        let uri = || uri.to_owned();
        let ui = ToolUi { resource_uri: uri() };
        ToolMeta { ui, deprecated: uri(), template: uri(), accessible: true }
    }

    /// Returns the address of the picture.
    #[cfg(test)]
    pub(crate) fn uri(&self) -> &str {
        &self.ui.resource_uri
    }
}

impl Descriptor {
    /// Creates the tool descriptor of an operation, with the picture of the tool.
    pub(crate) fn new(
        tool: &Tool,
        entry: &CatalogueEntry,
        declared: &[Declaration],
        picture: Option<ToolMeta>,
    ) -> Descriptor {
        let scheme = || [SecurityScheme { r#type: "oauth2", scopes: entry.spec.scope.into_iter().collect() }];
        Descriptor {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            input_schema: schema::arguments(declared),
            output_schema: schema::result(entry),
            annotations: Annotations {
                title: tool.title,
                read_only_hint: true,
                destructive_hint: false,
                idempotent_hint: true,
                open_world_hint: false,
            },
            security_schemes: scheme(),
            meta: Meta { security_schemes: scheme(), picture },
        }
    }
}
