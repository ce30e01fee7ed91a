//! Compares two schemas. A request schema must not become narrower, a response schema must not become wider, except
//! that fields and enumeration values may be added.

use serde_json::{Map, Value};

use super::reference::schema;

/// Maximum nesting of schemas that is compared. A deeper schema contains itself.
const DEPTH_MAX: usize = 24;

/// The direction in which a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the client to the server. The schema may become wider.
    Request,
    /// From the server to the client. Only fields and enumeration values may be added.
    Response,
}

/// Keywords that do not restrict the values of a schema.
const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "externalDocs",
    "$comment",
    "$id",
];
/// Keywords that the methods of [`Comparison`] compare one by one.
const COMPARED: [&str; 9] =
    ["type", "enum", "const", "properties", "required", "items", "additionalProperties", "anyOf", "oneOf"];
/// Keywords that set a lower bound.
const MINIMA: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
/// Keywords that set an upper bound.
const MAXIMA: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/// Keywords whose values cannot be ordered: any difference is a breaking change.
const RULES: [&str; 4] = ["pattern", "format", "multipleOf", "uniqueItems"];

type Schema = Map<String, Value>;

/// The two documents that contain the schemas, and the direction in which their values are sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison<'a> {
    pub(super) before: &'a Value,
    pub(super) after: &'a Value,
    pub(super) direction: Direction,
}

