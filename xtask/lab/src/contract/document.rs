//! Compares the paths, operations, parameters, bodies and responses of two OpenAPI documents.

use serde_json::{Map, Value};

use super::reference::resolve;
use super::schema::{Comparison, Direction};

/// Names of the members of a path item that are operations.
const METHODS: [&str; 8] = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/// Returns every breaking change, unsorted.
pub(super) fn compare(before: &Value, after: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let pair = Pair { before, after };
    for (name, scheme) in members(&before["components"]["securitySchemes"]) {
        let now = &after["components"]["securitySchemes"][name];
        if ["type", "scheme", "in", "name"].iter().any(|member| scheme[*member] != now[*member]) {
            found.push(format!("security scheme {name}: removed or of another kind"));
        }
    }
    for (path, item) in members(&before["paths"]) {
        let Some(now) = after["paths"].get(path) else {
            found.push(format!("{path}: path removed"));
            continue;
        };
        for (method, operation) in members(item).filter(|(method, _)| METHODS.contains(&method.as_str())) {
            let place = format!("{} {path}", method.to_uppercase());
            match now.get(method) {
                None => found.push(format!("{place}: operation removed")),
                Some(now) => pair.operation(&place, operation, now, &mut found),
            }
        }
    }
    found
}

/// The two documents that are compared. References in them are resolved.
#[derive(Clone, Copy)]
struct Pair<'a> {
    before: &'a Value,
    after: &'a Value,
}

impl Pair<'_> {
    fn operation(&self, place: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
        if before["operationId"] != after["operationId"] {
            found
                .push(format!("{place}: operationId changed, which names the function of generated clients"));
        }
        let (required, requires) = (self.before.get("security"), self.after.get("security"));
        let required = before.get("security").or(required);
        if !admits(required, after.get("security").or(requires)) {
            found.push(format!("{place}: security requires more"));
        }
        self.parameters(place, before, after, found);
        self.body(place, before, after, found);
        for (status, response) in members(&before["responses"]) {
            let place = format!("{place}: {status}");
            match after["responses"].get(status) {
                None => found.push(format!("{place}: status removed")),
                Some(now) => {
                    let (before, after) = (resolve(self.before, response), resolve(self.after, now));
                    for (header, _) in members(&before["headers"]) {
                        if after["headers"].get(header).is_none() {
                            found.push(format!("{place}: header {header} removed"));
                        }
                    }
                    self.content(&place, &before["content"], &after["content"], Direction::Response, found);
                }
            }
        }
    }

    fn parameters(&self, place: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
        let list = |document: &Value, operation: &Value| -> Vec<Value> {
            let listed = operation["parameters"].as_array().cloned().unwrap_or_default();
            listed.iter().map(|parameter| resolve(document, parameter)).collect()
        };
        let (before, after) = (list(self.before, before), list(self.after, after));
        let same = |a: &Value, b: &Value| a["name"] == b["name"] && a["in"] == b["in"];
        for now in after.iter().filter(|now| now["required"] == true) {
            if !before.iter().any(|known| same(known, now) && known["required"] == true) {
                found.push(format!("{place}: parameter {}: required", name(now)));
            }
        }
        for known in &before {
            let place = format!("{place}: parameter {}", name(known));
            let Some(now) = after.iter().find(|now| same(known, now)) else {
                found.push(format!("{place}: removed, and would be refused"));
                continue;
            };
            for member in ["style", "explode", "allowReserved"] {
                if known.get(member) != now.get(member) {
                    found.push(format!("{place}: {member} changed"));
                }
            }
            let schemas = (known.get("schema"), now.get("schema"));
            if let (Some(known), Some(now)) = schemas {
                // A new default changes the meaning of requests without the parameter.
                if known.get("default") != now.get("default") {
                    found.push(format!("{place}: default changed"));
                }
                self.schema(&place, known, now, Direction::Request, found);
            } else if schemas.0.is_some() != schemas.1.is_some() {
                found.push(format!("{place}: changed between `schema` and `content`"));
            }
            self.content(&place, &known["content"], &now["content"], Direction::Request, found);
        }
    }

    fn body(&self, place: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
        let place = format!("{place}: body");
        let before = resolve(self.before, &before["requestBody"]);
        let after = resolve(self.after, &after["requestBody"]);
        if after["required"] == true && before["required"] != true {
            found.push(format!("{place}: required"));
        }
        self.content(&place, &before["content"], &after["content"], Direction::Request, found);
    }

    fn content(
        &self,
        place: &str,
        before: &Value,
        after: &Value,
        direction: Direction,
        found: &mut Vec<String>,
    ) {
        for (media, known) in members(before) {
            match after.get(media) {
                None => found.push(format!("{place}: {media} removed")),
                Some(now) => self.schema(place, &known["schema"], &now["schema"], direction, found),
            }
        }
    }

    fn schema(
        &self,
        place: &str,
        before: &Value,
        after: &Value,
        direction: Direction,
        found: &mut Vec<String>,
    ) {
        let comparison = Comparison { before: self.before, after: self.after, direction };
        found.extend(comparison.changes(place, before, after));
    }
}

/// Returns true if every credential that was sufficient before still is. Each old security alternative must cover a new
/// one.
fn admits(before: Option<&Value>, after: Option<&Value>) -> bool {
    let alternatives = |security: Option<&Value>| -> Vec<Map<String, Value>> {
        let listed = security.and_then(Value::as_array).cloned().unwrap_or_default();
        let listed: Vec<_> = listed.iter().filter_map(Value::as_object).cloned().collect();
        if listed.is_empty() { vec![Map::new()] } else { listed }
    };
    let after = alternatives(after);
    alternatives(before).iter().all(|held| after.iter().any(|required| covers(held, required)))
}

/// Returns true if the schemes and scopes of `held` include all schemes and scopes of `required`.
fn covers(held: &Map<String, Value>, required: &Map<String, Value>) -> bool {
    let scopes = |value: &Value| value.as_array().cloned().unwrap_or_default();
    required.iter().all(|(scheme, needed)| {
        held.get(scheme).is_some_and(|held| scopes(needed).iter().all(|scope| scopes(held).contains(scope)))
    })
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn name(parameter: &Value) -> &str {
    parameter["name"].as_str().unwrap_or_default()
}
