//! Generates the OpenAPI 3.1 document. Operations are described from the catalogue; every adapter describes its other
//! routes.

mod shared_responses;

use bytes::Bytes;
use passbook_domain::scope::Surface;
use passbook_operations::form::{Declaration, LIST_ITEMS_MAX};
use passbook_operations::{Catalogue, CatalogueEntry, Spec};
use passbook_web::openapi::{
    PathItems, WITH_TOKEN, public_route, refer, success, with_rate_limits, with_retry_after,
};
use passbook_web::{BaseUrl, HostSignIn};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};

use crate::readiness::ReadinessReport;
use crate::start_page::{self, DocumentationPage, StartPage};

/// Version of the REST interface. It changes only if the wire format changes.
const VERSION: &str = "0.1.0";

const DESCRIPTION: &str = "Reads the money of one authenticated person. No route writes.\n\n\
Money is an object of integer cents and a currency. Cents are hundredths of the currency's major unit, for every \
currency: divide by 100 for display (1000 yen are 100000). The amount of a transaction is a magnitude; the \
transaction's type gives the direction. Totals are in the user's preferred currency. Each transaction is converted at \
the last rate on or before its date. An amount without a rate within 31 days is in no total, nor is one that would \
exceed 9 · 10¹⁵ cents after its conversion; `unconverted` lists both. \
Dates are YYYY-MM-DD without a time zone, and ranges include both ends. The items of a list parameter are separated by \
commas, or the parameter is repeated. An optional field without a value is absent, \
not null. Only `error.details` can be null.\n\n\
Fields and enum values may be added at any time, so clients must tolerate unknown ones. A removal or a changed meaning \
needs /v2.";

/// The parts of a service that its OpenAPI document describes.
pub(crate) struct Described<'a> {
    pub(crate) base_url: &'a BaseUrl,
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) title: &'a str,
    /// The sign-in of the host, if it has sessions of its own.
    pub(crate) host_sign_in: Option<&'a HostSignIn>,
    /// The path items of other adapters.
    pub(crate) other_paths: &'a PathItems,
    pub(crate) documentation: &'a [DocumentationPage],
}

/// Returns the OpenAPI document of a service.
pub(crate) fn document(described: &Described<'_>) -> Bytes {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.transforms.push(Box::new(RecursiveTransform(passbook_operations::remove_tool_description)));
    });
    let mut document =
        Document { generator: settings.into_generator(), paths: described.other_paths.clone() };
    document.add_operations(described);
    document.add_public_routes();
    document.add_start_page(described.base_url);
    document.add_documentation(described.base_url, described.documentation);
    let responses = shared_responses::components(&mut document.generator);
    let mut schemas = document.generator.take_definitions(true);
    add_host_scopes(&mut schemas, described.catalogue);
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": described.title,
            "version": VERSION,
            "summary": "A read-only personal finance service.",
            "description": DESCRIPTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": &**described.base_url, "description": "This service" }],
        "tags": tags(described.catalogue),
        "paths": document.paths,
        "components": {
            "securitySchemes": security_schemes(described.host_sign_in),
            "responses": responses,
            "schemas": schemas,
        },
    });
    document.to_string().into()
}

struct Document {
    generator: SchemaGenerator,
    paths: PathItems,
}

