//! The demo household in PostgreSQL: loading, replacement on a later day, and its contents in the reading contract.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_demo::{EMAIL, USER_ID, household, install};
use tests::database::Database;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

const TODAY: Date = date(2026, 11, 21);

async fn installed(today: Date) -> (Database, Client) {
    let database = Database::fresh().await;
    let mut writer = database.connect("passbook_writer").await;
    install(&mut writer, today).await.expect("the demo household is loaded");
    (database, writer)
}

async fn count(client: &Client, query: &str, parameters: &[&(dyn ToSql + Sync)]) -> i64 {
    client.query_one(query, parameters).await.expect("the query runs").get(0)
}

/// A read transaction of the demo user.
async fn reading(reader: &mut Client) -> Transaction<'_> {
    let transaction = reader.transaction().await.expect("a transaction");
    let session = "select set_config('app.user_id', $1, true), set_config('app.today', $2, true)";
    transaction.query(session, &[&USER_ID.to_string(), &TODAY.to_string()]).await.expect("the session opens");
    transaction
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
        let stored = count(&writer, &format!("select count(*) from passbook.{table}"), &[]).await;
        let made = household(TODAY)
            .iter()
            .filter(|located| format!("{:?}", located.record).starts_with(kind))
            .count();
        assert_eq!(usize::try_from(stored), Ok(made), "{table}");
    }
    let email: String =
        writer.query_one("select email from passbook.users", &[]).await.expect("one user").get(0);
    assert_eq!(email, EMAIL);
}

#[tokio::test]
async fn demo_installed_on_a_later_day_replaces_the_earlier_one() {
    let (_database, mut writer) = installed(TODAY).await;
    let other = Uuid::from_u128(7);
    let person = "insert into passbook.users (user_id, email) values ($1, 'someone@example.org')";
    writer.execute(person, &[&other]).await.expect("another user is stored");
    let token = "insert into passbook.personal_access_tokens \
                 (user_id, token_id, token_hash, name, last_four, scopes, expires_at) \
                 values ($1, $1, sha256('x'), 'left over', 'xxxx', '{}', now() + interval '1 day')";
    writer.execute(token, &[&USER_ID]).await.expect("a token of the earlier demo is stored");

    let later = TODAY + 40.days();
    install(&mut writer, later).await.expect("the demo is installed again");

    let rows = count(&writer, "select count(*) from passbook.transactions", &[]).await;
    let made =
        household(later).iter().filter(|row| format!("{:?}", row.record).starts_with("Transaction(")).count();
    assert_eq!(usize::try_from(rows), Ok(made));
    let newest: Date =
        writer.query_one("select max(date) from passbook.transactions", &[]).await.expect("rows").get(0);
    assert_eq!(newest, later);
    assert_eq!(count(&writer, "select count(*) from passbook.personal_access_tokens", &[]).await, 0);
    assert_eq!(count(&writer, "select count(*) from passbook.users where user_id = $1", &[&other]).await, 1);
}

#[tokio::test]
async fn installing_the_demo_twice_on_one_day_changes_nothing() {
    let (_database, mut writer) = installed(TODAY).await;
    let fingerprint =
        "select md5(string_agg(t::text, '|' order by transaction_id)) from passbook.transactions as t";
    let before: String = writer.query_one(fingerprint, &[]).await.expect("rows").get(0);
    install(&mut writer, TODAY).await.expect("the demo is installed again");
    let after: String = writer.query_one(fingerprint, &[]).await.expect("rows").get(0);
    assert_eq!(before, after);
}

#[tokio::test]
async fn demo_balances_equal_opening_balance_plus_transactions() {
    let (_database, writer) = installed(TODAY).await;
    let wrong = "with opening as (
          select distinct on (account_id) account_id, date, balance_cents
          from passbook.balance_snapshots order by account_id, date),
        moved as (
          select account_id, sum(case category_kind when 'income' then amount_cents else -amount_cents end) as cents
          from passbook.transactions where not pending group by account_id)
        select count(*) from passbook.accounts
        join opening using (account_id) left join moved using (account_id)
        where type <> 'investment' and accounts.balance_cents <> opening.balance_cents + coalesce(moved.cents, 0)";
    assert_eq!(count(&writer, wrong, &[]).await, 0);
}

#[tokio::test]
async fn reading_contract_shows_the_special_cases_of_the_demo() {
    let (database, writer) = installed(TODAY).await;
    let mut reader = database.connect("passbook_reader").await;
    let transaction = reading(&mut reader).await;
    let seen = async |condition: &str| -> i64 {
        let query = format!("select count(*) from passbook_read.transactions where {condition}");
        transaction.query_one(&query, &[]).await.expect("the query runs").get(0)
    };

    let stored = count(&writer, "select count(*) from passbook.transactions", &[]).await;
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
    let own: Date = writer.query_one(own, &[]).await.expect("one user").get(0);
    // The day may change between the two queries.
    assert!(today == own || today + 1.day() == own);
}
