//! Database roles. The start-up check reports every unsafe role, policy and view, and every missing object, and applying
//! the reported remedy resolves each problem. PostgreSQL denies the reader all writing and other people's rows, and the
//! writer all changes of the schema.

mod objects;
mod privileges;

use passbook_store::Store;
use tests::app::{App, store_config};
use tests::database::{Database, execute, one};
use tests::household::Household;
use tokio_postgres::Client;

/// The texts of a problem.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) sentence: String,
    pub(super) remedy: passbook_store::Remedy,
}

/// Faulty states, each with its finding, its remedy and the statement that resolves it.
const FAULTS: &str = include_str!("roles/faults.txt");
const MIGRATE: &str = "apply the migrations";
const RESTORE: &str = "restore the database from a backup";
const NEWER_PROGRAM: &str = "run a program as new as the database";

/// The remedy with this text.
fn remedy(text: String) -> passbook_store::Remedy {
    match text.as_str() {
        MIGRATE => passbook_store::Remedy::Migrate,
        NEWER_PROGRAM => passbook_store::Remedy::NewerProgram,
        RESTORE => passbook_store::Remedy::Restore,
        _ => passbook_store::Remedy::Statement(text),
    }
}

/// A copy of the role `passbook_reader` with a name that must be quoted.
struct Role {
    name: String,
    database: Database,
    superuser: Client,
}

impl Role {
    async fn create(database: &Database, name: &str) -> Role {
        let superuser = database.connect("postgres").await;
        let role = Role { name: name.to_owned(), database: database.clone(), superuser };
        role.run(
            "create role ROLE login; grant passbook_reader to ROLE; \
             alter role ROLE set default_transaction_read_only = on; alter role ROLE set statement_timeout = '5s'",
        )
        .await;
        role
    }

    fn fill(&self, text: &str) -> String {
        let version = passbook_schema::latest_version();
        text.replace("ROLE", &format!("\"{}\"", self.name.replace('"', "\"\"")))
            .replace("NAME", &self.name)
            .replace("VERSION", &version.to_string())
            .replace("EARLIER", &(version - 1).to_string())
            .replace("LATER", &(version + 1).to_string())
    }

    async fn run(&self, statement: &str) {
        let statement = self.fill(statement);
        let ran = self.superuser.batch_execute(&statement).await;
        ran.unwrap_or_else(|error| panic!("{statement}: {error:?}"));
    }

    async fn problems(&self) -> Vec<Finding> {
        problems(&self.database, &self.name).await
    }

    async fn drop(self) {
        self.run("drop owned by ROLE; drop role ROLE").await;
    }
}

/// A store whose only connection has a role.
fn store_of(database: &Database, role: &str) -> Store {
    Store::new(store_config(database.configuration(role))).expect("the configuration is valid")
}

/// The problems that the check reports to a new connection of a role.
pub(super) async fn problems(database: &Database, role: &str) -> Vec<Finding> {
    let problems =
        passbook_store::check(&store_of(database, role)).await.expect("the check runs").into_iter();
    problems.map(|finding| Finding { sentence: finding.sentence, remedy: finding.remedy }).collect()
}

/// A database with a person, whose rows a gap in row-level security would show.
pub(super) async fn database_with_a_person() -> Database {
    let app = App::start().await;
    app.load(Household::new().records()).await;
    app.database.clone()
}

#[tokio::test]
async fn each_problem_is_reported_with_a_remedy_that_resolves_it() {
    let database = database_with_a_person().await;
    for (number, (fault, values)) in
        tests::table::rows(FAULTS).into_iter().enumerate().step_by(tests::cases(6, 1))
    {
        let role = Role::create(&database, &format!("Faulty \"reader\" {number}")).await;
        assert_eq!(role.problems().await, [], "before: {fault}");
        role.run(fault).await;
        let [finding, fix] = [values[0], values[1]];
        let expected = Finding { sentence: role.fill(finding), remedy: remedy(role.fill(fix)) };
        assert_eq!(role.problems().await.first(), Some(&expected), "{fault}");
        match values.get(2).map_or(("", fix), |statement| statement.split_once(": ").expect("a kind")) {
            ("part", statement) => {
                assert!(fix.split("; if it owns it: ").any(|part| part == statement), "{statement}");
                role.run(statement).await;
            }
            (_, statement) => role.run(statement).await,
        }
        assert_eq!(role.problems().await, [], "after the remedy: {fault}");
        role.drop().await;
    }
}