impl Document {
    /// Adds the operations of the catalogue.
    fn add_operations(&mut self, described: &Described<'_>) {
        let schemes = security_scheme_names(described.host_sign_in);
        for entry in described.catalogue.entries() {
            let item = path_item(&mut self.generator, entry, tag(&entry.spec), &schemes);
            self.paths.insert(entry.spec.path.to_owned(), item);
        }
    }

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

fn tags(catalogue: &Catalogue) -> Value {
    let mut tags: Vec<&str> = Vec::new();
    for entry in catalogue.entries() {
        let tag = tag(&entry.spec);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    if !tags.contains(&"service") {
        tags.push("service");
    }
    let described = tags.into_iter().map(|name| {
        let description = match name {
            "service" => "Health, discovery, sign-in and the tool server.".to_owned(),
            name => format!("The user's {name}."),
        };
        json!({ "name": name, "description": description })
    });
    described.collect()
}

/// Name of the security scheme of bearer tokens.
const BEARER: &str = "bearer";

/// Returns the names of the security schemes, of which a request needs one.
fn security_scheme_names(sign_in: Option<&HostSignIn>) -> Vec<&str> {
    let bearer = sign_in.is_none_or(|sign_in| sign_in.accepts_tokens).then_some(BEARER);
    bearer.into_iter().chain(sign_in.map(|sign_in| sign_in.scheme_name.as_str())).collect()
}

fn security_schemes(sign_in: Option<&HostSignIn>) -> Value {
    let bearer = json!({
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "personal access token or JWT",
        "description": "A personal access token, or an access token that the identity provider issued to a registered client. The discovery documents name the identity provider. The grant of the token must contain the scope that the route requires."
    });
    let scheme = |name: &str| match sign_in {
        Some(sign_in) if sign_in.scheme_name == name => sign_in.scheme.clone(),
        _ => bearer.clone(),
    };
    let names = security_scheme_names(sign_in).into_iter();
    Value::Object(names.map(|name| (name.to_owned(), scheme(name))).collect())
}

/// Adds the scopes that the host has defined to the schema of a scope, which names those of Passbook.
fn add_host_scopes(schemas: &mut Map<String, Value>, catalogue: &Catalogue) {
    let scopes = schemas.get_mut("Scope").and_then(|schema| schema["enum"].as_array_mut());
    if let Some(scopes) = scopes {
        scopes.extend(catalogue.host_scopes().iter().map(|scope| json!(scope)));
    }
}

/// Returns the OpenAPI path item of an operation, with its tag. A request needs one of the security schemes.
fn path_item(
    generator: &mut SchemaGenerator,
    entry: &CatalogueEntry,
    tag: &str,
    security_schemes: &[&str],
) -> Value {
    let spec = entry.spec;
    let parameters: Vec<Value> = entry.declarations(Surface::Rest).iter().map(parameter).collect();
    let result = entry.result_schema(generator);
    let mut responses = Map::new();
    responses.insert("200".to_owned(), with_rate_limits(success(spec.summary, &json!(result))));
    refer(&mut responses, WITH_TOKEN);
    let scopes: Vec<&str> = spec.scope.iter().map(|scope| scope.as_str()).collect();
    let scope = match spec.scope {
        Some(scope) => format!("\n\nRequires the scope `{scope}`."),
        None => "\n\nRequires a valid token, but no scope.".to_owned(),
    };
    let security: Vec<Value> = security_schemes
        .iter()
        .map(|scheme| Value::Object(Map::from_iter([((*scheme).to_owned(), json!(scopes))])))
        .collect();
    json!({ "get": {
        "operationId": spec.id,
        "summary": spec.summary,
        "description": format!("{}{scope}", spec.description),
        "tags": [tag],
        "security": security,
        "parameters": parameters,
        "responses": responses,
    } })
}

fn parameter(declared: &Declaration) -> Value {
    let mut schema = declared.schema.clone();
    if let Some(default) = &declared.default {
        schema["default"] = default.clone();
    }
    let mut parameter = json!({
        "name": declared.name, "in": "query", "required": false, "description": declared.description,
    });
    if declared.json_text {
        let description = format!("{} JSON text, percent-encoded in the query string.", declared.description);
        parameter["description"] = json!(description);
        // Generators of clients drop parameters with `content`, so the JSON text is described as a string.
        parameter["schema"] = json!({ "type": "string" });
        parameter["example"] = json!(declared.example.to_string());
    } else if declared.list {
        parameter["schema"] =
            json!({ "type": "array", "items": schema, "minItems": 1, "maxItems": LIST_ITEMS_MAX });
        parameter["style"] = json!("form");
        parameter["explode"] = json!(true);
        parameter["example"] = json!([declared.example]);
    } else {
        parameter["schema"] = schema;
        parameter["example"] = declared.example.clone();
    }
    parameter
}
