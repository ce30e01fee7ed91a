//! Tool descriptors, which are the entries of `tools/list`.

use domain::scope::Scope;
use operations::form::Declaration;
use operations::{Operation, Tool};
use serde_json::Value;

use crate::schema;

/// The descriptor of one tool. The members that a model reads come first.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input_schema: Value,
    output_schema: Value,
    annotations: Annotations,
    security_schemes: [SecurityScheme; 1],
    /// Metadata that repeats `securitySchemes`, because some hosts drop unknown members and keep `_meta`.
    #[serde(rename = "_meta")]
    meta: Meta,
}

/// Hints about the tool's behaviour, as in revision 2025-03-26. All are stated: a host assumes the worst of a missing
/// hint.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    title: &'static str,
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

#[derive(serde::Serialize)]
struct SecurityScheme {
    r#type: &'static str,
    scopes: Vec<Scope>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    security_schemes: [SecurityScheme; 1],
}

impl Descriptor {
    /// Creates the tool descriptor of an operation.
    pub(crate) fn new<O: Operation>(tool: &Tool, declared: &[Declaration]) -> Descriptor {
        let scheme = || [SecurityScheme { r#type: "oauth2", scopes: O::SPEC.scope.into_iter().collect() }];
        Descriptor {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            input_schema: schema::arguments(declared),
            output_schema: schema::result::<O>(),
            annotations: Annotations {
                title: tool.title,
                read_only_hint: true,
                destructive_hint: false,
                idempotent_hint: true,
                open_world_hint: false,
            },
            security_schemes: scheme(),
            meta: Meta { security_schemes: scheme() },
        }
    }
}