#[tokio::test]
async fn membership_hides_the_privileges_that_come_with_it() {
    let database = database_with_a_person().await;
    let role = Role::create(&database, "reader in the writing roles").await;
    role.run("grant passbook_owner, passbook_writer to ROLE").await;
    let remedies: Vec<String> =
        role.problems().await.into_iter().map(|problem| problem.remedy.to_string()).collect();
    assert_eq!(
        remedies,
        ["revoke passbook_owner from ROLE", "revoke passbook_writer from ROLE"]
            .map(|remedy| role.fill(remedy))
    );
    role.drop().await;
}

#[tokio::test]
async fn all_problems_of_a_role_are_reported_at_once() {
    let database = database_with_a_person().await;
    let role = Role::create(&database, "wrong in every way").await;
    role.run(
        "alter role ROLE bypassrls; alter role ROLE reset all; revoke passbook_reader from ROLE; \
         grant insert on passbook.budgets, passbook.wallets to ROLE",
    )
    .await;
    let remedies: Vec<String> =
        role.problems().await.into_iter().map(|problem| problem.remedy.to_string()).collect();
    assert_eq!(remedies.len(), 6, "{remedies:#?}");
    for remedy in &remedies {
        role.run(remedy.split("; if it owns it: ").next().expect("a part")).await;
    }
    assert_eq!(role.problems().await, []);
    role.drop().await;
}

/// The remedy for visible rows of people.
const CANARY: &str =
    "reset app.user_id of the role, and restore the views of passbook_read as the migrations created them";

#[tokio::test]
async fn view_over_unprotected_tables_is_detected() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    let definition = "select pg_get_viewdef('passbook_read.current_user_profile'::regclass)";
    let definition: String = one(&superuser, definition).await;
    let swap = "create table public.everybody as select * from passbook_read.current_user_profile with no data; \
         insert into public.everybody (user_id) select user_id from passbook.users; \
         grant select on public.everybody to passbook_owner; \
         create or replace view passbook_read.current_user_profile as select * from public.everybody";
    execute(&superuser, swap).await;
    let expected = Finding {
        sentence: "rows of people are visible although app.user_id is not set".to_owned(),
        remedy: remedy(CANARY.to_owned()),
    };
    assert_eq!(problems(&database, "passbook_reader").await, [expected]);
    let restore = format!("create or replace view passbook_read.current_user_profile as {definition}");
    execute(&superuser, &restore).await;
    assert_eq!(problems(&database, "passbook_reader").await, []);
}

#[tokio::test]
async fn policy_for_a_role_that_serves_no_reads_is_accepted() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    let backup = "create policy backup on passbook.users for select to pg_read_all_data using (true)";
    execute(&superuser, backup).await;
    assert_eq!(problems(&database, "passbook_reader").await, []);
}

/// A function that bypasses row-level security.
const STRONG: &str = "create schema if not exists strong; create or replace function strong.yes() returns boolean \
     language sql security definer as 'select true'; alter function strong.yes() owner to postgres; \
     grant usage on schema strong to public";

#[tokio::test]
async fn grants_view_may_call_a_function_that_bypasses_row_security() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    execute(&superuser, STRONG).await;
    let redefine = "create or replace view passbook_read.grants as select user_id, credential, reference, owner_user_id, \
         scopes, rest, mcp, revoked or not strong.yes() as revoked, expired from passbook.stored_grants";
    execute(&superuser, redefine).await;
    assert_eq!(problems(&database, "passbook_reader").await, []);
    // The view itself must still belong to a role for which row-level security holds.
    execute(&superuser, "alter view passbook_read.grants owner to postgres").await;
    let found = problems(&database, "passbook_reader").await;
    assert!(found[0].sentence.starts_with("the view passbook_read.grants belongs to a role"), "{found:?}");
}
