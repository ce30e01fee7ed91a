//! Tests with tables of changes: the text of each breaking change, and the changes that break no client.

use serde_json::{Value, json};

use super::*;

/// Returns a small OpenAPI document with one element of every kind.
fn before() -> Value {
    json!({
        "paths": { "/v1/things": { "get": {
            "operationId": "things", "description": "Things.",
            "security": [{ "bearer": ["things:read"] }],
            "parameters": [
                { "name": "limit", "in": "query", "required": false,
                  "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10 } },
                { "name": "kinds", "in": "query", "required": false, "style": "form", "explode": false,
                  "schema": { "type": "array", "items": { "type": "string", "enum": ["A", "B"] }, "maxItems": 9 } },
                { "name": "cursor", "in": "query", "content": { "application/json": { "schema": {
                    "type": "object", "additionalProperties": false, "required": ["id"],
                    "properties": { "id": { "type": "string" }, "day": { "type": "string" } } } } } }
            ],
            "responses": {
                "200": { "headers": { "x-request-id": {} },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Things" } } } },
                "400": { "$ref": "#/components/responses/Invalid" }
            }
        } } },
        "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "responses": { "Invalid": { "content": { "application/json": { "schema": { "type": "object" } } } } },
            "schemas": {
                "Things": { "type": "object", "required": ["things"], "properties": {
                    "things": { "type": "array", "items": { "$ref": "#/components/schemas/Thing" } },
                    "byName": { "type": "object", "additionalProperties": { "type": "integer" } },
                    "more": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } },
                "Thing": { "type": "object", "required": ["id", "cents"], "properties": {
                    "id": { "type": "string", "format": "uuid" },
                    "cents": { "type": "integer", "minimum": 0 },
                    "kind": { "type": "string", "enum": ["A", "B"], "description": "Its kind." } } }
            }
        }
    })
}

const GET: &str = "/paths/~1v1~1things/get";
const THING: &str = "/components/schemas/Thing";
const IN_LIST: &str = "GET /v1/things: 200: things[]";

/// Returns the document with the value at `pointer` replaced, or removed if `value` is `None`.
fn changed(pointer: &str, value: Option<Value>) -> Value {
    let mut document = before();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has members");
    let name = name.replace("~1", "/");
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} is there"));
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name, value)),
        (Value::Object(members), None) => drop(members.remove(&name).expect("there was something to remove")),
        (Value::Array(list), Some(value)) if name == "-" => list.push(value),
        (Value::Array(list), Some(value)) => list[name.parse::<usize>().expect("an index")] = value,
        (Value::Array(list), None) => drop(list.remove(name.parse().expect("an index"))),
        (other, _) => panic!("{other} has no members"),
    }
    document
}

fn found(pointer: &str, value: Option<Value>) -> Vec<String> {
    breaking_changes(&before(), &changed(pointer, value))
}

#[test]
fn breaking_changes_of_requests_are_found() {
    let get = |rest: &str| format!("{GET}{rest}");
    let parameter =
        |schema: Value| Some(json!({ "name": "new", "in": "query", "required": true, "schema": schema }));
    let cases: Vec<(String, Option<Value>, &str)> = vec![
        ("/paths/~1v1~1things".to_owned(), None, "/v1/things: path removed"),
        (get(""), None, "GET /v1/things: operation removed"),
        (
            get("/operationId"),
            Some(json!("all")),
            "GET /v1/things: operationId changed, which names the function of generated clients",
        ),
        (get("/security/0/bearer/-"), Some(json!("more:read")), "GET /v1/things: security requires more"),
        (
            "/components/securitySchemes/bearer".to_owned(),
            None,
            "security scheme bearer: removed or of another kind",
        ),
        (get("/parameters/-"), parameter(json!({})), "GET /v1/things: parameter new: required"),
        (get("/parameters/0/required"), Some(json!(true)), "GET /v1/things: parameter limit: required"),
        (get("/parameters/0"), None, "GET /v1/things: parameter limit: removed, and would be refused"),
        (
            get("/parameters/0/schema/default"),
            Some(json!(20)),
            "GET /v1/things: parameter limit: default changed",
        ),
        (
            get("/parameters/0/schema/maximum"),
            Some(json!(50)),
            "GET /v1/things: parameter limit: maximum narrowed",
        ),
        (
            get("/parameters/0/schema/minimum"),
            Some(json!(2)),
            "GET /v1/things: parameter limit: minimum narrowed",
        ),
        (
            get("/parameters/0/schema/type"),
            Some(json!("string")),
            "GET /v1/things: parameter limit: type changed from integer to string",
        ),
        (
            get("/parameters/0/schema/enum"),
            Some(json!([1])),
            "GET /v1/things: parameter limit: narrowed to an enumeration",
        ),
        (
            get("/parameters/0/schema/multipleOf"),
            Some(json!(5)),
            "GET /v1/things: parameter limit: multipleOf changed",
        ),
        (get("/parameters/1/explode"), Some(json!(true)), "GET /v1/things: parameter kinds: explode changed"),
        (
            get("/parameters/1/schema/maxItems"),
            Some(json!(8)),
            "GET /v1/things: parameter kinds: maxItems narrowed",
        ),
        (
            get("/parameters/1/schema/items/enum/0"),
            None,
            "GET /v1/things: parameter kinds[]: value \"A\" removed",
        ),
        (
            get("/parameters/2/content/application~1json/schema/required/-"),
            Some(json!("day")),
            "GET /v1/things: parameter cursor: day: required",
        ),
        (get("/requestBody"), Some(json!({ "required": true })), "GET /v1/things: body: required"),
        (get("/responses/400"), None, "GET /v1/things: 400: status removed"),
        (
            get("/responses/200/headers/x-request-id"),
            None,
            "GET /v1/things: 200: header x-request-id removed",
        ),
        (
            get("/responses/200/content/application~1json"),
            None,
            "GET /v1/things: 200: application/json removed",
        ),
    ];
    for (pointer, value, expected) in cases {
        assert_eq!(found(&pointer, value), [expected], "{pointer}");
    }
}

