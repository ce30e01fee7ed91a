//! `docs/importing.md`: every command runs as shown, and every rules file is valid.

use passbook_identity::rules::Rules;
use tests::database::Database;

use super::loading::as_writer;
use tests::documents::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];

#[test]
fn every_profile_has_a_section() {
    let page = &tests::documents::documents()["docs/importing-banks.md"];
    let sections: Vec<&str> = page.lines().filter(|line| line.starts_with("### ")).collect();
    for profile in passbook_formats::statement::csv::builtin_profiles() {
        let name = format!("`{}`", profile.name);
        assert_eq!(sections.iter().filter(|line| line.contains(&name)).count(), 1, "{name}");
    }
}

#[tokio::test]
async fn commands_of_the_page_work_as_shown() {
    let documents = tests::documents::documents();
    let blocks = tests::documents::blocks::read("docs/importing.md", &documents["docs/importing.md"]);
    let [file, preview, shown, import, imported, rules, categorize, changes, all_rules, reconcile] =
        blocks[..]
    else {
        panic!("{} blocks", blocks.len())
    };
    let database = Database::fresh().await;
    let folder = Folder::create();
    folder.write("november.csv", file.text);
    folder.write("rules.toml", rules.text);
    let user = passbook_formats::id::user("you@example.org");
    folder.write(
        "account.json",
        &format!(
            r#"{{"format": "passbook-bundle", "version": 1,
            "banks": [{{"user": "{user}", "id": "bank", "name": "N26", "status": "MANUAL"}}],
            "accounts": [{{"user": "{user}", "id": "main", "bank": "bank", "name": "Main account", "type": "depository",
            "subtype": "checking", "currency": "EUR", "balance_cents": 0,
            "balance_updated_at": "2026-01-01T00:00:00Z"}}]}}"#
        ),
    );
    let run = |script: &str| folder.done(&as_writer(&database, script), ADMIN);
    run("passbook-admin user create --email you@example.org --currency EUR --time-zone UTC");
    run("passbook-admin load account.json --user you@example.org");
    assert_eq!(run(preview.text), shown.text, "{}", shown.place());
    assert_eq!(run(import.text), imported.text, "{}", imported.place());
    assert_eq!(run(categorize.text), changes.text, "{}", changes.place());
    let report = run(reconcile.text);
    assert!(report.contains("Main account") && report.contains("not provable"), "{report}");
    let valid = Rules::from_toml(all_rules.text, "rules");
    valid.unwrap_or_else(|faults| panic!("{}: {:?}", all_rules.place(), faults.into_list()));
}
