//! The transcripts in `tests/it/admin/transcripts`: the output of each command of the programs, run on a real database.

/// A test for each transcript, named like its file.
macro_rules! transcripts {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[tokio::test]
            async fn $name() {
                tests::transcript::check(concat!("tests/it/admin/transcripts/", stringify!($name), ".md")).await;
            }
        )*
    };
}

transcripts! {
    account_maps
    accounts
    backup
    clients
    connection_failures
    database_location
    definitions
    development_backup
    doctor
    journey
    ledgers
    load_permissions
    loading
    new_user
    own_categories
    own_category_with_colon
    own_changes
    own_profiles
    own_words_of_files
    psql
    rates
    renamed_accounts
    schema_version
    server_database
    server_settings
    setup
    statement_accounts
    statement_changes
    statement_faults
    statement_fees
    statement_files
    statement_reconciliation
    statement_removal
    statement_rewriting
    statement_transfers
    token_secrecy
    tokens
    users
}

#[test]
fn every_transcript_has_a_test() {
    let folder = tests::root().join("tests/it/admin/transcripts").read_dir().expect("the transcripts");
    let names = folder.flatten().map(|entry| entry.file_name().into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    assert_eq!(names, NAMES.iter().map(|name| format!("{name}.md")).collect::<Vec<_>>());
}

#[test]
fn journey_of_eight_banks_has_at_most_twenty_commands_without_json_and_identifiers() {
    let page = tests::text_of("tests/it/admin/transcripts/journey.md");
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("$ passbook-")).collect();
    assert!((10..=19).contains(&commands.len()), "{commands:#?}");
    let is_plain = |word: &str| !word.contains(['{', '"']) && word.matches('-').count() < 4;
    assert!(commands.iter().all(|line| line.split(' ').all(is_plain)), "{commands:#?}");
}
