//! Totals after a statement that inserts rows and updates others.

use passbook_schema::latest_version;

use super::statements::{set_up, upsert_of_a_posted_row};
use super::{check, database};
use crate::schema_versions::database_at;

#[tokio::test]
async fn inserted_row_whose_posted_row_is_updated_by_the_same_statement_is_in_no_total() {
    let database = database().await;
    let superuser = database.connect("postgres").await;
    let writer = database.connect("passbook_writer").await;
    writer.batch_execute(&upsert_of_a_posted_row()).await.expect("the rows are stored");
    let replaced = "select count(*) from passbook.transactions where replaced";
    assert_eq!(superuser.query_one(replaced, &[]).await.expect("a count").get::<_, i64>(0), 1);
    check(&superuser, "the upsert").await.expect("the derived values are right");
}

#[tokio::test]
async fn migration_from_version_19_corrects_the_totals_of_earlier_upserts() {
    let mut client = database_at(19).await;
    client
        .batch_execute(&format!("{} {}", set_up(), upsert_of_a_posted_row()))
        .await
        .expect("the rows are stored");
    let wrong = "select count(*) from passbook.check_derived()";
    assert!(
        client.query_one(wrong, &[]).await.expect("a count").get::<_, i64>(0) > 0,
        "version 19 stores wrong totals"
    );
    let applied = passbook_schema::migrate(&mut client).await.expect("the migrations run");
    assert_eq!(applied.to, latest_version());
    assert_eq!(client.query_one(wrong, &[]).await.expect("a count").get::<_, i64>(0), 0);
}
