//! Two writers at once: their transactions wait for each other or fail, and what is committed is derived right.

use passbook_ingest::accounts::{self, AccountChanges};
use proptest::prelude::*;
use tests::database::{execute, one};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::statements::{Statement, statement, upsert_of_a_posted_row};
use super::{check, database, until_a_statement_waits, with_example_rows};

/// Number of random pairs of writers, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (4, 10);

/// A transaction of a writer.
#[derive(Clone, Debug)]
struct Work {
    isolation: &'static str,
    statements: Vec<Statement>,
}

fn work() -> impl Strategy<Value = Vec<Work>> {
    let isolation = prop::sample::select(vec!["read committed", "repeatable read", "serializable"]);
    let one = (isolation, prop::collection::vec(statement(), 1..4))
        .prop_map(|(isolation, statements)| Work { isolation, statements });
    prop::collection::vec(one, 1..7)
}

/// Commits each transaction, or rolls it back if it cannot run beside the other writer.
async fn write(writer: &Client, work: &[Work]) -> usize {
    let mut committed = 0;
    for transaction in work {
        let begin = format!("begin isolation level {}", transaction.isolation);
        execute(writer, &begin).await;
        let mut result = Ok(());
        for statement in &transaction.statements {
            if result.is_ok() {
                result = writer.batch_execute(&statement.sql()).await;
            }
        }
        if result.is_ok() {
            result = writer.batch_execute("commit").await;
        }
        match result {
            Ok(()) => committed += 1,
            Err(error) => {
                let code = error.code().unwrap_or_else(|| panic!("{error:?}"));
                // The other writer may have deleted the account or the linked row. Rates need the level read committed.
                let expected = [
                    &SqlState::FEATURE_NOT_SUPPORTED,
                    &SqlState::T_R_SERIALIZATION_FAILURE,
                    &SqlState::T_R_DEADLOCK_DETECTED,
                    &SqlState::FOREIGN_KEY_VIOLATION,
                    &SqlState::UNIQUE_VIOLATION,
                ];
                assert!(expected.contains(&code), "{error:?}");
                execute(writer, "rollback").await;
            }
        }
    }
    committed
}

#[test]
fn two_writers_at_once_leave_right_derived_data() {
    tests::check_property(
        tests::cases(CASES.0, CASES.1),
        &(work(), work()),
        async |(first, second): (Vec<Work>, Vec<Work>)| {
            let database = database().await;
            let superuser = database.connect("postgres").await;
            let (one, other) =
                (database.connect("passbook_writer").await, database.connect("passbook_writer").await);
            let (_, _) = tokio::join!(write(&one, &first), write(&other, &second));
            check(&superuser, "two writers").await
        },
    );
}

/// Commits the transaction of a writer when the statement of another one waits for it. Returns after both.
async fn commit_when_blocked(superuser: &Client, writer: &Client, other: &Client, statement: &str) {
    tokio::join!(execute(other, statement), async {
        until_a_statement_waits(superuser).await;
        execute(writer, "commit").await;
    });
}

#[tokio::test]
async fn second_writer_of_a_user_waits_and_sees_the_rows_of_the_first() {
    let (database, superuser, first) = with_example_rows().await;
    let second = database.connect("passbook_writer").await;
    let currency = Statement::Currency(0, 1).sql();
    let insert = "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
                  amount_cents, currency, title) \
                  select user_id, gen_random_uuid(), account_id, date, type, category, amount_cents, currency, \
                  title from passbook.transactions where user_id = '00000000-0000-4000-8000-000000000000' and title = 'row 0'";
    let account = "update passbook.accounts set name = 'Giro'";
    for (before, after) in [
        // The rows must be converted to the new currency.
        (&*currency, insert),
        // The names of the user must have both changes.
        ("update passbook.tags set name = 'Reise'", account),
        ("update passbook.bank_connections set name = 'Sparkasse'", "delete from passbook.tags"),
    ] {
        execute(&first, &format!("begin; {before}")).await;
        commit_when_blocked(&superuser, &first, &second, after).await;
        check(&superuser, after).await.expect("the derived values are right");
    }
}

#[tokio::test]
async fn new_name_of_an_account_waits_for_an_import_that_writes_the_account() {
    let (database, superuser, import) = with_example_rows().await;
    let other = database.connect("passbook_writer").await;
    execute(&import, "begin; select from passbook.users for no key update").await;
    let of_first = "from passbook.accounts order by account_id limit 1";
    let user: Uuid = one(&superuser, &format!("select user_id {of_first}")).await;
    let account: Uuid = one(&superuser, &format!("select account_id {of_first}")).await;
    let changes = AccountChanges { name: Some("Giro"), ..AccountChanges::default() };
    let (renamed, ()) = tokio::join!(accounts::update(&other, user, account, changes), async {
        until_a_statement_waits(&superuser).await;
        execute(&import, "update passbook.accounts set balance_cents = 1; commit").await;
    });
    renamed.expect("the account has another name");
    check(&superuser, "both writers").await.expect("the derived values are right");
}

