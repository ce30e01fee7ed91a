//! `docs/embedding.md` and `docs/adding-an-adapter.md`: excerpts match their files, and the host starts.

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;

use tests::documents::blocks::Block;
use tests::documents::shell::Folder;

#[tokio::test]
async fn blocks_of_embedding_work_as_shown() {
    let documents = tests::documents::documents();
    let (mut manifests, mut run) = (0, 0);
    for block in tests::documents::blocks::read("docs/embedding.md", &documents["docs/embedding.md"]) {
        match (block.language, block.note.map(|note| note.split_once(' ').unwrap_or((note, "")))) {
            ("rust" | "toml", Some(("from", path))) => block.assert_from(path),
            // `cargo xtask tidy` resolves the manifest as a program outside of this repository does.
            ("toml", Some(("manifest", ""))) => manifests += 1,
            ("sh", Some(("run", ""))) => {
                run += 1;
                assert_host_starts(&block, &Database::fresh().await);
            }
            other => panic!("{}: no test covers {other:?}", block.place()),
        }
    }
    assert_eq!((manifests, run), (1, 1));
}

#[tokio::test]
async fn blocks_of_adding_an_adapter_work_as_shown() {
    let documents = tests::documents::documents();
    let mut printed = 0;
    for block in
        tests::documents::blocks::read("docs/adding-an-adapter.md", &documents["docs/adding-an-adapter.md"])
    {
        match (block.language, block.note) {
            ("rust", Some(note)) if note.starts_with("from ") => block.assert_from(&note["from ".len()..]),
            ("text", Some(note)) if note.starts_with("printed by GET ") => {
                printed += 1;
                assert_eq!(block.text, report(&note["printed by GET ".len()..]).await, "{}", block.place());
            }
            other => panic!("{}: no test covers {other:?}", block.place()),
        }
    }
    assert_eq!(printed, 1);
}

/// The response of the example adapter for a person with one expense.
async fn report(path: &str) -> String {
    let app = App::start().await;
    let mut household = Household::new();
    let book = household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR");
    book.merchant_name = Some("Librairie".to_owned());
    app.load(household.records()).await;
    let token = format!("Bearer {}", app.token(household.user.user_id).await);
    let origin = crate::extension::start(&app).await;
    let url = format!("{origin}{path}");
    let reply = Http::default().send(hyper::Method::GET, &url, &[("authorization", &token)]).await;
    assert_eq!(reply.status, 200);
    String::from_utf8(reply.body.to_vec()).expect("UTF-8")
}

fn assert_host_starts(block: &Block<'_>, database: &Database) {
    let documented = "postgresql://passbook_reader@127.0.0.1/passbook";
    assert!(block.text.contains(documented), "{}", block.place());
    let script = block.text.replace(documented, &database.url(passbook_schema::READER));
    let lines = Folder::create()
        .serve(&script, &["passbook-hyper-host"], |line| line.starts_with("http://127.0.0.1:"));
    assert_eq!(lines.len(), 1, "{lines:?}");
}
