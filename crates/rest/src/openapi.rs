//! The OpenAPI 3.1 document. The operations are described from the catalogue; every adapter describes its own routes.

mod operation;
mod shared_responses;

use bytes::Bytes;
use operations::catalogue::{self, Visitor};
use operations::{Operation, Spec};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};
use web::BaseUrl;
use web::openapi::{PathItems, public_route, success, with_retry_after};

use crate::health::ReadinessReport;

/// The version of the interface. It changes only if the wire format changes.
const VERSION: &str = "0.1.0";

const DESCRIPTION: &str = "One authenticated person's own money, read only: nothing here writes.\n\n\
Money is always an object of integer cents and a currency; cents are hundredths of the currency's major unit for \
every currency, so divide by 100 for display (1000 yen are 100000). A transaction's amount is a magnitude; its type \
gives the direction. Totals are in the user's preferred currency, each transaction converted at the last rate on or \
before its own date; what has no rate within 31 days is left out and reported in `unconverted`. Dates are YYYY-MM-DD \
without a zone, both ends inclusive. An unknown optional field is absent, never null (but for `error.details`).\n\n\
Fields and enum values may be added at any time: tolerate unknown ones. A removal or a changed meaning needs /v2.";

/// Writes the document of a service at a base address, with the path items of other adapters.
pub(crate) fn document(base_url: &BaseUrl, other_paths: &PathItems) -> Bytes {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.transforms.push(Box::new(RecursiveTransform(operations::remove_tool_description)));
    });
    let mut document = Document { generator: settings.into_generator(), paths: other_paths.clone() };
    catalogue::visit(&mut document);
    document.add_public_routes();
    let responses = shared_responses::components(&mut document.generator);
    let document = json!({
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
    });
    document.to_string().into()
}

struct Document {
    generator: SchemaGenerator,
    paths: PathItems,
}

impl Visitor for Document {
    fn visit<O: Operation>(&mut self) {
        let item = operation::path_item::<O>(&mut self.generator, tag(&O::SPEC));
        self.paths.insert(O::SPEC.path.to_owned(), item);
    }
}

impl Document {
    /// The routes of this adapter that need no token.
    fn add_public_routes(&mut self) {
        let readiness = json!(self.generator.subschema_for::<ReadinessReport>());
        let health = json!({
            "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "const": "ok" } }
        });
        let mut ready = public_route(
            "ready",
            "Readiness",
            "The state of configuration, database and signing keys.",
            success("Ready, with every check.", &readiness),
        );
        ready["get"]["responses"]["503"] = with_retry_after("Not ready: the checks say why.", &readiness);
        self.paths.insert("/ready".to_owned(), ready);
        let mut add = |path: &str, id: &str, summary: &str, description: &str, schema: &Value| {
            let item = public_route(id, summary, description, success(summary, schema));
            self.paths.insert(path.to_owned(), item);
        };
        add("/health", "health", "Liveness", "Succeeds while the process answers requests.", &health);
        add(
            "/openapi.json",
            "openapi",
            "This document",
            "The description of everything served over HTTP.",
            &json!({ "type": "object" }),
        );
    }
}

/// The tag of an operation: the path segment after the version.
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