impl Comparison<'_> {
    /// Returns every breaking change between two schemas, each starting with `place`.
    pub(super) fn changes(&self, place: &str, before: &Value, after: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.compare(place, before, after, 0, &mut found);
        found
    }

    fn compare(&self, place: &str, before: &Value, after: &Value, depth: usize, found: &mut Vec<String>) {
        if depth > DEPTH_MAX {
            return;
        }
        let (before, after) = (schema(self.before, before), schema(self.after, after));
        let mut note = |what: String| found.push(format!("{place}: {what}"));
        self.types(&before, &after, &mut note);
        self.values(&before, &after, &mut note);
        self.rules(&before, &after, &mut note);
        self.properties(place, &before, &after, depth, found);
        self.nested(place, &before, &after, depth, found);
        self.alternatives(place, &before, &after, depth, found);
    }

    fn types(&self, before: &Schema, after: &Schema, note: &mut impl FnMut(String)) {
        let (known, now) = (types(before), types(after));
        let (inner, outer) = match self.direction {
            Direction::Request => (&known, &now),
            Direction::Response => (&now, &known),
        };
        let fits = match (inner, outer) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(inner), Some(outer)) => inner.iter().all(|one| {
                outer.contains(one) || (one == "integer" && outer.iter().any(|other| other == "number"))
            }),
        };
        if !fits {
            note(format!("type changed from {} to {}", listed(known), listed(now)));
        }
    }

    /// Compares enumerations: values may be added but not removed.
    fn values(&self, before: &Schema, after: &Schema, note: &mut impl FnMut(String)) {
        match (values(before), values(after)) {
            (Some(known), Some(now)) => {
                for value in known.iter().filter(|value| !now.contains(value)) {
                    note(format!("value {value} removed"));
                }
            }
            (None, Some(_)) if self.direction == Direction::Request => {
                note("narrowed to an enumeration".to_owned());
            }
            (Some(_), None) if self.direction == Direction::Response => {
                note("enumeration removed".to_owned());
            }
            _ => {}
        }
    }

    fn rules(&self, before: &Schema, after: &Schema, note: &mut impl FnMut(String)) {
        // The schema `tight` must not restrict the values more than the schema `loose`.
        let (loose, tight) = match self.direction {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        };
        let verb = if self.direction == Direction::Request { "narrowed" } else { "widened" };
        let number = |schema: &Schema, name: &str| schema.get(name).and_then(Value::as_f64);
        for (names, sign) in [(MINIMA, 1.0), (MAXIMA, -1.0)] {
            for name in names {
                let tighter = match (number(loose, name), number(tight, name)) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    (Some(loose), Some(tight)) => tight * sign > loose * sign,
                };
                if tighter {
                    note(format!("{name} {verb}"));
                }
            }
        }
        for name in RULES {
            if tight.contains_key(name) && loose.get(name) != tight.get(name) {
                note(format!("{name} changed"));
            }
        }
        let known = |name: &str| {
            let lists: [&[&str]; 5] = [&ANNOTATIONS, &COMPARED, &MINIMA, &MAXIMA, &RULES];
            lists.iter().any(|list| list.contains(&name)) || name.starts_with("x-")
        };
        let mut others: Vec<&String> =
            before.keys().chain(after.keys()).filter(|name| !known(name)).collect();
        others.sort();
        others.dedup();
        for name in others.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
            note(format!("{name} changed, which this comparison cannot judge"));
        }
    }

    fn properties(
        &self,
        place: &str,
        before: &Schema,
        after: &Schema,
        depth: usize,
        found: &mut Vec<String>,
    ) {
        let (known, now) = (members(before), members(after));
        for (name, schema) in &known {
            let place = format!("{place}: {name}");
            match now.get(name) {
                Some(now) => self.compare(&place, schema, now, depth + 1, found),
                None => found.push(format!("{place}: field removed")),
            }
        }
        let (always, needed) = (required(before), required(after));
        match self.direction {
            Direction::Response => {
                let lost = always.iter().filter(|name| !needed.contains(name) && now.contains_key(*name));
                found.extend(lost.map(|name| format!("{place}: {name}: no longer always there")));
            }
            Direction::Request => {
                let new = needed.iter().filter(|name| !always.contains(name));
                found.extend(new.map(|name| format!("{place}: {name}: required")));
            }
        }
    }

    /// Compares the schemas of list items and of map values.
    fn nested(&self, place: &str, before: &Schema, after: &Schema, depth: usize, found: &mut Vec<String>) {
        for (name, suffix) in [("items", "[]"), ("additionalProperties", "{}")] {
            let (known, now) = (before.get(name), after.get(name));
            let place = format!("{place}{suffix}");
            match (self.direction, known, now) {
                // A client must ignore unknown members, so a schema that allows them guarantees nothing about them.
                (Direction::Response, None | Some(Value::Bool(_)), _) => {}
                (Direction::Response, Some(_), None | Some(Value::Bool(_))) => {
                    found.push(format!("{place}: no longer described"));
                }
                (Direction::Request, Some(Value::Bool(false)), _)
                | (Direction::Request, _, None | Some(Value::Bool(true))) => {}
                (Direction::Request, _, Some(Value::Bool(false))) => found.push(format!("{place}: closed")),
                (_, known, Some(now)) => {
                    self.compare(&place, known.unwrap_or(&Value::Bool(true)), now, depth + 1, found);
                }
            }
        }
    }

    /// Compares `anyOf` and `oneOf`: every old alternative must be one of the new ones, unchanged.
    fn alternatives(
        &self,
        place: &str,
        before: &Schema,
        after: &Schema,
        depth: usize,
        found: &mut Vec<String>,
    ) {
        let list = |schema: &Schema| {
            let listed = schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array).cloned();
            listed.map(|listed| (true, listed)).unwrap_or_else(|| {
                let rest = schema.iter().filter(|(name, _)| !ANNOTATIONS.contains(&name.as_str()));
                (
                    false,
                    vec![Value::Object(rest.map(|(name, value)| (name.clone(), value.clone())).collect())],
                )
            })
        };
        let ((had_alternatives, known), (has_alternatives, now)) = (list(before), list(after));
        if !had_alternatives && !has_alternatives {
            return;
        }
        for (index, alternative) in known.iter().enumerate() {
            let unchanged = now.iter().any(|now| {
                let mut differences = Vec::new();
                self.compare("", alternative, now, depth + 1, &mut differences);
                differences.is_empty()
            });
            if !unchanged {
                found.push(format!("{place}: alternative {} removed or changed", index + 1));
            }
        }
    }
}

/// Returns the values of the keyword `type`. `None` if the schema allows every type.
fn types(schema: &Schema) -> Option<Vec<String>> {
    let word = |value: &Value| value.as_str().map(str::to_owned);
    match schema.get("type")? {
        Value::Array(list) => Some(list.iter().filter_map(word).collect()),
        one => Some(word(one).into_iter().collect()),
    }
}

fn listed(types: Option<Vec<String>>) -> String {
    types.map_or_else(|| "anything".to_owned(), |types| types.join(" or "))
}

fn values(schema: &Schema) -> Option<Vec<Value>> {
    let listed = schema.get("enum").and_then(Value::as_array).cloned();
    listed.or_else(|| schema.get("const").map(|value| vec![value.clone()]))
}

fn members(schema: &Schema) -> Schema {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn required(schema: &Schema) -> Vec<String> {
    let listed = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    listed.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