#[test]
fn breaking_changes_of_responses_are_found() {
    let things = "/components/schemas/Things/properties";
    let cases: Vec<(String, Option<Value>, String)> = vec![
        (format!("{THING}/properties/kind"), None, format!("{IN_LIST}: kind: field removed")),
        (format!("{THING}/required/1"), None, format!("{IN_LIST}: cents: no longer always there")),
        (
            format!("{THING}/properties/cents/type"),
            Some(json!("number")),
            format!("{IN_LIST}: cents: type changed from integer to number"),
        ),
        (
            format!("{THING}/properties/cents/type"),
            Some(json!(["integer", "null"])),
            format!("{IN_LIST}: cents: type changed from integer to integer or null"),
        ),
        (
            format!("{THING}/properties/cents/type"),
            None,
            format!("{IN_LIST}: cents: type changed from integer to anything"),
        ),
        (
            format!("{THING}/properties/cents/minimum"),
            Some(json!(-1)),
            format!("{IN_LIST}: cents: minimum widened"),
        ),
        (format!("{THING}/properties/id/format"), None, format!("{IN_LIST}: id: format changed")),
        (format!("{THING}/properties/kind/enum/1"), None, format!("{IN_LIST}: kind: value \"B\" removed")),
        (format!("{THING}/properties/kind/enum"), None, format!("{IN_LIST}: kind: enumeration removed")),
        (
            format!("{things}/byName/additionalProperties/type"),
            Some(json!("string")),
            "GET /v1/things: 200: byName{}: type changed from integer to string".to_owned(),
        ),
        (
            format!("{things}/byName/additionalProperties"),
            None,
            "GET /v1/things: 200: byName{}: no longer described".to_owned(),
        ),
        (
            format!("{things}/more/anyOf/0"),
            None,
            "GET /v1/things: 200: more: alternative 1 removed or changed".to_owned(),
        ),
        (
            format!("{THING}/patternProperties"),
            Some(json!({})),
            format!("{IN_LIST}: patternProperties changed, which this comparison cannot judge"),
        ),
        ("/components/schemas/Thing".to_owned(), None, String::new()),
    ];
    for (pointer, value, expected) in cases {
        let found = found(&pointer, value);
        // A removed schema removes all its members, and each removed member is a change.
        let named = if expected.is_empty() { found.len() == 4 } else { found == [expected.as_str()] };
        assert!(named, "{pointer}: {found:#?}");
    }
}

