//! `docs/embedding.md`: excerpts match their files, the host starts, and the adapter prints the shown lines.

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;

use tests::documents::blocks::Block;
use tests::documents::runner::Runner;
use tests::documents::shell::Folder;

#[tokio::test]
async fn blocks_of_embedding_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/embedding.md");
    let others = Runner::new(&Folder::create(), &[], "").run(&blocks);
    // `cargo xtask tidy` resolves the manifest as a program outside of this repository does.
    let [host, manifest, printed] = others[..] else { panic!("{others:?}") };
    assert_eq!((host.note, manifest.note), (Some("run the host"), Some("manifest")));
    assert_host_starts(&host, &Database::fresh().await);
    let path = printed.note.and_then(|note| note.strip_prefix("printed by GET ")).expect("a path");
    assert_eq!(printed.text, report(path).await, "{}", printed.place());
}

/// The response of the example adapter for a person with one expense.
async fn report(path: &str) -> String {
    let app = App::start().await;
    let mut household = Household::new();
    let book = household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR");
    book.merchant_name = Some("Librairie".to_owned());
    app.load(household.records()).await;
    let token = format!("Bearer {}", app.token(household.user.user_id).await);
    let origin = crate::rest::extension::start(&app).await;
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
