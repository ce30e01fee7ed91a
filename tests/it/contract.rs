//! The interface as it is committed: its OpenAPI document, the reference page made of it and of real answers, and the
//! examples in the versioning policy. `cargo xtask bless` rewrites the first two. Whether the document keeps what the
//! last release promised is `tidy`'s to say.

mod json;
mod reference;
mod schemas;
mod text;

use std::path::{Path, PathBuf};

use hyper::Method;
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::database::Database;

/// The origin in committed documents: the default one.
const ORIGIN: &str = "http://127.0.0.1:8080";

/// The demo household on the day it is in every test, served.
async fn demo_household() -> App {
    let database = Database::fresh().await;
    let mut writer = database.connect(schema::WRITER).await;
    demo::install(&mut writer, TODAY).await.expect("the demo household is sound");
    App::start_on_day(database, TODAY).await
}

async fn document(app: &App) -> Value {
    let document = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    serde_json::from_str(&settled(app, &document.to_string())).expect("another origin leaves it JSON")
}

/// A text without the port that the application happens to have.
fn settled(app: &App, text: &str) -> String {
    let origin = app.base_url.strip_suffix("/api").expect("the base address is below the origin");
    text.replace(origin, ORIGIN)
}

fn committed(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Compares with a committed file, or rewrites it when blessing.
fn compare(path: &str, text: &str) {
    if std::env::var_os("PASSBOOK_BLESS").is_some() {
        std::fs::write(committed(path), text).expect("the document is written");
    }
    let found = std::fs::read_to_string(committed(path)).unwrap_or_default();
    let line = found.lines().zip(text.lines()).take_while(|(old, new)| old == new).count() + 1;
    assert!(found == text, "{path} is not what is served, from line {line} on: cargo xtask bless");
}

#[tokio::test]
async fn the_openapi_document() {
    let app = App::start().await;
    compare("docs/openapi.json", &format!("{:#}\n", document(&app).await));
}

#[tokio::test]
async fn the_reference_of_the_interface() {
    let app = demo_household().await;
    let page = reference::page(&app, &document(&app).await).await;
    compare("docs/api.md", &page);
    let anchors: Vec<String> = page.lines().filter_map(heading).collect();
    for anchor in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(anchors.iter().any(|known| known == anchor), "#{anchor} leads nowhere");
    }
}

/// The anchor of a heading, as renderers of Markdown make it.
fn heading(line: &str) -> Option<String> {
    let (marks, words) = line.split_once(' ')?;
    (!marks.is_empty() && marks.bytes().all(|mark| mark == b'#')).then(|| text::anchor(words))
}

/// The page shows one change, in the words of the comparison, as a line that accepts it.
#[test]
fn the_example_of_the_versioning_policy_is_what_tidy_says() {
    let page = std::fs::read_to_string(committed("docs/versioning.md")).expect("the page is there");
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    let [block] = blocks[..] else { panic!("one example is expected: {blocks:?}") };
    let accepted = xtask::contract::parse(block.trim_start_matches("text\n")).expect("a good line");
    let released =
        std::fs::read_to_string(committed("docs/contract/v1.json")).expect("the document is there");
    let released: Value = serde_json::from_str(&released).expect("JSON");
    let mut present = released.clone();
    let merchant = &mut present["components"]["schemas"]["MerchantSpending"]["properties"];
    merchant.as_object_mut().expect("fields").remove("percentOfTotal").expect("it was there");
    let changes = xtask::contract::breaking_changes(&released, &present);
    assert_eq!(changes, accepted.iter().map(|known| known.change.clone()).collect::<Vec<_>>());
    assert_eq!(xtask::contract::problems(&released, &present, &accepted), [""; 0]);
}