#[test]
fn additions_are_not_breaking() {
    let get = |rest: &str| format!("{GET}{rest}");
    let cases: Vec<(String, Option<Value>)> = vec![
        ("/paths/~1v1~1others".to_owned(), Some(json!({ "get": {} }))),
        ("/paths/~1v1~1things/post".to_owned(), Some(json!({}))),
        (get("/description"), Some(json!("All things."))),
        (get("/deprecated"), Some(json!(true))),
        (get("/security/-"), Some(json!({ "oauth": [] }))),
        (get("/security/0/bearer/0"), None),
        (get("/security"), Some(json!([]))),
        (get("/parameters/-"), Some(json!({ "name": "new", "in": "query", "schema": {} }))),
        (get("/parameters/0/schema/maximum"), Some(json!(200))),
        (get("/parameters/0/schema/minimum"), None),
        (get("/parameters/0/schema/type"), Some(json!("number"))),
        (get("/parameters/1/schema/items/enum/-"), Some(json!("C"))),
        (get("/parameters/2/content/application~1json/schema/required/0"), None),
        (get("/responses/429"), Some(json!({}))),
        (get("/responses/200/headers/ratelimit"), Some(json!({}))),
        (format!("{THING}/properties/new"), Some(json!({ "type": "string" }))),
        (format!("{THING}/required/-"), Some(json!("kind"))),
        (format!("{THING}/properties/kind/enum/-"), Some(json!("C"))),
        (format!("{THING}/properties/kind/description"), None),
        (format!("{THING}/properties/cents/maximum"), Some(json!(9))),
        (format!("{THING}/additionalProperties"), Some(json!(false))),
        ("/components/schemas/Things/properties/more/anyOf/-".to_owned(), Some(json!({ "type": "integer" }))),
        ("/components/schemas/Unused".to_owned(), Some(json!({}))),
    ];
    for (pointer, value) in cases {
        assert_eq!(found(&pointer, value), [""; 0], "{pointer}");
    }
    // Moving a schema changes nothing: references are resolved before the comparison.
    let inlined = json!({ "type": "string", "enum": ["A", "B"] });
    let mut moved = changed("/components/schemas/Kind", Some(inlined));
    moved["components"]["schemas"]["Thing"]["properties"]["kind"] =
        json!({ "$ref": "#/components/schemas/Kind", "description": "Its kind." });
    assert_eq!(breaking_changes(&before(), &moved), [""; 0]);
}

#[test]
fn breaking_change_passes_only_if_it_is_accepted_and_happened() {
    let after = changed(&format!("{THING}/properties/kind"), None);
    let change = format!("{IN_LIST}: kind: field removed");
    let named = parse(&format!("{change} | Nobody could fill it.")).expect("a good line");
    assert_eq!(problems(&before(), &after, &[]).len(), 1);
    assert_eq!(problems(&before(), &after, &named), [""; 0]);
    assert_eq!(
        problems(&before(), &before(), &named),
        [format!("{change}: remove the accepted change: it did not happen")]
    );
}

#[test]
fn comparison_of_recursive_schemas_ends() {
    let mut recursive = before();
    recursive["components"]["schemas"]["Thing"]["properties"]["part"] =
        json!({ "$ref": "#/components/schemas/Thing" });
    assert_eq!(breaking_changes(&recursive, &recursive), [""; 0]);
    recursive["components"]["schemas"]["Circle"] = json!({ "$ref": "#/components/schemas/Circle" });
    recursive["components"]["schemas"]["Thing"]["properties"]["part"] =
        json!({ "$ref": "#/components/schemas/Circle" });
    assert_eq!(breaking_changes(&recursive, &recursive), [""; 0]);
}

/// The list contains one change as the comparison reports it, in a commented line that would accept the change.
#[test]
fn example_of_the_list_is_output_of_the_comparison() {
    let list = read(&crate::repository::root().join(ACCEPTED)).expect("the list is read");
    let example = list.lines().find_map(|line| line.strip_prefix("# GET ")).expect("the example");
    let accepted = parse(&format!("GET {example}\n")).expect("the line is valid");
    let released = document(&crate::repository::root(), RELEASED).expect("the document is JSON");
    let mut present = released.clone();
    let merchant = &mut present["components"]["schemas"]["MerchantSpending"]["properties"];
    merchant.as_object_mut().expect("fields").remove("percentOfTotal").expect("the member exists");
    let changes = breaking_changes(&released, &present);
    assert_eq!(changes, accepted.iter().map(|known| known.change.clone()).collect::<Vec<_>>());
    assert_eq!(problems(&released, &present, &accepted), [""; 0]);
}

#[test]
fn breaking_change_is_a_problem_unless_it_is_accepted() {
    let (before, after) = (json!({"paths": {"/a": {}, "/b": {}}}), json!({"paths": {"/a": {}, "/c": {}}}));
    let found = |accepted| problems(&before, &after, &parse(accepted).expect("valid lines"));
    let remedy = "undo it, or accept it with a reason in docs/contract/breaking.txt";
    assert_eq!(problems(&before, &before, &[]), [""; 0]);
    assert_eq!(found(""), [format!("/b: path removed: {remedy}")]);
    assert_eq!(found("/b: path removed | It answered nothing.\n"), [""; 0]);
}
