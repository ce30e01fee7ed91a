//! The start-up check of the policies: a changed, missing or additional policy is reported with its remedy. The same
//! holds for the function in the policies, and for definer functions that run as a role without row-level security.

use super::check::{CANARY, Case, Problem, case, database_with_a_person, problems, remedy};

const REMEDY_BUDGETS: &str = "drop policy own_rows on passbook.budgets; create policy own_rows on passbook.budgets to passbook_owner using (user_id = (select passbook.current_user_id()))";
const CHANGED: &str =
    "the policy own_rows on passbook.budgets differs from the one that the migrations created";
const REMEDY_CLIENTS: &str = "drop policy shared_clients on passbook.oauth_clients; create policy shared_clients on passbook.oauth_clients for select to passbook_owner using (user_id is null)";
const CHANGED_CLIENTS: &str =
    "the policy shared_clients on passbook.oauth_clients differs from the one that the migrations created";
const REMEDY_FUNCTION: &str = "CREATE OR REPLACE FUNCTION passbook.current_user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE RETURN (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid";
const CHANGED_FUNCTION: &str =
    "the function passbook.current_user_id() differs from the one that the migrations created";
const REMEDY_FINDER: &str =
    "alter function passbook_read.find_personal_access_token(presented_hash bytea) owner to passbook_deriver";
const STRONG_FINDER: &str = "the function passbook_read.find_personal_access_token(presented_hash bytea) runs as a role that bypasses row-level security";

/// Cases that `check.rs` runs with its own.
pub(super) const CASES: &[Case] = &[
    case(
        "create policy everybody on passbook.users to passbook_owner using (true)",
        "the policy everybody on passbook.users is not one of Passbook's",
        "drop policy everybody on passbook.users",
    ),
    case(
        "create policy \"Every body\" on passbook.wallets for select using (true)",
        "the policy \"Every body\" on passbook.wallets is not one of Passbook's",
        "drop policy \"Every body\" on passbook.wallets",
    ),
    // A restrictive policy hides rows and makes totals wrong.
    case(
        "create policy recent on passbook.transactions as restrictive to passbook_owner using (date > '2026-01-01')",
        "the policy recent on passbook.transactions is not one of Passbook's",
        "drop policy recent on passbook.transactions",
    ),
    case("alter policy own_rows on passbook.budgets using (true)", CHANGED, REMEDY_BUDGETS),
    case(
        "alter policy own_rows on passbook.budgets using (user_id = (select passbook.current_user_id()) or true)",
        CHANGED,
        REMEDY_BUDGETS,
    ),
    case(
        "alter policy own_rows on passbook.budgets using (user_id is not null or user_id = passbook.current_user_id())",
        CHANGED,
        REMEDY_BUDGETS,
    ),
    case("alter policy own_rows on passbook.budgets to public", CHANGED, REMEDY_BUDGETS),
    case(
        "create function public.current_user_id() returns uuid language sql as 'select gen_random_uuid()'; \
         alter policy own_rows on passbook.budgets using (user_id = (select public.current_user_id()))",
        CHANGED,
        REMEDY_BUDGETS,
    ),
    case(
        "drop policy own_rows on passbook.budgets",
        "the policy own_rows on passbook.budgets is missing",
        "create policy own_rows on passbook.budgets to passbook_owner using (user_id = (select passbook.current_user_id()))",
    ),
    case(
        "drop policy own_rows on passbook.budgets; create policy own_rows on passbook.budgets \
         for select to passbook_owner using (user_id = (select passbook.current_user_id()))",
        CHANGED,
        REMEDY_BUDGETS,
    ),
    case(
        "alter policy shared_clients on passbook.oauth_clients using (true)",
        CHANGED_CLIENTS,
        REMEDY_CLIENTS,
    ),
    case(
        "alter policy shared_clients on passbook.oauth_clients using (user_id is null or revoked_at is null)",
        CHANGED_CLIENTS,
        REMEDY_CLIENTS,
    ),
    case(
        "create or replace function passbook.current_user_id() returns uuid language sql stable as \
         $$ select '00000000-0000-0000-0000-000000000000'::uuid $$",
        CHANGED_FUNCTION,
        REMEDY_FUNCTION,
    ),
    case(
        "alter function passbook.current_user_id() set app.user_id = '00000000-0000-0000-0000-000000000000'",
        CHANGED_FUNCTION,
        REMEDY_FUNCTION,
    ),
    case(
        "drop policy writer on passbook.budgets",
        "the policy writer on passbook.budgets is missing",
        "create policy writer on passbook.budgets to passbook_writer using (true) with check (true)",
    ),
    case(
        "alter policy writer on passbook.budgets with check (false)",
        "the policy writer on passbook.budgets differs from the one that the migrations created",
        "drop policy writer on passbook.budgets; create policy writer on passbook.budgets to passbook_writer using (true) with check (true)",
    ),
    case(
        "create role \"reads and loads\"; grant passbook_writer to \"reads and loads\"; \
         alter view passbook_read.base_currency owner to \"reads and loads\"",
        "the role \"reads and loads\" owns views or security definer functions and is a member of passbook_writer, which sees all rows",
        "revoke passbook_writer from \"reads and loads\"",
    ),
    case(
        "alter function passbook_read.find_personal_access_token(bytea) owner to postgres",
        STRONG_FINDER,
        REMEDY_FINDER,
    ),
    case(
        "create role \"sees everybody\" bypassrls; \
         alter function passbook_read.find_personal_access_token(bytea) owner to \"sees everybody\"; \
         grant passbook_reader to \"sees everybody\"",
        STRONG_FINDER,
        REMEDY_FINDER,
    ),
];

#[tokio::test]
async fn view_over_unprotected_tables_is_detected() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    let definition = "select pg_get_viewdef('passbook_read.current_user_profile'::regclass)";
    let definition: String = superuser.query_one(definition, &[]).await.expect("the view exists").get(0);
    let swap = "create table public.everybody as select * from passbook_read.current_user_profile with no data; \
         insert into public.everybody (user_id) select user_id from passbook.users; \
         grant select on public.everybody to passbook_owner; \
         create or replace view passbook_read.current_user_profile as select * from public.everybody";
    superuser.batch_execute(swap).await.expect("a superuser can replace the view");
    let expected = Problem {
        finding: "rows of people are visible although app.user_id is not set".to_owned(),
        remedy: remedy(CANARY.to_owned()),
    };
    assert_eq!(problems(&database, "passbook_reader").await, [expected]);
    let restore = format!("create or replace view passbook_read.current_user_profile as {definition}");
    superuser.batch_execute(&restore).await.expect("a superuser can restore the view");
    assert_eq!(problems(&database, "passbook_reader").await, []);
}

#[tokio::test]
async fn policy_for_a_role_that_serves_no_reads_is_accepted() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    let backup = "create policy backup on passbook.users for select to pg_read_all_data using (true)";
    superuser.batch_execute(backup).await.expect("a superuser can create the policy");
    assert_eq!(problems(&database, "passbook_reader").await, []);
}