#[tokio::test]
async fn row_of_a_snapshot_older_than_its_label_is_refused() {
    let (database, _superuser, first) = with_example_rows().await;
    let second = database.connect("passbook_writer").await;
    execute(&first, "begin isolation level repeatable read; select from passbook.users").await;
    let label = "insert into passbook.transaction_labels (user_id, transaction_id, given_note) \
                 select user_id, '00000000-0000-4000-8000-00000000ffff', 'Zoo' from passbook.transactions where title = 'row 0'";
    execute(&second, label).await;
    let row = "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
               amount_cents, currency, title) \
               select user_id, '00000000-0000-4000-8000-00000000ffff', account_id, date, type, category, amount_cents, \
               currency, 'later' from passbook.transactions where title = 'row 0'";
    let refused = first.batch_execute(row).await.expect_err("the labels are not visible");
    assert_eq!(refused.code(), Some(&SqlState::T_R_SERIALIZATION_FAILURE), "{refused:?}");
}

#[tokio::test]
async fn row_of_a_user_who_is_created_again_meanwhile_is_converted_for_the_new_user() {
    let (database, superuser, first) = with_example_rows().await;
    let second = database.connect("passbook_writer").await;
    let row = "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
               amount_cents, currency, title) \
               select user_id, gen_random_uuid(), account_id, date, type, category, amount_cents, currency, \
               'again' from passbook.transactions where user_id = '00000000-0000-4000-8000-000000000000'";
    let again = Statement::DeleteUser(0).sql();
    execute(&first, &format!("begin; {again}")).await;
    commit_when_blocked(&superuser, &first, &second, row).await;
    check(&superuser, "both writers").await.expect("the derived values are right");
    let query = "select count(*) from passbook.transactions where title = 'again'";
    assert!(one::<i64>(&superuser, query).await > 0);
}

#[tokio::test]
async fn new_rate_converts_the_row_of_a_writer_for_whom_it_waited() {
    let database = database().await;
    let superuser = database.connect("postgres").await;
    let (first, second) =
        (database.connect("passbook_writer").await, database.connect("passbook_writer").await);
    let row = "begin; insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
               amount_cents, currency, title) \
               select user_id, gen_random_uuid(), account_id, '2026-11-21', 'EXPENSE', 'GROCERIES', 700, 'USD', 'only' \
               from passbook.accounts limit 1";
    execute(&first, row).await;
    let rates = Statement::StoreRates(1, 0, 9, 110).sql();
    commit_when_blocked(&superuser, &first, &second, &rates).await;
    check(&superuser, "the rates").await.expect("the derived values are right");
    // A snapshot of these levels can be older than the wait, so the row would be missed.
    for isolation in ["repeatable read", "serializable"] {
        let begin = format!("begin isolation level {isolation}");
        execute(&second, &begin).await;
        for sql in [rates.as_str(), "delete from passbook.exchange_rates"] {
            let error = second
                .batch_execute(&format!("savepoint here; {sql}"))
                .await
                .expect_err("the level is refused");
            assert_eq!(error.code(), Some(&SqlState::FEATURE_NOT_SUPPORTED), "{isolation}, {sql}: {error:?}");
            execute(&second, "rollback to savepoint here").await;
        }
        execute(&second, "rollback").await;
    }
}

#[tokio::test]
async fn base_currency_changes_only_while_no_rate_is_stored() {
    let (database, _, first) = with_example_rows().await;
    let second = database.connect("passbook_writer").await;
    let locks = "begin; select from passbook.users for no key update";
    execute(&first, locks).await;
    execute(&second, "set lock_timeout = '200ms'").await;
    let unchanged = "insert into passbook.base_currency as stored (currency) values ('EUR')
        on conflict (only_row) do update set currency = excluded.currency where stored.currency <> excluded.currency;
        update passbook.base_currency set currency = 'EUR'";
    execute(&second, unchanged).await;
    for changed in
        ["update passbook.base_currency set currency = 'USD'", "delete from passbook.base_currency"]
    {
        let error = second.batch_execute(changed).await.expect_err(changed);
        assert_eq!(error.code(), Some(&SqlState::RESTRICT_VIOLATION), "{changed}: {error:?}");
    }
    execute(&first, "rollback").await;
    execute(&second, "delete from passbook.exchange_rates").await;
    for changed in
        ["update passbook.base_currency set currency = 'USD'", "delete from passbook.base_currency"]
    {
        execute(&second, changed).await;
    }
    let rate = "insert into passbook.exchange_rates values ('USD', '2026-11-20', 2)";
    let error = second.batch_execute(rate).await.expect_err("there is no base");
    assert_eq!(error.code(), Some(&SqlState::FOREIGN_KEY_VIOLATION), "{error:?}");
}

#[tokio::test]
async fn inserted_row_whose_posted_row_is_updated_by_the_same_statement_is_in_no_total() {
    let database = database().await;
    let superuser = database.connect("postgres").await;
    let writer = database.connect("passbook_writer").await;
    execute(&writer, &upsert_of_a_posted_row()).await;
    let replaced = "select count(*) from passbook.transactions where is_superseded";
    assert_eq!(one::<i64>(&superuser, replaced).await, 1);
    check(&superuser, "the upsert").await.expect("the derived values are right");
}
