//! The blocks of the README, except the first command, which `serving/readme.rs` runs in a fresh clone.

use passbook_server::announce::{Announcement, Page};

use tests::app::App;

use crate::rest::contract::ORIGIN;

#[tokio::test]
async fn blocks_of_the_readme_work_as_shown() {
    let blocks = tests::documents::blocks_of("README.md");
    let [_run, lines, answer, check] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let languages = blocks.iter().map(|block| block.language).collect::<Vec<_>>();
    assert_eq!(languages, ["sh", "text", "json", "sh"]);
    // `cargo test` cannot run inside itself, so only the text is compared.
    assert_eq!(check.text, "cargo test --workspace\n");

    let announcement = Announcement {
        origin: ORIGIN.to_owned(),
        metrics: None,
        token: Some("pbk_…"),
        page: Some(Page { code: Some("…".to_owned()) }),
    };
    assert_eq!(lines.text.lines().collect::<Vec<_>>(), announcement.lines());

    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    let reply = app.get("/v1/cashflow/summary?timeRange=1m", &token).await;
    reply.ok();
    answer.assert_shows(std::str::from_utf8(&reply.body).expect("UTF-8"));
}

#[test]
fn prerequisites_name_the_minimum_rust_version_of_the_workspace() {
    let manifest = std::fs::read_to_string(tests::root().join("Cargo.toml")).expect("the manifest is read");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let version = version.expect("the workspace has a minimum version").trim_end_matches('"');
    let readme = tests::documents::text("README.md");
    assert!(readme.contains(&format!("| Rust {version} or later |")), "{version}");
}
