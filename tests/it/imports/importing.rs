//! The history of an imported Beancount ledger, and the demo household: loading, replacement on a later day, and its
//! contents in the reading contract. The rules of the import have their cases in `crates/beancount/tests/cases/ledgers`.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_beancount::{AccountMap, import};
use passbook_demo::{EMAIL, USER_ID, household, install};
use passbook_records::record::{BalanceSnapshot, Ledger, Record, User};
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::database::{Database, execute, one};
use tests::household::parse_currency;
use tests::temporary::Folder;
use tokio_postgres::Client;

/// A ledger as `bean-example` of Beancount 3 generates it for six months.
const BEAN_EXAMPLE: &str = "tests/vectors/bean-example.beancount";

const LEDGER_EMAIL: &str = "ledger@example.org";

/// The person, the imported ledger and its records.
fn records(text: &str) -> Vec<Record> {
    let user = User {
        user_id: passbook_records::id::user(LEDGER_EMAIL),
        email: LEDGER_EMAIL.to_owned(),
        preferred_currency: parse_currency("USD"),
        time_zone: "UTC".to_owned(),
        excluded_categories: Vec::new(),
    };
    let folder = Folder::create();
    let file = folder.write("main.beancount", text);
    let import = import(file.as_ref(), &user, "main", TODAY, &AccountMap::built_in(), &|_| {});
    let import = import.expect("the ledger has no faults");
    let ledger = Ledger {
        user_id: user.user_id,
        ledger: "main".to_owned(),
        account_map: None,
        map_name: None,
        imported_at: "2025-01-01T00:00:00Z".parse().expect("a timestamp"),
    };
    let imported = import.records.into_iter().map(|located| located.record);
    [Record::User(user), Record::Ledger(ledger)].into_iter().chain(imported).collect()
}

/// Returns the history of a person who has only these records.
async fn history(records: Vec<Record>, query: &str) -> Value {
    let app = App::start().await;
    app.load(records).await;
    let token = app.token(passbook_records::id::user(LEDGER_EMAIL)).await;
    app.get(&format!("/v1/portfolio/history?{query}"), &token).await.ok()
}

#[tokio::test]
async fn history_of_a_bean_example_ledger_has_no_partial_point_after_its_last_open() {
    let text = tests::text_of(BEAN_EXAMPLE);
    let opened = text.lines().filter_map(|line| line.split_once(" open "));
    let own =
        opened.filter(|(_, account)| account.starts_with("Assets") || account.starts_with("Liabilities"));
    let days = own.map(|(day, _)| day.parse::<Date>().expect("a day"));
    let last_open = days.max().expect("an open directive").to_string();

    let answer = history(records(&text), "timeRange=all&interval=month").await;
    let points = answer["points"].as_array().expect("points");
    let is_after = |point: &&Value| point["date"].as_str() >= Some(last_open.as_str());
    let after: Vec<&Value> = points.iter().filter(is_after).collect();
    assert!(after.len() > 10 && points.len() > after.len(), "{} of {} points", after.len(), points.len());
    for point in after {
        assert!(point.get("partial").is_none(), "{point}");
    }
    let query = format!("dateFrom={last_open}&dateTo={TODAY}&interval=day");
    let days = history(records(&text), &query).await;
    assert!(days.get("completeFrom").is_none() && days.get("change").is_some(), "{}", days["completeFrom"]);
    // Without the zero balances, accounts that were opened before their first entry would be unknown.
    let is_zero =
        |record: &Record| matches!(record, Record::BalanceSnapshot(BalanceSnapshot { balance_cents: 0, .. }));
    let mut without = records(&text);
    without.retain(|record| !is_zero(record));
    let incomplete = history(without, &format!("dateFrom={last_open}&interval=week")).await;
    assert_eq!(incomplete["opening"]["partial"], true, "{incomplete}");
}

async fn installed(today: Date) -> (Database, Client) {
    let database = Database::fresh().await;
    let mut writer = database.connect("passbook_writer").await;
    install(&mut writer, today).await.expect("the demo household is loaded");
    (database, writer)
}

/// The number of records of a kind in the demo household.
fn made(today: Date, kind: &str) -> i64 {
    let records = household(today).into_iter().map(|located| format!("{:?}", located.record));
    i64::try_from(records.filter(|record| record.starts_with(kind)).count()).expect("a small number")
}

