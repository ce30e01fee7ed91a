//! `derive` and `derive --check`.

use tests::database::Database;

use tests::admin::{admin, admin_with_input};

const BUNDLE: &str = include_str!("../../../crates/formats/data/example_bundle.json");

#[tokio::test]
async fn damaged_derived_data_are_reported_and_derived_again() {
    let database = Database::fresh().await;
    admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    assert_eq!(admin(&database, &["derive", "--check"]).done(), "derived data are right\n");
    let superuser = database.connect("postgres").await;
    superuser
        .batch_execute(
            "set session_replication_role = replica; update passbook.category_totals set cents = cents + 1; \
             update passbook.transactions set is_superseded = not is_superseded",
        )
        .await
        .expect("the derived data are damaged");
    let user = superuser.query_one("select user_id::text from passbook.users", &[]).await.expect("one user");
    let user: &str = user.get(0);
    let checked = admin(&database, &["derive", "--check"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (65, ""), "{checked:?}");
    for table in ["category_totals", "transactions"] {
        let line = format!("{table}, user {user}: must equal what is derived from the user's rows");
        assert!(checked.stderr.contains(&line), "{checked:?}");
    }
    assert!(checked.stderr.contains("differing row"), "{checked:?}");
    assert_eq!(admin(&database, &["derive"]).done(), "derived data were derived again\n");
    assert_eq!(admin(&database, &["derive", "--check"]).done(), "derived data are right\n");
}
