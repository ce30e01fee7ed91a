//! The committed interface description: the OpenAPI document, and the reference page generated from it and from real
//! responses. `cargo xtask bless` rewrites both. `cargo lab contract` compares the OpenAPI document with the last release.

pub(crate) mod json;
mod reference;
mod schemas;
mod text;

use std::path::{Path, PathBuf};

use hyper::Method;
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
    let origin = app.base_url.strip_suffix("/api").expect("the base address is below the origin");
    text.replace(origin, ORIGIN)
}

fn committed(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Compares a text with a committed file. Rewrites the file instead if `PASSBOOK_TEST_BLESS` is set.
pub(crate) fn compare(path: &str, text: &str) {
    if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() {
        std::fs::write(committed(path), text).expect("the document is written");
    }
    let found = std::fs::read_to_string(committed(path)).unwrap_or_default();
    let line = found.lines().zip(text.lines()).take_while(|(old, new)| old == new).count() + 1;
    assert!(found == text, "{path} differs from the served text from line {line} on: run cargo xtask bless");
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
    (!marks.is_empty() && marks.bytes().all(|mark| mark == b'#')).then(|| text::anchor(words))
}

/// A generated Python class with the name of its own field does not pass mypy: inside the class, the field hides the
/// type.
#[test]
fn no_schema_has_the_name_of_its_own_property() {
    let document = std::fs::read_to_string(committed("docs/openapi.json")).expect("the document is read");
    let document: Value = serde_json::from_str(&document).expect("the document is JSON");
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
