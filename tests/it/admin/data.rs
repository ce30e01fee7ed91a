//! `load`, `rates load` and `import beancount`: each stores everything or nothing and reports every fault on a line.

use tests::database::Database;

use tests::admin::{admin, admin_with_input, file, number};

const TRANSACTIONS: &str = "select count(*) from passbook.transactions";
const RATES: &str = "select count(*) from passbook.exchange_rates";
const BUNDLE: &str = include_str!("../../../crates/formats/data/example_bundle.json");
/// The command that loads a bundle for the person of [`BUNDLE`], who is stored.
const LOAD_FOR_ADA: [&str; 4] = ["load", "-", "--user", "ada@example.org"];
const ECB: &str = "Date,USD,JPY,\n2026-01-05,1.0821,N/A,\n2026-01-02,1.0795,161.2,\n";
const LEDGER: &str = "\
2026-01-01 open Assets:Hanse:Checking EUR
2026-01-01 open Expenses:Food:Groceries EUR
2026-01-01 open Expenses:Oddities EUR
2026-01-05 * \"REWE\" \"Food\"
  Expenses:Food:Groceries  12.34 EUR
  Assets:Hanse:Checking
2026-01-06 * \"Kiosk\" \"A thing\"
  Expenses:Oddities  5.00 EUR
  Assets:Hanse:Checking
";

#[tokio::test]
async fn bundle_with_credentials_or_rows_of_others_needs_flags_and_names_them() {
    let database = Database::fresh().await;
    let message = admin_with_input(&database, &["load", "-"], BUNDLE).failed(65);
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 4, "{message}");
    assert_eq!(
        lines[0],
        "oauth_clients[0]: must not be given, because this load may not write credentials: add --with-credentials if \
         you trust the file"
    );
    let loaded = admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    for line in [
        "rows of: ada@example.org",
        "oauth_clients           dashboard-1 (My dashboard)  ada@example.org  inserted",
        "personal_access_tokens  Spreadsheet (…x7Qa)         ada@example.org  inserted",
    ] {
        assert!(loaded.lines().any(|printed| printed == line), "{line}\n{loaded}");
    }

    let accounts = r#"{"format":"passbook-bundle","version":1,"budgets":[{
        "user":"6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11","id":"b","category":"CINEMA","currency":"EUR"}]}"#;
    let message = admin_with_input(&database, &["load", "-"], accounts).failed(65);
    assert_eq!(
        message,
        "budgets[0].user: must belong to a person whose rows this load may write: add --user with the e-mail address \
         if the file may change rows of this person; received 1 of ada@example.org, who is stored\n"
    );
    let message =
        admin_with_input(&database, &["load", "-", "--user", "eve@example.org"], accounts).failed(65);
    assert!(
        message.contains("--user: must be the e-mail address of a user of this input or one who is stored"),
        "{message}"
    );
    admin_with_input(&database, &LOAD_FOR_ADA, accounts).done();

    let unowned = BUNDLE.replace(r#""owner": "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11","#, "");
    assert_ne!(unowned, BUNDLE);
    let words = [&LOAD_FOR_ADA[..], &["--with-credentials"]].concat();
    let message = admin_with_input(&database, &words, &unowned).failed(65);
    assert!(message.starts_with("oauth_clients[0]: must not serve everyone"), "{message}");
}

#[tokio::test]
async fn bundle_is_loaded_from_a_file_or_standard_input() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let path = file(folder.path(), "bundle.json", BUNDLE);

    let ended = admin(&database, &["load", &path, "--with-credentials", "--dry-run"]);
    assert!(ended.stderr.contains("dry run: nothing was stored"), "{ended:?}");
    let planned = ended.done();
    assert_eq!(number(&database, "select count(*) from passbook.users").await, 0);
    assert_eq!(number(&database, TRANSACTIONS).await, 0);

    assert_eq!(
        admin(&database, &["load", &path, "--with-credentials"]).done(),
        planned,
        "the dry run must print the same summary"
    );
    assert!(number(&database, TRANSACTIONS).await > 0);
    let words = ["load", "-", "--with-credentials", "--user", "ADA@example.org"];
    let again = admin_with_input(&database, &words, BUNDLE).done();
    let row = again.lines().find(|line| line.starts_with("transactions")).expect("a line for each table");
    let counts: Vec<&str> = row.split_whitespace().collect();
    assert_eq!((counts[1], counts[2]), ("0", "0"), "a second load must change nothing: {row}");
}

