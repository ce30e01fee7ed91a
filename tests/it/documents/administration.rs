//! `docs/administration.md`: every block of commands runs on a database of its own.

use std::os::unix::fs::PermissionsExt as _;

use tests::database::Database;

use tests::documents::blocks::Block;
use tests::documents::shell::Folder;

const BUNDLE: &str = include_str!("../../../crates/records/data/example_bundle.json");
const ECB: &str = "Date,USD,\n2026-01-05,1.0821,\n";
const LEDGER: &str = "\
2026-01-01 open Assets:Hanse:Checking EUR
2026-01-01 open Expenses:Food:Groceries EUR
2026-01-05 * \"REWE\" \"Food\"
  Expenses:Food:Groceries  12.34 EUR
  Assets:Hanse:Checking
";

/// The statements that give a block the rows which it names: a start of the block, and commands that run before it.
const PREPARATION: [(&str, &str); 9] = [
    ("passbook-admin import", IMPORTER),
    ("passbook-admin categorize", IMPORTER),
    ("passbook-admin reconcile", IMPORTER),
    ("passbook-admin undo", IMPORTED),
    ("passbook-admin explain", IMPORTED),
    // A backup is restored into an empty database.
    ("passbook-admin restore", ""),
    ("passbook-admin migrate\npassbook-admin user create", ""),
    ("passbook-admin user create", ""),
    (
        "passbook-admin consent",
        "passbook-admin load bundle.json --with-credentials\npassbook-admin client create --id 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21 \
         --kind known_mcp --name Assistant --scopes banks:read",
    ),
];
/// The commands that store the account of the imported files.
const IMPORTER: &str = "passbook-admin load bundle.json --with-credentials
passbook-admin load account.json --user you@example.org";
/// The commands that also import a file.
const IMPORTED: &str = "passbook-admin load bundle.json --with-credentials
passbook-admin load account.json --user you@example.org
passbook-admin import january.csv --user you@example.org";
/// An export of a Sparkasse, which names the account.
const EXPORT: &str = r#""Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"
"DE89370400440532013000";"13.01.25";"13.01.25";"KARTENZAHLUNG";"Einkauf";"Markt";"";"";"-12,50";"EUR";"Umsatz gebucht"
"#;
/// A statement of a card.
const CARD: &str = "OFXHEADER:100\nENCODING:UTF-8\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>37040044<ACCTID>4711\
    </BANKACCTFROM><BANKTRANLIST><STMTTRN><DTPOSTED>20250114<TRNAMT>-9.80<FITID>1<NAME>Metro</STMTTRN></BANKTRANLIST>\
    </STMTRS></OFX>";
/// The accounts of both files.
const ACCOUNTS: &str = r#"{"format": "passbook-bundle", "version": 1,
    "banks": [{"user": "USER", "id": "bank", "name": "Bank", "status": "MANUAL"}],
    "accounts": [
      {"user": "USER", "id": "DE89370400440532013000", "bank": "bank", "name": "Checking", "type": "depository",
       "subtype": "checking", "currency": "EUR", "balance_cents": 0, "balance_updated_at": "2020-01-01T00:00:00Z"},
      {"user": "USER", "id": "card", "bank": "bank", "name": "Card", "type": "credit", "subtype": "credit card",
       "currency": "EUR", "balance_cents": 0, "balance_updated_at": "2020-01-01T00:00:00Z"}]}"#;
/// The commands before every other block.
const DEFAULT_PREPARATION: &str = "passbook-admin load bundle.json --with-credentials";

#[tokio::test]
async fn commands_of_administration_run_as_shown() {
    let documents = tests::documents::documents();
    let blocks =
        tests::documents::blocks::read("docs/administration.md", &documents["docs/administration.md"]);
    assert!(blocks.len() > 12, "{} blocks", blocks.len());
    for block in blocks {
        assert_eq!(block.language, "sh", "{}", block.place());
        run(&block).await;
    }
}

async fn run(block: &Block<'_>) {
    let restores = block.text.starts_with("passbook-admin restore");
    let database = if restores { Database::bare().await } else { Database::fresh().await };
    let folder = Folder::create();
    folder.write("bundle.json", &BUNDLE.replace("ada@example.org", "you@example.org"));
    folder.write("eurofxref-hist.csv", ECB);
    folder.write("ledger.beancount", LEDGER);
    write_statements(&folder);
    // Machines with the server of PostgreSQL alone have no psql.
    folder.write("psql", "#!/bin/sh\ntest -n \"$PGDATABASE\"\n");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("psql"), executable).expect("the script is executable");
    let prepared = PREPARATION.iter().find(|(start, _)| block.text.starts_with(start));
    let prepared = prepared.map_or(DEFAULT_PREPARATION, |(_, commands)| commands);
    // Only the owner of the schema may migrate.
    let role = if restores || block.text.starts_with("passbook-admin migrate") {
        "postgres"
    } else {
        passbook_schema::WRITER
    };
    let environment = format!(
        "unset PASSBOOK_POSTGRES_BIN; export PATH=\"$PWD:$PATH\"\n\
         export PASSBOOK_ADMIN_DATABASE_URL='{}' PASSBOOK_DATABASE_URL='{}'\n",
        database.url(role),
        database.url(passbook_schema::READER)
    );
    let run = |script: &str| folder.done(&format!("{environment}{script}"), &["passbook-admin"]);
    run(prepared);
    if restores {
        let source = Database::fresh().await;
        let url = source.url(passbook_schema::WRITER);
        run(&format!("PASSBOOK_ADMIN_DATABASE_URL='{url}' passbook-admin backup money.passbook"));
    }
    let mut script = block.text.to_owned();
    if script.contains("TOKEN_ID") {
        let token = run("passbook-admin token create --user you@example.org --name other");
        folder.write("token.txt", &token);
        script = script.replace("TOKEN_ID", &first_id(&run("passbook-admin token list")));
    }
    if script.contains("ACCOUNT_ID") {
        script = script.replace("ACCOUNT_ID", &first_id(&run("passbook-admin account list")));
    }
    if script.contains("TRANSACTION_ID") {
        script = script.replace("TRANSACTION_ID", &imported_row(&database).await);
    }
    run(&script);
}

/// Writes the files of the examples that import.
fn write_statements(folder: &Folder) {
    folder.write("account.json", &ACCOUNTS.replace("USER", "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11"));
    std::fs::create_dir(folder.path().join("statements")).expect("a folder");
    for name in ["january.csv", "export.csv", "statements/february.csv"] {
        folder.write(name, EXPORT);
    }
    folder.write("card.ofx", CARD);
    folder.write("my-bank.toml", include_str!("../../../crates/statements/profiles/sparkasse.toml"));
    folder.write("rules.toml", "[[rule]]\ntext = '(?i)\\bmarkt\\b'\ncategory = \"GROCERIES\"\n");
}

/// The id of the imported transaction.
async fn imported_row(database: &Database) -> String {
    let query = "select transaction_id::text from passbook.transactions where imported";
    let client = database.connect("postgres").await;
    client.query_one(query, &[]).await.expect("one imported row").get(0)
}

/// The id in the first row of a list.
fn first_id(list: &str) -> String {
    let row = list.lines().nth(1).expect("a row");
    row.split(' ').next().expect("an id").to_owned()
}
