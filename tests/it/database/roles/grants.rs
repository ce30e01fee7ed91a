//! The start-up check of the view `passbook_read.grants`, which a deployment may redefine: an unreadable view is
//! reported, and a function that bypasses row-level security is accepted in this view only.

use super::check::{Case, advice, case, database_with_a_person, problems};

const STRONG: &str = "create schema if not exists strong; create or replace function strong.yes() returns boolean \
     language sql security definer as 'select true'; alter function strong.yes() owner to postgres; \
     grant usage on schema strong to public";
const BEHIND: &str = "the view passbook_read.base_currency uses the function strong.yes(), which runs as a role that bypasses row-level security";

/// Cases that `check.rs` runs with its own.
pub(super) const CASES: &[Case] = &[
    advice(
        "alter view passbook_read.grants rename column rest to web",
        "the view passbook_read.grants has no column rest of type boolean",
        "redefine it with the columns and types that docs/grants.md lists",
        "alter view passbook_read.grants rename column web to rest",
    ),
    case(
        "revoke select on passbook_read.grants from passbook_reader",
        "the role of the connection may not use the view passbook_read.grants",
        "grant select on passbook_read.grants to passbook_reader",
    ),
    case(
        "create schema strong; grant usage on schema strong to public; \
         create function strong.yes() returns boolean language sql security definer as 'select true'; \
         create or replace view passbook_read.base_currency as \
           select base.currency from passbook.base_currency as base where strong.yes()",
        BEHIND,
        "alter function strong.yes() owner to passbook_owner",
    ),
];

#[tokio::test]
async fn grants_view_may_call_a_function_that_bypasses_row_security() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    superuser.batch_execute(STRONG).await.expect("a superuser can create the function");
    let redefine = "create or replace view passbook_read.grants as select user_id, credential, reference, owner_user_id, \
         scopes, rest, mcp, revoked or not strong.yes() as revoked, expired from passbook.stored_grants";
    superuser.batch_execute(redefine).await.expect("a superuser can redefine the view");
    assert_eq!(problems(&database, "passbook_reader").await, []);
    // The view itself must still belong to a role for which row-level security holds.
    superuser
        .batch_execute("alter view passbook_read.grants owner to postgres")
        .await
        .expect("a superuser can change the owner");
    let found = problems(&database, "passbook_reader").await;
    assert!(found[0].finding.starts_with("the view passbook_read.grants belongs to a role"), "{found:?}");
}