#[tokio::test]
async fn faulty_bundle_stores_nothing_and_reports_each_fault() {
    let database = Database::fresh().await;
    let broken = BUNDLE.replace("\"EUR\"", "\"euro\"");
    assert_ne!(broken, BUNDLE);
    let words = ["load", "-", "--with-credentials"];
    let message = admin_with_input(&database, &words, &broken).failed(65);
    assert!(message.lines().count() > 1, "{message}");
    for line in message.lines() {
        assert!(line.contains(": must be a currency code") && line.contains("; received \"euro\""), "{line}");
    }
    assert_eq!(number(&database, "select count(*) from passbook.users").await, 0);
}

#[tokio::test]
async fn exchange_rates_are_loaded_or_rejected_with_their_faults() {
    let database = Database::fresh().await;
    admin_with_input(&database, &["rates", "load", "-", "--dry-run"], ECB).done();
    assert_eq!(number(&database, RATES).await, 0);
    let message = admin_with_input(&database, &["rates", "load", "-"], ECB).done();
    assert!(message.contains("exchange_rates"), "{message}");
    assert_eq!(number(&database, RATES).await, 3);

    let broken = ECB.replace("1.0821", "minus one").replace("2026-01-02", "2026-02-30");
    let message = admin_with_input(&database, &["rates", "load", "-"], &broken).failed(65);
    assert_eq!(message.lines().count(), 2, "{message}");
    assert!(
        message.contains("line 2, column USD: must be a rate above 0") && message.contains("line 3"),
        "{message}"
    );
    assert_eq!(number(&database, RATES).await, 3);
}

#[tokio::test]
async fn ledger_is_imported_for_a_user_with_default_and_own_account_map() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let folder = tests::temporary::folder();
    let ledger = file(folder.path(), "books.beancount", LEDGER);
    let words = ["import", "beancount", ledger.as_str(), "--user", "ada@example.org"];

    admin(&database, &[&words[..], &["--dry-run"]].concat()).done();
    assert_eq!(number(&database, TRANSACTIONS).await, 0);
    let ended = admin(&database, &words);
    assert!(ended.stderr.contains("not in the account map: Expenses:Oddities"), "{ended:?}");
    ended.done();
    let groceries =
        "select count(*) from passbook.transactions where category = 'GROCERIES' and amount_cents = 1234";
    assert_eq!((number(&database, TRANSACTIONS).await, number(&database, groceries).await), (2, 1));

    let map = file(folder.path(), "map.toml", "[expense]\n\"Oddities\" = \"HOBBY\"\n");
    admin(&database, &[&words[..], &["--map", &map]].concat()).done();
    let hobby = "select count(*) from passbook.transactions where category = 'HOBBY'";
    assert_eq!((number(&database, TRANSACTIONS).await, number(&database, hobby).await), (2, 1));
}

#[tokio::test]
async fn faulty_ledger_or_account_map_stores_nothing() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let ledger =
        file(folder.path(), "books.beancount", &LEDGER.replace("12.34 EUR", "12.34 EUR\n  Assets:X 1 EUR"));
    let words = ["import", "beancount", ledger.as_str(), "--user", "ada@example.org"];
    assert!(admin(&database, &words).failed(65).starts_with("--user: must be the e-mail address of a user"));
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let message = admin(&database, &words).failed(65);
    assert!(message.contains("books.beancount:"), "{message}");

    let map = file(folder.path(), "map.toml", "[expense]\n\"Oddities\" = \"NONSENSE\"\n");
    let message = admin(&database, &[&words[..], &["--map", &map]].concat()).failed(65);
    assert!(message.contains("map.toml") && message.contains("NONSENSE"), "{message}");
    assert_eq!(number(&database, TRANSACTIONS).await, 0);
}

