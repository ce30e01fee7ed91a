//! `docs/importing.md`: every command runs as shown, every rules file and profile is valid, and every profile has a row.

use passbook_matching::rules::Rules;
use passbook_statements::csv::{Profile, builtin_profiles};
use passbook_statements::{ReadOptions, read};
use tests::database::Database;
use tests::documents::blocks::{Block, noted};
use tests::documents::runner::Runner;
use tests::documents::shell::Folder;

use super::loading::as_writer;

const PAGE: &str = "docs/importing.md";
const ADMIN: &[&str] = &["passbook-admin"];

#[test]
fn every_profile_has_a_row() {
    let page = tests::documents::text(PAGE);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    for profile in builtin_profiles() {
        let name = format!("`{}`", profile.name);
        let cell = |line: &str| line.split('|').nth(2).is_some_and(|cell| cell.contains(&name));
        assert_eq!(rows.iter().filter(|line| cell(line)).count(), 1, "{name}");
    }
}

#[tokio::test]
async fn commands_of_the_page_work_as_shown() {
    let blocks = tests::documents::blocks_of(PAGE);
    let database = Database::fresh().await;
    let folder = Folder::create();
    let user = passbook_records::id::user("you@example.org");
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
    let create = "passbook-admin user create --email you@example.org --currency EUR --time-zone UTC
        passbook-admin load account.json --user you@example.org";
    folder.done(&as_writer(&database, create), ADMIN);
    let others = Runner::new(&folder, ADMIN, &as_writer(&database, "")).run(&blocks);
    let report = folder.done(&as_writer(&database, "passbook-admin reconcile --user you@example.org"), ADMIN);
    assert!(report.contains("Main account") && report.contains("not provable"), "{report}");
    let rules = noted(&others, "rules");
    let valid = Rules::from_toml(rules.text, "rules");
    valid.unwrap_or_else(|faults| panic!("{}: {:?}", rules.place(), faults.into_list()));
    let others: Vec<Block<'_>> = others.into_iter().filter(|block| block.note != Some("rules")).collect();
    assert_profiles(&others);
}

/// Checks that the complete profile reads the shown file, and that every other part belongs to a valid profile.
fn assert_profiles(blocks: &[Block<'_>]) {
    let [file, complete, parts @ ..] = blocks else { panic!("{} blocks", blocks.len()) };
    assert_eq!((file.note, complete.note), (Some("export"), Some("profile")));
    let profile = Profile::parse(complete.text, "profile").unwrap_or_else(|fault| panic!("{fault}"));
    let options = ReadOptions { profile: Some(profile), ..ReadOptions::default() };
    let statements = read(file.text.as_bytes(), &options).expect("the file is read");
    let entry = &statements[0].entries[0];
    assert_eq!((entry.booked.to_string(), entry.cents), ("2026-01-31".to_owned(), -450));
    assert_eq!((entry.party.as_deref(), entry.text.as_str()), (Some("Bakery"), "Rolls"));
    for part in parts {
        assert_eq!(part.note, Some("part of a profile"), "{}", part.place());
        let (head, columns) = complete.text.split_once("[columns]").expect("columns");
        let flag = if part.text.contains("out_values") { "flag = \"Payee\"\n" } else { "" };
        let text = if part.text.starts_with('[') {
            format!("{}{}", complete.text, part.text)
        } else {
            format!("{head}{}[columns]\n{flag}{columns}", part.text)
        };
        Profile::parse(&text, "profile").unwrap_or_else(|fault| panic!("{}: {fault}", part.place()));
    }
}
