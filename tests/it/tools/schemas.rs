//! Tool descriptors: their content, and the limits that clients and hosts set for them.
//! MCP Apps: the pictures beside the results of tools, in both eras.

use passbook_domain::scope::Scope;
use serde_json::{Value, json};
use tests::app::App;
use tests::catalogue::tools;
use tests::mcp::{Era, result};

/// Maximum length of a description, in characters.
const DESCRIPTION_CHARACTERS_MAX: usize = 400;

async fn listed_tools() -> Vec<Value> {
    let (app, _, token) = App::with_household().await;
    let list = result(&app.rpc(Era::Legacy, &token, "tools/list", json!({})).await);
    list["tools"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn list_of_tools_equals_the_catalogue() {
    let listed = listed_tools().await;
    let expected = tools();
    assert_eq!(listed.len(), expected.len());
    for (found, (name, tool)) in listed.iter().zip(expected) {
        let facts = tool.spec.tool.expect("it is a tool");
        assert_eq!((found["name"].as_str(), found["title"].as_str()), (Some(name), Some(facts.title)));
        assert_eq!(found["description"], facts.description);
        assert_eq!(
            found["annotations"],
            json!({
                "title": facts.title, "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": false
            })
        );
        let schemes = json!([{ "type": "oauth2", "scopes": [tool.spec.scope.expect("data").as_str()] }]);
        assert_eq!((&found["securitySchemes"], &found["_meta"]["securitySchemes"]), (&schemes, &schemes));
        assert!(
            name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{name}"
        );
        assert!(facts.title.len() <= 64, "{name}");
        let characters = facts.description.chars().count();
        assert!(characters <= DESCRIPTION_CHARACTERS_MAX, "{name}: {characters} characters");
        let declared: Vec<&str> = tool.tool_parameters.iter().map(|parameter| parameter.name).collect();
        let properties = found["inputSchema"]["properties"].as_object();
        let mut named: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let mut declared = declared;
        declared.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, declared, "{name}");
    }
}

#[tokio::test]
async fn tool_description_names_another_tool() {
    let tools = tools();
    for (name, tool) in &tools {
        let description = tool.spec.tool.expect("it is a tool").description;
        // get_preferences explains the other tools and names none.
        if *name != "get_preferences" {
            let named = tools.iter().any(|(other, _)| other != name && description.contains(other));
            assert!(named, "{name}: {description}");
        }
    }
}

/// Calls `see` with every schema inside a schema and its location.
fn walk(schema: &Value, place: &str, see: &mut dyn FnMut(&Value, &str)) {
    see(schema, place);
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                for (name, schema) in named {
                    walk(schema, &format!("{place}.{name}"), see);
                }
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                for schema in schemas {
                    walk(schema, place, see);
                }
            }
            ("items" | "additionalProperties", schema) if !schema.is_boolean() => {
                walk(schema, &format!("{place}[]"), see)
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn schemas_use_only_keywords_that_all_clients_support() {
    const KEYWORDS: &str = "$defs $ref type properties required items description enum const format default minimum \
                            maximum minLength maxLength additionalProperties";
    for tool in listed_tools().await {
        for which in ["inputSchema", "outputSchema"] {
            let name = format!("{} {which}", tool["name"]);
            let schema = &tool[which];
            assert_eq!(schema["type"], "object", "{name}");
            jsonschema::draft202012::meta::validate(schema).expect("a schema of draft 2020-12");
            walk(schema, &name, &mut |schema, place| {
                let keywords = schema.as_object().unwrap_or_else(|| panic!("{place} is {schema}"));
                for (keyword, value) in keywords {
                    let free = place.contains("additionalProperties");
                    let is_known = KEYWORDS.split(' ').any(|known| known == keyword);
                    assert!(is_known || free, "{place}: {keyword}");
                    assert!(!value.is_null(), "{place}: {keyword}");
                }
                assert!(keywords.get("type").is_none_or(Value::is_string), "{place}: {}", schema["type"]);
                let format = keywords.get("format").and_then(Value::as_str);
                assert!(
                    format.is_none_or(|format| matches!(format, "date" | "date-time" | "uuid")),
                    "{place}"
                );
                // A reference names a definition of the same schema. Some hosts reject references in arguments.
                if let Some(name) = keywords.get("$ref").and_then(Value::as_str) {
                    let named = name.strip_prefix('#').and_then(|pointer| tool[which].pointer(pointer));
                    assert!(named.is_some_and(Value::is_object), "{place}: {name} has no definition");
                    assert_eq!(which, "outputSchema", "{place}");
                }
                // Clients must accept new members of results, so only argument schemas are closed.
                let closed = schema.get("additionalProperties") == Some(&json!(false));
                assert!(!(closed && which == "outputSchema"), "{place}");
            });
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{}", tool["name"]);
        // Some clients require `properties`, also of a tool without arguments.
        let named = tool["inputSchema"]["properties"].as_object().cloned().expect("properties");
        for (name, property) in named {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        }
    }
}

/// The addresses of all pictures.
async fn addresses(app: &App, token: &str) -> Vec<String> {
    let list = result(&app.rpc(Era::Legacy, token, "resources/list", json!({})).await);
    let resources = list["resources"].as_array().expect("a list");
    resources.iter().map(|resource| resource["uri"].as_str().expect("an address").to_owned()).collect()
}

fn read(uri: &str) -> Value {
    json!({ "uri": uri })
}

#[tokio::test]
async fn every_listed_picture_can_be_read_in_both_eras() {
    let (app, household, _) = App::with_household().await;
    // No scope is needed, because a picture has no data.
    let (token, _) = app.token_with(household.user.user_id, &[Scope::PreferencesRead], false, true).await;
    let found = addresses(&app, &token).await;
    assert_eq!(found.len(), passbook_views::View::ALL.len());
    for era in Era::ALL {
        let list = result(&app.rpc(era, &token, "resources/list", json!({})).await);
        let templates = result(&app.rpc(era, &token, "resources/templates/list", json!({})).await);
        assert_eq!(templates["resourceTemplates"], json!([]));
        // An address with an earlier hash gives the current picture.
        let earlier = found.iter().map(|uri| {
            let (start, _) = uri.rsplit_once('-').expect("a hash");
            format!("{start}-0123456789abcdef.html")
        });
        let views = passbook_views::View::ALL.into_iter().cycle();
        for (uri, view) in found.iter().cloned().chain(earlier).zip(views) {
            let reply = app.rpc(era, &token, "resources/read", read(&uri)).await;
            assert_eq!(reply.header("cache-control"), "no-store");
            let answer = result(&reply);
            for cacheable in [&list, &templates, &answer] {
                let expected = if era == Era::Modern { json!("public") } else { Value::Null };
                assert_eq!(cacheable["cacheScope"], expected, "{uri}");
                assert_eq!(cacheable.get("resultType").is_some(), era == Era::Modern, "{uri}");
            }
            let contents = answer["contents"].as_array().expect("a list");
            assert_eq!(contents.len(), 1);
            let content = &contents[0];
            assert_eq!(
                (content["uri"].as_str(), content["mimeType"].as_str()),
                (Some(&*uri), Some("text/html;profile=mcp-app"))
            );
            assert_eq!(content["text"].as_str(), Some(passbook_views::app_html(view).as_str()), "{uri}");
            let ui = &content["_meta"]["ui"];
            let policy = json!({ "connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": [] });
            assert_eq!((&ui["csp"], &ui["prefersBorder"]), (&policy, &json!(true)), "{uri}");
            assert!(ui.get("domain").is_none() && ui.get("permissions").is_none(), "{uri}");
            let aliases = json!({ "connect_domains": [], "resource_domains": [] });
            assert_eq!(content["_meta"]["openai/widgetCSP"], aliases, "{uri}");
            assert_eq!(content["_meta"]["openai/widgetDomain"], app.origin(), "{uri}");
        }
    }
}

#[tokio::test]
async fn tool_with_a_picture_names_a_listed_address() {
    let (app, _, token) = App::with_household().await;
    let found = addresses(&app, &token).await;
    let list = result(&app.rpc(Era::Modern, &token, "tools/list", json!({})).await);
    let mut named = Vec::new();
    for tool in list["tools"].as_array().expect("a list") {
        let (name, meta) = (tool["name"].as_str().expect("a name"), &tool["_meta"]);
        let view = passbook_views::View::ALL.into_iter().find(|view| view.tools().contains(&name));
        let uri = meta["ui"]["resourceUri"].as_str();
        assert_eq!(uri.is_some(), view.is_some(), "{name}");
        for alias in ["ui/resourceUri", "openai/outputTemplate"] {
            assert_eq!(meta[alias].as_str(), uri, "{name}: {alias}");
        }
        if let (Some(uri), Some(view)) = (uri, view) {
            assert!(uri.starts_with(&format!("ui://passbook/{}-", view.name())), "{name}: {uri}");
            assert!(found.iter().any(|address| address == uri), "{name}: {uri}");
            named.push(uri.to_owned());
        }
    }
    assert!(found.iter().all(|address| named.contains(address)), "every picture belongs to a tool");
    for tool in passbook_views::View::ALL.iter().flat_map(|view| view.tools()) {
        assert!(tests::catalogue::tools().iter().any(|(name, _)| name == tool), "{tool} is a tool");
    }
}

#[tokio::test]
async fn unknown_resource_has_the_error_of_its_era() {
    let (app, _, token) = App::with_household().await;
    for (era, code) in [(Era::Legacy, -32_002), (Era::Modern, -32_602)] {
        for uri in
            ["ui://passbook/x-0123456789abcdef.html", "ui://passbook/net-worth.html", "https://a.example", ""]
        {
            let reply = app.rpc(era, &token, "resources/read", read(uri)).await;
            assert_eq!(
                (reply.status.as_u16(), reply.json()["error"]["code"].as_i64()),
                (200, Some(code)),
                "{uri}"
            );
            assert_eq!(reply.json()["error"]["data"], json!({ "uri": uri }));
            assert!(reply.json().get("result").is_none());
        }
        let secret = "ui://passbook/nonexistent-resource-with-a-text-that-may-be-a-secret";
        let reply = app.rpc(era, &token, "resources/read", read(secret)).await;
        assert_eq!(reply.json()["error"].get("data"), None, "{}", reply.json());
    }
}
