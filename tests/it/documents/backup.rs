//! The section "Backup and restore" of `docs/operating.md`: its commands back up and restore databases, and the schedules
//! run the same command.

use serde_json::Value;

use tests::documents::blocks::{Block, noted};
use tests::documents::cluster::Cluster;
use tests::documents::shell::Folder;

const PAGE: &str = "docs/operating.md";
const ADMIN: &[&str] = &["passbook-admin"];
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