#[tokio::test]
async fn every_record_of_the_demo_household_is_stored() {
    let (_database, writer) = installed(TODAY).await;
    for (table, kind) in [
        ("transactions", "Transaction("),
        ("balance_snapshots", "BalanceSnapshot("),
        ("exchange_rates", "ExchangeRate("),
        ("security_prices", "SecurityPrice("),
        ("holdings", "Holding("),
        ("wallet_quantities", "WalletHolding("),
        ("paper_positions", "PaperPosition("),
        ("budgets", "Budget("),
    ] {
        let stored = format!("select count(*) from passbook.{table}");
        assert_eq!(one::<i64>(&writer, &stored).await, made(TODAY, kind), "{table}");
    }
    assert_eq!(one::<String>(&writer, "select email from passbook.users").await, EMAIL);
}

#[tokio::test]
async fn demo_installed_again_changes_nothing_on_the_same_day_and_replaces_the_earlier_one_on_a_later_day() {
    let (_database, mut writer) = installed(TODAY).await;
    let person =
        "insert into passbook.users (user_id, email) values (gen_random_uuid(), 'someone@example.org')";
    execute(&writer, person).await;
    let token = format!(
        "insert into passbook.personal_access_tokens \
         (user_id, token_id, token_hash, name, last_four, scopes, expires_at) \
         values ('{USER_ID}', '{USER_ID}', sha256('x'), 'left over', 'xxxx', '{{}}', now() + interval '1 day')"
    );
    execute(&writer, &token).await;
    let rows = "select md5(string_agg(t::text, '|' order by transaction_id)) from passbook.transactions as t";
    let before: String = one(&writer, rows).await;
    install(&mut writer, TODAY).await.expect("the demo is installed again");
    assert_eq!(one::<String>(&writer, rows).await, before);

    let later = TODAY + 40.days();
    install(&mut writer, later).await.expect("the demo is installed again");
    let stored = "select count(*) from passbook.transactions";
    assert_eq!(one::<i64>(&writer, stored).await, made(later, "Transaction("));
    assert_eq!(one::<Date>(&writer, "select max(date) from passbook.transactions").await, later);
    assert_eq!(one::<i64>(&writer, "select count(*) from passbook.personal_access_tokens").await, 0);
    let others = "select count(*) from passbook.users where email = 'someone@example.org'";
    assert_eq!(one::<i64>(&writer, others).await, 1);
}

#[tokio::test]
async fn reading_contract_shows_the_special_cases_of_the_demo() {
    let (database, writer) = installed(TODAY).await;
    let mut reader = database.connect("passbook_reader").await;
    let transaction = reader.transaction().await.expect("a transaction");
    let session = "select set_config('app.user_id', $1, true), set_config('app.today', $2, true)";
    transaction.query(session, &[&USER_ID.to_string(), &TODAY.to_string()]).await.expect("the session opens");
    let seen = async |condition: &str| -> i64 {
        let query = format!("select count(*) from passbook_read.transactions where {condition}");
        transaction.query_one(&query, &[]).await.expect("the query runs").get(0)
    };

    let stored: i64 = one(&writer, "select count(*) from passbook.transactions").await;
    assert_eq!(seen("true").await, stored - 1, "the replaced pending row must be hidden");
    assert_eq!(seen("title like 'VORGEMERKT TRATTORIA%'").await, 0);
    assert!(seen("pending").await >= 2);
    let unconverted = seen("converted_cents is null").await;
    assert!((5..=40).contains(&unconverted), "{unconverted} rows without a rate");
    assert_eq!(seen("converted_cents is null and currency <> 'USD'").await, 0);
    assert!(seen("currency = 'USD' and converted_cents <> amount_cents").await > 60);
    assert!(seen("category = 'VACATION'").await > 20);
    assert_eq!(seen("merchant_key = 'café müller'").await, seen("merchant_search = 'cafe muller'").await);
    assert!(seen("category = 'REFUND' and linked_transaction_id is not null").await >= 8);

    let today = "select count(*) from passbook_read.current_user_profile where today = $1 and excluded_categories = '{VACATION}'";
    let people: i64 = transaction.query_one(today, &[&TODAY]).await.expect("people").get(0);
    assert_eq!(people, 1);
}

#[tokio::test]
async fn demo_day_is_today_in_the_time_zone_of_the_demo_user() {
    let (_database, writer) = installed(TODAY).await;
    let today = passbook_demo::today(&writer).await.expect("the day is read");
    let own = "select (now() at time zone time_zone)::date from passbook.users";
    let own: Date = one(&writer, own).await;
    // The day may change between the two queries.
    assert!(today == own || today + 1.day() == own);
}
