//! `docs/administration.md`: every block of commands runs on a database of its own. The section "Backup and restore" of
//! `docs/operating.md`: its commands back up and restore databases, and the schedules are valid.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use tests::database::Database;
use tests::documents::cluster::Cluster;
use tests::documents::{Block, noted};
use tests::temporary::Folder;

use super::ADMIN;

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
const PREPARATION: [(&str, &str); 11] = [
    ("passbook-admin import list", IMPORTED),
    ("passbook-admin import undo", IMPORTED),
    ("passbook-admin import move", IMPORTED),
    ("passbook-admin import", IMPORTER),
    ("passbook-admin categorize", IMPORTER),
    ("passbook-admin reconcile", IMPORTER),
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
    let blocks = tests::documents::blocks_of("docs/administration.md");
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
    let run = |script: &str| folder.done(&format!("{environment}{script}"), ADMIN);
    run(prepared);
    if restores {
        let source = Database::fresh().await;
        let url = source.url(passbook_schema::WRITER);
        run(&format!("PASSBOOK_ADMIN_DATABASE_URL='{url}' passbook-admin backup money.passbook"));
    }
    let script = block.text.to_owned();
    if script.contains("token.txt") {
        let token = run("passbook-admin token create --user you@example.org --name other");
        folder.write("token.txt", &token);
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

const PAGE: &str = "docs/operating.md";

/// The notes above the blocks of the page, in order.
const NOTES: [&str; 11] = [
    "run",
    "backup",
    "restore",
    "show the manifest",
    "the manifest",
    "pipes",
    "crontab",
    "passbook-backup.service",
    "passbook-backup.timer",
    "prune",
    "restore into a PostgreSQL of your own",
];

#[tokio::test]
async fn blocks_of_operating_work_as_shown() {
    let blocks = tests::documents::blocks_of(PAGE);
    let found: Vec<&str> = blocks.iter().map(|block| block.note.unwrap_or_default()).collect();
    assert_eq!(found, NOTES);
    let [doctor, backup, restore, show, manifest, pipes, cron, service, timer, prune, _own] = blocks[..]
    else {
        panic!("{} blocks", blocks.len())
    };

    let folder = Folder::create();
    folder.done("passbook-admin migrate; passbook-admin user create --email ada@example.org", ADMIN);
    folder.done(doctor.text, ADMIN);
    let written = folder.done(backup.text, ADMIN);
    assert_eq!(folder.done(restore.text, ADMIN), written);
    let restored = folder.done("passbook-admin user list --data-dir \"$HOME/restored\"", ADMIN);
    assert_eq!(folder.done("passbook-admin user list", ADMIN), restored);
    folder.done("passbook-admin doctor --data-dir \"$HOME/restored\"", ADMIN);

    let real = serde_json::from_str(&folder.done(show.text, ADMIN)).expect("JSON");
    assert_shown(&manifest, &real);
    assert_eq!(rows(&folder.done(pipes.text, ADMIN)), rows(&written));
    assert!(!folder.path().join("unused").exists());

    folder.done("mkdir backups", ADMIN);
    let fields: Vec<&str> = cron.text.splitn(6, ' ').collect();
    folder.done(&fields[5].replace("\\%", "%"), ADMIN);
    assert_eq!(folder.done("ls backups | grep -c 'passbook-20..-..-...tar.gz'", ADMIN), "1\n");
    folder.done("rm backups/*", ADMIN);
    let command = exec_start(&service);
    folder.done(&command.replace("/var/backups/passbook/", "$HOME/backups/").replace('\'', "\""), ADMIN);
    assert!(timer.text.contains("OnCalendar=*-*-* 03:30:00\n"));

    folder.done("touch -d '40 days ago' backups/passbook-2026-01-01.tar.gz", ADMIN);
    folder.done(prune.text, ADMIN);
    assert_eq!(folder.done("ls backups | wc -l", ADMIN).trim(), "1");
}

#[tokio::test]
async fn backup_is_restored_into_an_own_postgresql_as_described() {
    let own = tests::documents::blocks_of(PAGE);
    let (backup, own) = (noted(&own, "backup"), noted(&own, NOTES[NOTES.len() - 1]));
    let steps = tests::documents::blocks_of("docs/schema.md");
    let [roles, _migrate, logins, serve, ..] = steps[..] else { panic!("{} blocks", steps.len()) };

    let cluster = Cluster::start().await;
    let create = "passbook-admin migrate; passbook-admin user create --email ada@example.org";
    cluster.folder.done(create, ADMIN);
    let written = cluster.folder.done(backup.text, ADMIN);
    cluster.run(&roles, passbook_embedded::SUPERUSER, "postgres").await;
    assert_eq!(cluster.folder.done(&cluster.here(&own), ADMIN), written);
    cluster.run(&logins, "operator", "passbook").await;
    cluster.serve(&cluster.here(&serve));
}

/// The output of a command without the time of the backup, which is its last word.
fn rows(output: &str) -> &str {
    output.rsplit_once(' ').expect("the output has a time").0
}

/// The command of a unit as systemd starts it. systemd reads `$$` as `$` and `%%` as `%`.
fn exec_start(service: &Block<'_>) -> String {
    let command = service.text.lines().find_map(|line| line.strip_prefix("ExecStart=/bin/sh -c '"));
    let command = command.and_then(|command| command.strip_suffix('\'')).expect("a shell command");
    command.replace("$$", "$").replace("%%", "%")
}

/// Checks that the shown manifest has the members of a real one, and that its table has the real columns.
fn assert_shown(block: &Block<'_>, real: &Value) {
    let shown: Value = serde_json::from_str(block.text).expect("JSON");
    let members =
        |value: &Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
    assert_eq!(members(&shown), members(real), "{}", block.place());
    for member in ["format", "version", "program_version"] {
        assert_eq!(shown[member], real[member], "{}", block.place());
    }
    // The example may be of an older schema.
    assert!(shown["schema_version"].as_i64() <= real["schema_version"].as_i64(), "{}", block.place());
    let table = &shown["tables"][0];
    let tables = real["tables"].as_array().expect("a list");
    let same = tables.iter().find(|real| real["name"] == table["name"]).expect("the table exists");
    assert_eq!((members(table), &table["columns"]), (members(same), &same["columns"]), "{}", block.place());
}
