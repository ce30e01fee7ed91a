//! `account list` and `account show`.

use tests::app::App;
use tests::database::Database;
use tests::household::Household;

use tests::admin::{admin, admin_with_input};

const BUNDLE: &str = include_str!("../../../crates/formats/data/example_bundle.json");

/// The cells of the line for an account. Cells are separated by two or more spaces.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[tokio::test]
async fn account_list_prints_balance_days_and_number_of_transactions() {
    let database = Database::fresh().await;
    admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    let listed = admin(&database, &["account", "list"]).done();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 2, "{listed}");
    let writer = database.connect("passbook_writer").await;
    let query = "select account_id::text, (select count(*)::text from passbook.transactions), \
                 (select min(date)::text from passbook.transactions), \
                 (select max(date)::text from passbook.transactions) from passbook.accounts";
    let row = writer.query_one(query, &[]).await.expect("one account");
    let (id, count, first, last): (&str, &str, &str, &str) = (row.get(0), row.get(1), row.get(2), row.get(3));
    let expected = [
        id,
        "ada@example.org",
        "First Platypus",
        "Checking",
        "depository/checking",
        "EUR",
        "1842.12",
        "closed 2026-11-20",
        count,
        first,
        last,
    ];
    assert_eq!(cells(lines[1]), expected, "{listed}");

    let shown = admin(&database, &["account", "show", id]).done();
    let values: Vec<&str> = shown.lines().filter_map(|line| cells(line).get(1).copied()).collect();
    assert_eq!(values, expected, "{shown}");
}

#[tokio::test]
async fn account_list_can_be_limited_to_a_user() {
    let app = App::start().await;
    let households = [Household::new(), Household::new()];
    for household in &households {
        app.load(household.records()).await;
    }
    let count = |words: &[&str]| admin(&app.database, words).done().lines().count() - 1;
    let email = households[0].user.email.as_str();
    let own = households[0].accounts.len();
    assert_eq!(count(&["account", "list", "--user", email]), own);
    assert_eq!(count(&["account", "list"]), own + households[1].accounts.len());
    let message = admin(&app.database, &["account", "list", "--user", "x@example.org"]).failed(65);
    assert!(message.starts_with("--user: must be the e-mail address of a user"), "{message}");
}

#[tokio::test]
async fn account_show_names_unknown_and_ambiguous_ids() {
    let app = App::start().await;
    let households = [Household::new(), Household::new()];
    for household in &households {
        app.load(household.records()).await;
    }
    let unknown = "00000000-0000-4000-8000-000000000000";
    let message = admin(&app.database, &["account", "show", unknown]).failed(65);
    assert!(message.starts_with("ACCOUNT_ID: must be the id of an account"), "{message}");

    // Another person's account gets the same id.
    let account = households[0].accounts[0].to_string();
    let [one, other] = [0, 1].map(|index| households[index].user.user_id);
    app.write(&format!(
        "insert into passbook.accounts (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, \
         balance_updated_at) select '{other}', account_id, (select bank_id from passbook.bank_connections where user_id = '{other}' \
         limit 1), 'Twin', type, subtype, currency, -5, balance_updated_at from passbook.accounts \
         where user_id = '{one}' and account_id = '{account}'"
    ))
    .await;
    let message = admin(&app.database, &["account", "show", &account]).failed(65);
    assert!(message.contains("must be given with --user"), "{message}");
    let email = households[1].user.email.as_str();
    let shown = admin(&app.database, &["account", "show", &account, "--user", email]).done();
    assert!(shown.contains("Twin") && shown.contains("-0.05"), "{shown}");
}
