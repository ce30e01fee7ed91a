//! `docs/embedding.md` and `docs/adding-an-adapter.md`: excerpts match their files, the manifest resolves, and the host
//! starts.

use std::process::Command;

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;

use super::blocks::Block;
use super::shell::Folder;

#[tokio::test]
async fn blocks_of_embedding_work_as_shown() {
    let documents = super::documents();
    let (mut manifests, mut run) = (0, 0);
    for block in super::blocks::read("docs/embedding.md", &documents["docs/embedding.md"]) {
        match (block.language, block.note.map(|note| note.split_once(' ').unwrap_or((note, "")))) {
            ("rust" | "toml", Some(("from", path))) => block.assert_from(path),
            ("toml", Some(("manifest", ""))) => {
                manifests += 1;
                assert_resolves(&block);
            }
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
    let documents = super::documents();
    let mut printed = 0;
    for block in super::blocks::read("docs/adding-an-adapter.md", &documents["docs/adding-an-adapter.md"]) {
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

/// Checks that cargo resolves the manifest outside of this workspace, and that no writing crate is among the
/// dependencies.
fn assert_resolves(block: &Block<'_>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let host = folder.path().join("host");
    std::os::unix::fs::symlink(xtask::root(), folder.path().join("passbook")).expect("a link");
    std::fs::create_dir_all(host.join("src")).expect("the folder is created");
    let package = "[package]\nname = \"host\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(host.join("Cargo.toml"), format!("{package}{}", block.text)).expect("the file is written");
    std::fs::write(host.join("src/main.rs"), "fn main() {}\n").expect("the file is written");
    std::fs::copy(xtask::root().join("Cargo.lock"), host.join("Cargo.lock")).expect("the lock file");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--edges", "normal", "--prefix", "none"]).current_dir(&host);
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "{}: {}", block.place(), String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("UTF-8");
    let has = |name: &str| tree.lines().any(|line| line.starts_with(&format!("passbook-{name} ")));
    for name in ["auth", "domain", "mcp", "oauth", "operations", "rest", "store"] {
        assert!(has(name), "{}: {name} is missing: {tree}", block.place());
    }
    for name in ["schema", "formats", "ingest", "demo", "embedded", "server", "admin"] {
        assert!(!has(name), "{}: a host must not depend on {name}", block.place());
    }
}

fn assert_host_starts(block: &Block<'_>, database: &Database) {
    let documented = "postgresql://passbook_reader@127.0.0.1/passbook";
    assert!(block.text.contains(documented), "{}", block.place());
    let host = "--manifest-path tests/hosts/hyper_host/Cargo.toml";
    assert!(block.text.contains(host), "{}", block.place());
    let script = block.text.replace(documented, &database.url(passbook_schema::READER));
    let script = script.replace(host, "--package passbook-hyper-host");
    let lines =
        Folder::new().serve(&script, &["passbook-hyper-host"], |line| line.starts_with("http://127.0.0.1:"));
    assert_eq!(lines.len(), 1, "{lines:?}");
}
