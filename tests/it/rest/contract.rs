//! The committed interface description: the OpenAPI document, and the reference page generated from it and from real
//! responses. `cargo xtask bless` rewrites both. `cargo lab contract` compares the OpenAPI document with the last release.

mod reference;

use std::fmt;

use hyper::Method;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use tests::app::App;

/// The default origin, which committed documents use.
pub(crate) const ORIGIN: &str = "http://127.0.0.1:8080";

async fn document(app: &App) -> Value {
    let document = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    serde_json::from_str(&with_default_origin(app, &document.to_string()))
        .expect("the document is JSON with the default origin")
}

/// Replaces the origin of the test's server by the default origin.
pub(crate) fn with_default_origin(app: &App, text: &str) -> String {
    text.replace(app.origin(), ORIGIN)
}

/// Compares a text with a committed file. Rewrites the file instead if `PASSBOOK_TEST_BLESS` is set.
pub(crate) fn compare(path: &str, text: &str) {
    let committed = tests::root().join(path);
    if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() {
        std::fs::write(&committed, text).expect("the document is written");
    }
    let found = std::fs::read_to_string(committed).unwrap_or_default();
    let line = found.lines().zip(text.lines()).take_while(|(old, new)| old == new).count() + 1;
    assert!(
        found == text,
        "{path} differs from the generated text from line {line} on: run cargo xtask bless"
    );
}

#[tokio::test]
async fn openapi_document_is_committed_as_served() {
    let app = App::start().await;
    compare("docs/openapi.json", &format!("{:#}\n", document(&app).await));
}

#[tokio::test]
async fn reference_page_is_committed_as_generated() {
    let app = App::demo_household().await;
    let page = reference::page(&app, &document(&app).await).await;
    compare("docs/api.md", &page);
    let anchors: Vec<String> = page.lines().filter_map(heading).collect();
    for anchor in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(anchors.iter().any(|known| known == anchor), "the page has no heading for #{anchor}");
    }
}

/// The anchor of a heading in rendered Markdown.
fn heading(line: &str) -> Option<String> {
    let (marks, words) = line.split_once(' ')?;
    (!marks.is_empty() && marks.bytes().all(|mark| mark == b'#')).then(|| reference::anchor(words))
}

/// A generated Python class with the name of its own field does not pass mypy: inside the class, the field hides the
/// type.
#[test]
fn no_schema_has_the_name_of_its_own_property() {
    let document: Value =
        serde_json::from_str(&tests::text_of("docs/openapi.json")).expect("the document is JSON");
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let mut compared = 0;
    for (name, schema) in schemas {
        // A property in snake or camel case has the letters of the class that a generator makes of it.
        let letters = |text: &str| text.replace(['_', '-'], "").to_lowercase();
        for property in schema["properties"].as_object().into_iter().flat_map(|properties| properties.keys())
        {
            compared += 1;
            assert_ne!(letters(name), letters(property), "the schema {name} has the property {property}");
        }
    }
    assert!(compared > 100, "{compared} properties");
}

/// Maximum length of a list of objects that is shown whole. A longer list is cut to [`ITEMS_SHOWN`] items.
const ITEMS_MAX: usize = 3;
/// Maximum length of a list of scalars that is shown whole.
const SCALARS_MAX: usize = 5;
const ITEMS_SHOWN: usize = 2;
/// Maximum length in characters of an object or list on one line.
const LINE_CHARACTERS_MAX: usize = 110;

/// JSON that keeps the order of members.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Json {
    List(Vec<Json>),
    Object(#[serde(deserialize_with = "members")] Vec<(String, Json)>),
    Scalar(Value),
}

/// A list that was shortened.
#[derive(Debug)]
pub(super) struct Shortened {
    /// The path to the list, such as `transactions[0].tags`.
    pub(super) place: String,
    pub(super) total: usize,
}

impl Json {
    /// Shortens every long list and adds an entry to `shortened` for each.
    pub(super) fn shorten(&mut self, place: &str, shortened: &mut Vec<Shortened>) {
        match self {
            Json::Scalar(_) => {}
            Json::List(items) => {
                let scalars = matches!(items.first(), Some(Json::Scalar(_)));
                if items.len() > if scalars { SCALARS_MAX } else { ITEMS_MAX } {
                    shortened.push(Shortened { place: place.to_owned(), total: items.len() });
                    items.truncate(ITEMS_SHOWN);
                }
                for (index, item) in items.iter_mut().enumerate() {
                    item.shorten(&format!("{place}[{index}]"), shortened);
                }
            }
            Json::Object(members) => {
                for (name, member) in members {
                    let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                    member.shorten(&place, shortened);
                }
            }
        }
    }

    /// The formatted text with an indentation of two spaces.
    pub(crate) fn pretty(&self) -> String {
        let mut text = String::new();
        self.write(0, 0, &mut text);
        text
    }

    fn write(&self, indent: usize, taken: usize, text: &mut String) {
        let line = self.to_string();
        let (open, close, members): (_, _, Vec<(String, &Json)>) = match self {
            Json::List(items) => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
            Json::Object(members) => {
                let named = members
                    .iter()
                    .map(|(name, member)| (format!("{}: ", Value::from(name.as_str())), member));
                ('{', '}', named.collect())
            }
            Json::Scalar(_) => return text.push_str(&line),
        };
        if taken + line.chars().count() <= LINE_CHARACTERS_MAX {
            return text.push_str(&line);
        }
        text.push(open);
        for (index, (name, member)) in members.iter().enumerate() {
            let start = format!("{}\n{}{name}", if index == 0 { "" } else { "," }, " ".repeat(indent + 2));
            text.push_str(&start);
            member.write(indent + 2, start.chars().count(), text);
        }
        text.push_str(&format!("\n{}{close}", " ".repeat(indent)));
    }
}

/// The text on one line, with spaces after commas and colons.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close, parts): (_, _, Vec<String>) = match self {
            Json::Scalar(value) => return write!(f, "{value}"),
            Json::List(items) => ('[', ']', items.iter().map(Json::to_string).collect()),
            Json::Object(members) => {
                let named =
                    members.iter().map(|(name, member)| format!("{}: {member}", Value::from(name.as_str())));
                ('{', '}', named.collect())
            }
        };
        write!(f, "{open}{}{close}", parts.join(", "))
    }
}

/// Reads the members of an object in their order.
fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Json)>, D::Error> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Json)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            std::iter::from_fn(|| map.next_entry().transpose()).collect()
        }
    }
    deserializer.deserialize_map(Members)
}
