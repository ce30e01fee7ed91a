//! The name of a bank, which its accounts repeat: equal after every change, and when two writers change it at once.

use tests::database::Database;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

const USER: &str = "00000000-0000-4000-8000-000000000001";
const OLD_BANK: &str = "00000000-0000-4000-8000-00000000000a";
const NEW_BANK: &str = "00000000-0000-4000-8000-00000000000b";

/// Returns a statement that stores an account of a bank.
fn insert(account: u8, bank: &str) -> String {
    format!(
        "insert into passbook.accounts
           (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at)
         values ('{USER}', '00000000-0000-4000-8000-0000000001{account:02x}', '{bank}', 'Account {account}', 'depository',
           'checking', 'EUR', 0, now())"
    )
}

async fn writer() -> (Database, Client) {
    let database = Database::fresh().await;
    let writer = database.connect("passbook_writer").await;
    let banks = format!(
        "insert into passbook.users (user_id, email) values ('{USER}', 'ada@example.org');
         insert into passbook.banks (user_id, bank_id, name)
           values ('{USER}', '{OLD_BANK}', 'Old Bank'), ('{USER}', '{NEW_BANK}', 'New Bank')"
    );
    writer.batch_execute(&banks).await.expect("the banks are stored");
    (database, writer)
}

/// Returns the names of the banks of all accounts, in order of the accounts.
async fn names(writer: &Client) -> Vec<String> {
    let query = "select bank_name from passbook.accounts order by account_id";
    let rows = writer.query(query, &[]).await.expect("the accounts are read");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn account_has_the_name_of_its_bank_after_every_change() {
    let (_database, writer) = writer().await;
    let run =
        async |sql: &str| writer.batch_execute(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    run(&insert(1, OLD_BANK)).await;
    run(&insert(2, NEW_BANK)).await;
    assert_eq!(names(&writer).await, ["Old Bank", "New Bank"]);
    run(&format!("update passbook.banks set name = 'Older Bank' where bank_id = '{OLD_BANK}'")).await;
    assert_eq!(names(&writer).await, ["Older Bank", "New Bank"]);
    run(&format!("update passbook.accounts set bank_id = '{NEW_BANK}' where name = 'Account 1'")).await;
    assert_eq!(names(&writer).await, ["New Bank", "New Bank"]);
    run("update passbook.accounts set bank_name = 'Wrong Bank'").await;
    assert_eq!(names(&writer).await, ["New Bank", "New Bank"]);
    run(&format!("delete from passbook.banks where bank_id = '{NEW_BANK}'")).await;
    assert_eq!(names(&writer).await, [""; 0]);
}

#[tokio::test]
async fn account_of_an_unknown_bank_violates_the_foreign_key() {
    let (_database, writer) = writer().await;
    let error = writer.batch_execute(&insert(1, USER)).await.expect_err("there is no such bank");
    assert_eq!(error.code(), Some(&SqlState::FOREIGN_KEY_VIOLATION), "{error:?}");
}

#[tokio::test]
async fn account_that_is_added_while_its_bank_is_renamed_has_the_new_name() {
    let (database, writer) = writer().await;
    let other = database.connect("passbook_writer").await;
    let rename = format!("begin; update passbook.banks set name = 'Renamed' where bank_id = '{OLD_BANK}'");
    other.batch_execute(&rename).await.expect("the bank is renamed");
    let insert = insert(1, OLD_BANK);
    let (inserted, committed) = tokio::join!(writer.batch_execute(&insert), async {
        let waiting = database.connect("postgres").await;
        super::until_a_statement_waits(&waiting).await;
        other.batch_execute("commit").await
    });
    committed.expect("the new name is committed");
    inserted.expect("the account is stored");
    assert_eq!(names(&writer).await, ["Renamed"]);
}
