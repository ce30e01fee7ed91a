//! The OpenAPI 3.1 document, generated from the catalogue: whatever is served is described, and nothing else.

mod discovery;
mod operation;
mod responses;
mod tool_server;

use operations::catalogue::{self, Visitor};
use operations::{Operation, Spec};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::Config;
use crate::apps_challenge::AppsChallenge;
use crate::health::ReadinessReport;

/// The wire's version: it moves only with the wire.
const VERSION: &str = "0.1.0";

const DESCRIPTION: &str = "One authenticated person's own money, read only: nothing here writes.\n\n\
Money is always an object of integer cents and a currency; cents are hundredths of the currency's major unit for \
every currency, so divide by 100 for display (1000 yen are 100000). A transaction's amount is a magnitude; its type \
gives the direction. Totals are in the user's preferred currency, each transaction converted at the last rate on or \
before its own date; what has no rate within 31 days is left out and reported in `unconverted`. Dates are YYYY-MM-DD \
without a zone, both ends inclusive. An unknown optional field is absent, never null (but for `error.details`).\n\n\
Fields and enum values may be added at any time: tolerate unknown ones. A removal or a changed meaning needs /v2.";

/// The document of a service, with the tool endpoint if the host mounts it and the challenge if there is one.
pub(crate) fn document(config: &Config, apps_challenge: Option<&AppsChallenge>) -> Value {
    let base_url = &config.base_url;
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut document = Document { generator: settings.into_generator(), paths: Map::new() };
    catalogue::visit(&mut document);
    document.open_routes();
    document.discovery();
    if config.tool_server {
        document.tool_server();
    }
    document.at_the_root(base_url);
    if let Some(challenge) = apps_challenge {
        document.apps_challenge(challenge, base_url);
    }
    let responses = responses::components(&mut document.generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Passbook",
            "version": VERSION,
            "summary": "A read-only personal finance service.",
            "description": DESCRIPTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": &**base_url, "description": "This service" }],
        "tags": tags(),
        "paths": document.paths,
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "personal access token or JWT",
                    "description": "A personal access token, or an access token that the identity provider of the discovery documents has issued to a registered client. Its grant must carry the scope that a route names."
                }
            },
            "responses": responses,
            "schemas": document.generator.take_definitions(true),
        },
    })
}

struct Document {
    generator: SchemaGenerator,
    paths: Map<String, Value>,
}

impl Visitor for Document {
    fn visit<O: Operation>(&mut self) {
        let item = operation::path_item::<O>(&mut self.generator);
        self.paths.insert(O::SPEC.path.to_owned(), item);
    }
}

impl Document {
    /// The routes that need no token.
    fn open_routes(&mut self) {
        let readiness = self.generator.subschema_for::<ReadinessReport>();
        let health = json!({
            "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "const": "ok" } }
        });
        let object = json!({ "type": "object" });
        let ready = responses::success("Ready, with every check.", &json!(readiness));
        let mut ready = open(
            "ready",
            "Readiness",
            "Whether requests are worth sending: configuration, database, signing keys.",
            ready,
        );
        ready["get"]["responses"]["503"] =
            responses::with_retry_after("Not ready: the checks say why.", &json!(readiness));
        self.paths.insert("/ready".to_owned(), ready);
        let mut add = |path: &str, id: &str, summary: &str, description: &str, schema: &Value| {
            let item = open(id, summary, description, responses::success(summary, schema));
            self.paths.insert(path.to_owned(), item);
        };
        add("/health", "health", "Liveness", "Whether the process answers.", &health);
        add(
            "/openapi.json",
            "openapi",
            "This document",
            "The description of everything served over HTTP.",
            &object,
        );
        add(
            web::metadata::PATH,
            "protected_resource",
            "Protected-resource metadata",
            "Where tokens come from (RFC 9728); the 401 challenge names it.",
            &object,
        );
    }
}

/// A route that needs no token.
fn open(id: &str, summary: &str, description: &str, success: Value) -> Value {
    let mut responses = Map::new();
    responses.insert("200".to_owned(), success);
    responses::refer(&mut responses, responses::WITHOUT_TOKEN);
    json!({ "get": {
        "operationId": id, "summary": summary, "description": description, "tags": ["service"],
        "security": [], "responses": responses
    } })
}

/// The tag of an operation: the first segment of its path after the version.
fn tag(spec: &Spec) -> &'static str {
    spec.path.split('/').nth(2).unwrap_or("service")
}

fn tags() -> Value {
    #[derive(Default)]
    struct Tags(Vec<&'static str>);
    impl Visitor for Tags {
        fn visit<O: Operation>(&mut self) {
            let tag = tag(&O::SPEC);
            if !self.0.contains(&tag) {
                self.0.push(tag);
            }
        }
    }
    let mut tags = Tags::default();
    catalogue::visit(&mut tags);
    tags.0.push("service");
    let described = tags.0.into_iter().map(|name| {
        let description = match name {
            "service" => "The service itself. No token needed.".to_owned(),
            name => format!("The user's own {name}."),
        };
        json!({ "name": name, "description": description })
    });
    described.collect()
}