#[tokio::test]
async fn missing_file_is_a_usage_error() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    for words in [
        &["load", "/nowhere/x.json"][..],
        &["load", "/"],
        &["rates", "load", "/nowhere/x.csv"],
        &["import", "beancount", "/nowhere/x.beancount", "--user", "ada@example.org"],
    ] {
        assert!(admin(&database, words).failed(64).contains("cannot be read"));
    }
}

#[tokio::test]
async fn edited_ledger_requires_replace_and_counts_no_entry_twice() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "lena@example.com"]).done();
    let import = ["import", "beancount", "--user", "lena@example.com"];
    let folder = tests::temporary::folder();
    let written = file(folder.path(), "lena.beancount", LEDGER);
    let edited = file(folder.path(), "edited.beancount", &LEDGER.replace("12.34", "13.34"));
    let with = |path: &str, more: &[&str]| admin(&database, &[&import[..], &[path], more].concat());
    let total = "select sum(amount_cents)::bigint from passbook.transactions";

    with(&written, &[]).done();
    assert_eq!(number(&database, total).await, 1_734);
    let message = with(&edited, &[]).failed(65);
    assert!(message.contains("lacks 1 stored transactions") && message.contains("--replace"), "{message}");
    assert_eq!(number(&database, total).await, 1_734, "nothing may be stored");

    let removed = "removing 1 of 2 stored transactions\n\
        date        amount  currency  title  account\n\
        2026-01-05  -12.34  EUR       Food   Checking\n\
        account   transactions\n\
        Checking  1\n";
    let rehearsed = with(&edited, &["--replace", "--dry-run"]);
    assert!(rehearsed.stderr.contains(removed), "{rehearsed:?}");
    rehearsed.done();
    assert_eq!(number(&database, total).await, 1_734, "a dry run must remove nothing");
    let replaced = with(&edited, &["--replace"]);
    assert!(replaced.stderr.contains(removed), "{replaced:?}");
    let summary = replaced.done();
    let row = summary.lines().find(|line| line.starts_with("transactions")).expect("a line for each table");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["transactions", "1", "0", "1", "1", "0"]);
    assert_eq!(number(&database, total).await, 1_834);
    with(&edited, &[]).done();
}

#[tokio::test]
async fn sold_security_is_no_longer_a_holding() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "lena@example.com"]).done();
    let folder = tests::temporary::folder();
    let bought = "\
2026-01-01 open Assets:Broker:Cash EUR
2026-01-01 open Assets:Broker:VEA VEA
2026-01-01 open Equity:Opening
2026-01-01 open Income:Gains EUR
2026-01-01 * \"Opening\"
  Assets:Broker:Cash  1000.00 EUR
  Equity:Opening
2026-01-05 * \"Buy\"
  Assets:Broker:VEA  10 VEA {50.00 EUR}
  Assets:Broker:Cash  -500.00 EUR
";
    let sold = format!(
        "{bought}2026-02-05 * \"Sell\"\n  Assets:Broker:VEA  -10 VEA {{50.00 EUR}}\n  Assets:Broker:Cash  600.00 EUR\n  Income:Gains\n"
    );
    for (name, text, held) in [("bought", bought, 1), ("sold", &sold, 0)] {
        let path = file(folder.path(), name, text);
        admin(&database, &["import", "beancount", &path, "--user", "lena@example.com"]).done();
        assert_eq!(number(&database, "select count(*) from passbook.holdings").await, held, "{name}");
    }
}

