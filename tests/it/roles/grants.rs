//! The start-up check of the grants, which a deployment may redefine: a view that could not be read is named before
//! anybody asks, and a function that no wall holds for may stand behind the grants and behind nothing else.

use super::check::{Case, advice, case, inhabited, problems};

const STRONG: &str = "create schema if not exists strong; create or replace function strong.yes() returns boolean \
     language sql security definer as 'select true'; alter function strong.yes() owner to postgres; \
     grant usage on schema strong to public";
const BEHIND: &str =
    "behind the view passbook_read.rate_base the function strong.yes() runs as a role for whom no wall holds";

/// Run with the other cases of the check.
pub(super) const CASES: &[Case] = &[
    advice(
        "alter view passbook_read.grants rename column rest to web",
        "the view passbook_read.grants has no column rest of type boolean",
        "redefine it with the columns and types that docs/grants.md lists",
        "alter view passbook_read.grants rename column web to rest",
    ),
    case(
        "revoke select on passbook_read.grants from passbook_reader",
        "the role NAME may not select from passbook_read.grants",
        "grant select on passbook_read.grants to passbook_reader",
    ),
    case(
        "create schema strong; grant usage on schema strong to public; \
         create function strong.yes() returns boolean language sql security definer as 'select true'; \
         create or replace view passbook_read.rate_base as \
           select rate_base.currency from passbook.rate_base where strong.yes()",
        BEHIND,
        "alter function strong.yes() owner to passbook_owner",
    ),
];

#[tokio::test]
async fn behind_the_grants_such_a_function_may_stand() {
    let database = inhabited().await;
    let superuser = database.connect("postgres").await;
    superuser.batch_execute(STRONG).await.expect("a superuser may");
    let redefine = "create or replace view passbook_read.grants as select user_id, credential, reference, owner_user_id, \
         scopes, rest, mcp, revoked or not strong.yes() as revoked, expired from passbook.recorded_grants";
    superuser.batch_execute(redefine).await.expect("a superuser may");
    assert_eq!(problems(&database, "passbook_reader").await, []);
    // Whatever the grants say, they are read as a role for whom the wall holds.
    superuser
        .batch_execute("alter view passbook_read.grants owner to postgres")
        .await
        .expect("a superuser may");
    let said = problems(&database, "passbook_reader").await;
    assert!(said[0].what.starts_with("the view passbook_read.grants belongs to a role"), "{said:?}");
}
