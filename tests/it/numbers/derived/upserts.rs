//! Totals after a statement that inserts rows and updates others.

use tests::database::{execute, one};

use super::statements::upsert_of_a_posted_row;
use super::{check, database};

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