#[tokio::test]
async fn rows_of_an_account_missing_from_the_ledger_are_removed_by_replace() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "lena@example.com"]).done();
    let folder = tests::temporary::folder();
    let entry = "2026-01-05 * \"Kiosk\"\n  Expenses:Food  6.00 EUR\n";
    let open = "2026-01-01 open Assets:Cash EUR\n2026-01-01 open Assets:Bank:Checking EUR\n2026-01-01 open Expenses:Food\n";
    let from = |account: &str| format!("{open}{entry}  {account}\n");
    let moved = from("Assets:Bank:Checking").replace("6.00", "7.00");
    let import = |name: &str, text: &str, more: &[&str]| {
        let path = file(folder.path(), name, text);
        let words = ["import", "beancount", path.as_str(), "--user", "lena@example.com"];
        admin(&database, &[&words[..], more].concat())
    };
    let total = "select coalesce(sum(amount_cents), 0)::bigint from passbook.transactions";
    import("cash", &from("Assets:Cash"), &[]).done();
    assert_eq!(number(&database, total).await, 600);
    for (name, text) in [("moved", moved.clone()), ("empty", open.to_owned())] {
        let message = import(name, &text, &[]).failed(65);
        assert!(message.contains("account Cash") && message.contains("--replace"), "{name}: {message}");
        assert_eq!(number(&database, total).await, 600, "{name}: nothing may be stored");
    }
    import("moved", &moved, &["--replace", "--force"]).done();
    assert_eq!(number(&database, total).await, 700);
    assert_eq!(number(&database, "select count(*) from passbook.accounts").await, 1);
    import("other", &from("Assets:Cash"), &["--ledger", "other"]).done();
    assert_eq!(number(&database, total).await, 1_300, "another ledger must not change the rows of this one");
    import("empty", open, &["--replace", "--force"]).done();
    assert_eq!(number(&database, total).await, 600);
}

#[tokio::test]
async fn replace_removes_more_than_half_of_a_ledger_only_with_force() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "lena@example.com"]).done();
    let folder = tests::temporary::folder();
    let open = "2026-01-01 open Assets:Cash EUR\n2026-01-01 open Expenses:Food\n";
    let ledger = |entries: u32| {
        let entry = |day| format!("2026-01-{day:02} * \"Kiosk\"\n  Expenses:Food  6.00 EUR\n  Assets:Cash\n");
        open.to_owned() + &(1..=entries).map(entry).collect::<String>()
    };
    let import = |entries: u32, more: &[&str]| {
        let path = file(folder.path(), "ledger", &ledger(entries));
        let words = ["import", "beancount", path.as_str(), "--user", "lena@example.com"];
        admin(&database, &[&words[..], more].concat())
    };
    import(25, &[]).done();
    let message = import(12, &["--force"]).failed(64);
    assert!(message.contains("--replace"), "--force alone is wrong usage: {message}");
    for dry_run in [&["--replace", "--dry-run"][..], &["--replace"]] {
        let message = import(2, dry_run).failed(65);
        let lines: Vec<&str> = message.lines().collect();
        let start = lines.iter().position(|line| line.starts_with("removing")).expect("the list");
        assert_eq!(lines[start], "removing 23 of 25 stored transactions");
        assert_eq!(lines[start + 2], "2026-01-03  -6.00   EUR       Kiosk  Cash");
        assert_eq!(lines[start + 21], "2026-01-22  -6.00   EUR       Kiosk  Cash");
        assert_eq!(
            lines[start + 22..],
            [
                "and 3 more",
                "account  transactions",
                "Cash     23",
                "the input: must contain at least half of the stored transactions: check file and name of the ledger, \
                 or confirm the removal with --force; received an input that lacks 23 of 25",
            ]
        );
        assert_eq!(number(&database, TRANSACTIONS).await, 25, "nothing may be removed");
    }
    // Half of 25 is 12 and a half, so that 12 are less than half.
    import(13, &["--replace"]).done();
    assert_eq!(number(&database, TRANSACTIONS).await, 13);
    import(2, &["--replace", "--force", "--dry-run"]).done();
    assert_eq!(number(&database, TRANSACTIONS).await, 13);
    import(2, &["--replace", "--force"]).done();
    assert_eq!(number(&database, TRANSACTIONS).await, 2);
}

