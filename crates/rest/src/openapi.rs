//! Generates the OpenAPI 3.1 document. Operations are described from the catalogue; every adapter describes its other
//! routes.

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
use crate::start_page::{self, DocumentationPage, StartPage};

/// Version of the REST interface. It changes only if the wire format changes.
const VERSION: &str = "0.1.0";

const DESCRIPTION: &str = "Reads the money of one authenticated person. No route writes.\n\n\
Money is an object of integer cents and a currency. Cents are hundredths of the currency's major unit, for every \
currency: divide by 100 for display (1000 yen are 100000). The amount of a transaction is a magnitude; the \
transaction's type gives the direction. Totals are in the user's preferred currency. Each transaction is converted at \
the last rate on or before its date. An amount without a rate within 31 days is in no total; `unconverted` lists it. \
Dates are YYYY-MM-DD without a time zone, and ranges include both ends. The items of a list parameter are separated by \
commas, or the parameter is repeated. An optional field without a value is absent, \
not null. Only `error.details` can be null.\n\n\
Fields and enum values may be added at any time, so clients must tolerate unknown ones. A removal or a changed meaning \
needs /v2.";

/// Returns the OpenAPI document of a service at `base_url`, with the path items of other adapters and the pages of the
/// documentation.
pub(crate) fn document(
    base_url: &BaseUrl,
    other_paths: &PathItems,
    documentation: &[DocumentationPage],
) -> Bytes {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.transforms.push(Box::new(RecursiveTransform(operations::remove_tool_description)));
    });
    let mut document = Document { generator: settings.into_generator(), paths: other_paths.clone() };
    catalogue::visit(&mut document);
    document.add_public_routes();
    document.add_start_page(base_url);
    document.add_documentation(base_url, documentation);
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
                    "description": "A personal access token, or an access token that the identity provider issued to a registered client. The discovery documents name the identity provider. The grant of the token must contain the scope that the route requires."
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
    /// Adds the routes of this adapter that need no token.
    fn add_public_routes(&mut self) {
        let readiness = json!(self.generator.subschema_for::<ReadinessReport>());
        let health = json!({
            "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "const": "ok" } }
        });
        let mut ready = public_route(
            "ready",
            "Readiness",
            "Checks the configuration, the database and the signing keys.",
            success("Every check has succeeded.", &readiness),
        );
        ready["get"]["responses"]["503"] =
            with_retry_after("A check has failed. The body contains the result of every check.", &readiness);
        self.paths.insert("/ready".to_owned(), ready);
        let mut add = |path: &str, id: &str, summary: &str, description: &str, schema: &Value| {
            let item = public_route(id, summary, description, success(summary, schema));
            self.paths.insert(path.to_owned(), item);
        };
        add("/health", "health", "Liveness", "Succeeds while the process handles requests.", &health);
        add(
            "/openapi.json",
            "openapi",
            "This document",
            "The OpenAPI description of all routes.",
            &json!({ "type": "object" }),
        );
    }
}

impl Document {
    /// Adds the start page, whose path is at the root of the origin.
    fn add_start_page(&mut self, base_url: &BaseUrl) {
        let schema = json!(self.generator.subschema_for::<StartPage>());
        let mut page = success("The addresses of the service.", &schema);
        page["content"]["text/html"] = json!({ "schema": { "type": "string" } });
        let description = "The addresses of the API and of this document: HTML for a request whose header `Accept` names \
                           `text/html`, and JSON for any other request.";
        let mut item = public_route("start_page", "Start page", description, page);
        item["servers"] = json!([{ "url": base_url.origin(), "description": "The root of the origin" }]);
        self.paths.insert(start_page::PATH.to_owned(), item);
    }

    /// Adds the pages of the documentation, whose paths are at the root of the origin.
    fn add_documentation(&mut self, base_url: &BaseUrl, pages: &[DocumentationPage]) {
        for page in pages {
            let description = format!("A page of the documentation, \"{}\", in Markdown.", page.title);
            let mut text = success("The text of the page.", &json!({}));
            text["content"] = json!({ "text/plain": { "schema": { "type": "string" } } });
            let name = page.path.replace(|character: char| !character.is_ascii_alphanumeric(), "_");
            let id = format!("page{}", name.to_lowercase());
            let mut item = public_route(&id, page.title, &description, text);
            item["servers"] = json!([{ "url": base_url.origin(), "description": "The root of the origin" }]);
            self.paths.insert(page.path.to_owned(), item);
        }
    }
}

/// Returns the tag of an operation: the segment of its path that follows the version.
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
            "service" => "Health, discovery, sign-in and the tool server.".to_owned(),
            name => format!("The user's {name}."),
        };
        json!({ "name": name, "description": description })
    });
    described.collect()
}
