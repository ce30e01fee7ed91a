//! `import beancount`: the account map of a ledger is stored, reused, replaced and removed, and its changes are listed.

use tests::database::Database;

use tests::admin::{Ended, admin, file, number};

const LEDGER: &str = "\
2026-01-01 open Assets:Hanse:Checking EUR
2026-01-01 open Expenses:Oddities EUR
2026-01-05 * \"Kiosk\" \"A thing\"
  Expenses:Oddities  5.00 EUR
  Assets:Hanse:Checking
";
const HOBBY: &str = "[expense]\n\"Oddities\" = \"HOBBY\"\n";

/// A database with a user, and a folder with a ledger and the map `hobby.toml`.
struct Books {
    database: Database,
    folder: tempfile::TempDir,
    ledger: String,
    hobby: String,
}

impl Books {
    async fn new() -> Books {
        let database = Database::fresh().await;
        admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
        let folder = tests::temporary::folder();
        let ledger = file(folder.path(), "books.beancount", LEDGER);
        let hobby = file(folder.path(), "hobby.toml", HOBBY);
        Books { database, folder, ledger, hobby }
    }

    fn import(&self, more: &[&str]) -> Ended {
        let words = ["import", "beancount", self.ledger.as_str(), "--user", "ada@example.org"];
        admin(&self.database, &[&words[..], more].concat())
    }

    /// Imports the ledger and returns the notes about the account map.
    #[track_caller]
    fn notes(&self, more: &[&str]) -> Vec<String> {
        let ended = self.import(more);
        let notes: Vec<String> =
            ended.stderr.lines().filter(|line| line.starts_with("account map")).map(str::to_owned).collect();
        ended.done();
        notes
    }

    async fn has(&self, category: &str) -> bool {
        let count = format!("select count(*) from passbook.transactions where category = '{category}'");
        number(&self.database, &count).await == 1
    }
}

#[tokio::test]
async fn account_map_is_stored_and_used_by_the_next_import() {
    let books = Books::new().await;
    assert_eq!(books.notes(&[]), [""; 0], "nothing is said of the built-in map");
    assert!(books.has("UNCATEGORIZED").await);

    let stored = "account map: hobby.toml, stored for the next imports of the ledger main";
    let change = "account map changes Expenses:Oddities: UNCATEGORIZED -> HOBBY (rows: 1)";
    assert_eq!(books.notes(&["--map", &books.hobby, "--dry-run"]), [stored, change]);
    assert!(books.has("UNCATEGORIZED").await, "a dry run must store nothing");
    assert_eq!(books.notes(&[]), [""; 0], "a dry run must store no map");

    assert_eq!(books.notes(&["--map", &books.hobby]), [stored, change]);
    assert!(books.has("HOBBY").await);
    let used = "account map: hobby.toml, stored for the ledger main; --map replaces it and --built-in-map removes it";
    assert_eq!(books.notes(&[]), [used]);
    assert!(books.has("HOBBY").await);
    assert_eq!(books.notes(&["--map", &books.hobby]), [stored], "an unchanged map lists nothing");
}

#[tokio::test]
async fn built_in_map_flag_removes_the_stored_map() {
    let books = Books::new().await;
    books.import(&["--map", &books.hobby]).done();
    let removed = "account map: the built-in map; hobby.toml is no longer stored";
    let change = "account map changes Expenses:Oddities: HOBBY -> UNCATEGORIZED (rows: 1)";
    assert_eq!(books.notes(&["--built-in-map"]), [removed, change]);
    assert!(books.has("UNCATEGORIZED").await);
    assert_eq!(books.notes(&[]), [""; 0]);
    let message = books.import(&["--built-in-map", "--map", &books.hobby]).failed(64);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[tokio::test]
async fn each_ledger_has_its_own_account_map() {
    let books = Books::new().await;
    books.import(&["--map", &books.hobby]).done();
    assert_eq!(books.notes(&["--ledger", "other"]), [""; 0]);
    assert!(books.has("HOBBY").await && books.has("UNCATEGORIZED").await);
    let unused = file(books.folder.path(), "unused.toml", "[expense]\n\"Nothing\" = \"RENT\"\n");
    let notes = books.notes(&["--ledger", "other", "--map", &unused]);
    assert_eq!(notes[1..], ["account map: the new map changes no account of this ledger"]);
    let maps = "select count(*) from passbook.ledgers where account_map is not null";
    assert_eq!(number(&books.database, maps).await, 2);
    admin(&books.database, &["import", "beancount", &books.ledger, "--user", "ada@example.org"]).done();
    assert!(books.has("HOBBY").await, "the map of the other ledger must not be used");
}

#[tokio::test]
async fn stored_map_with_a_fault_is_rejected_with_the_remedy() {
    let books = Books::new().await;
    books.import(&["--map", &books.hobby]).done();
    let writer = books.database.connect(passbook_schema::WRITER).await;
    let spoil = "update passbook.ledgers set account_map = replace(account_map, 'HOBBY', 'FORMER_CATEGORY')";
    writer.batch_execute(spoil).await.expect("the writer may update");
    let message = books.import(&[]).failed(65);
    assert!(
        message.starts_with("hobby.toml, stored for the ledger main, expense.\"Oddities\": "),
        "{message}"
    );
    assert!(message.contains("--map") && message.contains("--built-in-map"), "{message}");
    let notes = books.notes(&["--map", &books.hobby]);
    assert!(notes[1].contains("the changes are not listed"), "{notes:?}");
}

#[tokio::test]
async fn faulty_import_stores_no_map() {
    let books = Books::new().await;
    let broken =
        file(books.folder.path(), "broken.beancount", &LEDGER.replace("5.00", "5.00 EUR\n  Assets:X 1"));
    let words = ["import", "beancount", &broken, "--user", "ada@example.org", "--map", &books.hobby];
    admin(&books.database, &words).failed(65);
    assert_eq!(number(&books.database, "select count(*) from passbook.ledgers").await, 0);
}