#[tokio::test]
async fn bundle_deletes_rows_after_listing_them_but_no_imported_row() {
    let database = Database::fresh().await;
    admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    let user = "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11";
    let deleting = |array: &str, id: &str| {
        format!(
            r#"{{"format":"passbook-bundle","version":1,"deleted":{{"{array}":[{{"user":"{user}","id":"{id}"}}]}}}}"#
        )
    };
    let before = number(&database, TRANSACTIONS).await;
    for (words, left) in
        [(&[&LOAD_FOR_ADA[..], &["--dry-run"]].concat()[..], before), (&LOAD_FOR_ADA[..], before - 1)]
    {
        let ended = admin_with_input(&database, words, &deleting("transactions", "t-3"));
        let listed = "removing 1 of 3 stored transactions\n\
            date        amount   currency  title                            account\n\
            2026-11-18  -500.00  EUR       To my pension account elsewhere  Checking\n\
            account   transactions\n\
            Checking  1\n";
        assert!(ended.stderr.starts_with(listed), "{ended:?}");
        assert_eq!(
            ended.done(),
            "table         inserted  updated  unchanged  removed  already absent\n\
             transactions  0         0        0          1        0\n\
             rows of: ada@example.org\n"
        );
        assert_eq!(number(&database, TRANSACTIONS).await, left);
    }
    let message = admin_with_input(&database, &LOAD_FOR_ADA, &deleting("users", user)).failed(65);
    assert_eq!(
        message,
        "deleted.users: must not be given, because a bundle does not delete people: delete the person with \
         `passbook-admin user delete`\n"
    );

    let email = "select email from passbook.users";
    let email: String =
        database.connect("passbook_writer").await.query_one(email, &[]).await.expect("a row").get(0);
    let folder = tests::temporary::folder();
    let ledger = file(folder.path(), "books.beancount", LEDGER);
    admin(&database, &["import", "beancount", &ledger, "--user", &email, "--ledger", "books"]).done();
    let imported = "select transaction_id::text from passbook.transactions where title = 'Food'";
    let imported: String =
        database.connect("passbook_writer").await.query_one(imported, &[]).await.expect("a row").get(0);
    let message = admin_with_input(&database, &LOAD_FOR_ADA, &deleting("transactions", &imported)).failed(65);
    assert_eq!(
        message,
        "deleted.transactions[0]: must be a row that no import owns: remove it from the ledger \"books\", and import \
         the ledger again with `passbook-admin import beancount FILE --user EMAIL --ledger books --replace`; received \
         a row of beancount:books\n"
    );
}

#[tokio::test]
async fn file_of_rates_for_the_latest_day_is_loaded_and_archives_are_rejected() {
    let database = Database::fresh().await;
    let daily = "Date, USD, JPY, \n20 November 2026, 1.0841, 168.25, \n";
    admin_with_input(&database, &["rates", "load", "-"], daily).done();
    let stored = "select count(*) from passbook.exchange_rates where date = '2026-11-20'";
    assert_eq!(number(&database, stored).await, 2);
    let message = admin_with_input(&database, &["rates", "load", "-"], "PK\u{3}\u{4}rest").failed(65);
    assert!(message.starts_with("the file: must be the CSV file in this zip archive: unpack"), "{message}");
    let message = admin_with_input(&database, &["rates", "load", "-"], "<?xml version=\"1.0\"?>").failed(65);
    assert!(
        message.starts_with("the file: must be a CSV file, and this is XML or HTML: download"),
        "{message}"
    );
}
