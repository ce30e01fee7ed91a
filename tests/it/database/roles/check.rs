//! The start-up check: each problem is reported, and applying the reported remedy resolves it.

use passbook_store::{Config, Store};
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tokio_postgres::Client;

/// The texts of a problem.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) finding: String,
    pub(super) remedy: passbook_store::Remedy,
}

/// The statement that a test runs to resolve a problem.
pub(super) enum Statement {
    /// The whole remedy.
    Remedy,
    /// The part of the remedy that applies to this case.
    Part(&'static str),
    /// A statement with the effect that the remedy describes in words.
    Other(&'static str),
}

/// A faulty state. In the texts `NAME` stands for the role's name, `ROLE` for the role as a quoted identifier,
/// `VERSION` for the schema version, and `EARLIER` and `LATER` for the versions before and after.
pub(super) struct Case {
    fault: &'static str,
    finding: &'static str,
    remedy: &'static str,
    statement: Statement,
}

pub(super) const fn case(fault: &'static str, finding: &'static str, remedy: &'static str) -> Case {
    Case { fault, finding, remedy, statement: Statement::Remedy }
}

/// A privilege to write to a relation, granted to the role or to public.
const fn grant(fault: &'static str, finding: &'static str, remedy: &'static str, part: &'static str) -> Case {
    Case { fault, finding, remedy, statement: Statement::Part(part) }
}

pub(super) const fn advice(
    fault: &'static str,
    finding: &'static str,
    remedy: &'static str,
    statement: &'static str,
) -> Case {
    Case { fault, finding, remedy, statement: Statement::Other(statement) }
}

const WRITES_BUDGETS: &str = "the role NAME may write to passbook.budgets";
const REMEDY_BUDGETS: &str = "revoke insert, update, delete, truncate on passbook.budgets from ROLE, public; if it owns it: alter table passbook.budgets owner to passbook_owner";
const REVOKE_BUDGETS: &str = "revoke insert, update, delete, truncate on passbook.budgets from ROLE, public";
const WRITES_PEOPLE: &str = "the role NAME may write to passbook_read.current_user_profile";
const REMEDY_PEOPLE: &str = "revoke insert, update, delete, truncate on passbook_read.current_user_profile from ROLE, public; if it owns it: alter table passbook_read.current_user_profile owner to passbook_owner";
const REVOKE_PEOPLE: &str =
    "revoke insert, update, delete, truncate on passbook_read.current_user_profile from ROLE, public";

const MIGRATE: &str = "apply the migrations";
pub(super) const RESTORE: &str = "restore the database from a backup";
const NEWER_PROGRAM: &str = "run a program as new as the database";

/// The remedy with this text.
pub(super) fn remedy(text: String) -> passbook_store::Remedy {
    match text.as_str() {
        MIGRATE => passbook_store::Remedy::Migrate,
        NEWER_PROGRAM => passbook_store::Remedy::NewerProgram,
        RESTORE => passbook_store::Remedy::Restore,
        _ => passbook_store::Remedy::Statement(text),
    }
}

pub(super) const CANARY: &str =
    "reset app.user_id of the role, and restore the views of passbook_read as the migrations created them";

const CASES: &[Case] = &[
    case(
        "alter role ROLE bypassrls",
        "the role NAME bypasses row-level security",
        "alter role ROLE nobypassrls",
    ),
    case(
        "grant passbook_owner to ROLE",
        "the role NAME is a member of passbook_owner",
        "revoke passbook_owner from ROLE",
    ),
    case(
        "grant passbook_writer to ROLE",
        "the role NAME is a member of passbook_writer",
        "revoke passbook_writer from ROLE",
    ),
    case(
        "alter role ROLE noinherit; grant passbook_writer to ROLE; grant usage on schema passbook_read to ROLE; \
         grant select on all tables in schema passbook_read to ROLE; \
         grant execute on all functions in schema passbook_read to ROLE",
        "the role NAME is a member of passbook_writer",
        "revoke passbook_writer from ROLE",
    ),
    case(
        "alter role ROLE replication",
        "the role NAME may copy the whole database by replication",
        "alter role ROLE noreplication",
    ),
    case(
        "alter role ROLE noinherit; grant pg_read_server_files to ROLE; grant usage on schema passbook_read to ROLE; \
         grant select on all tables in schema passbook_read to ROLE; \
         grant execute on all functions in schema passbook_read to ROLE",
        "the role NAME may become pg_read_server_files, which may do more than read",
        "revoke \"pg_read_server_files\" from ROLE",
    ),
    case(
        "alter role ROLE noinherit; grant pg_execute_server_program to ROLE; \
         grant usage on schema passbook_read to ROLE; grant select on all tables in schema passbook_read to ROLE; \
         grant execute on all functions in schema passbook_read to ROLE",
        "the role NAME may become pg_execute_server_program, which may do more than read",
        "revoke \"pg_execute_server_program\" from ROLE",
    ),
    case("alter role ROLE createrole", "the role NAME may create roles", "alter role ROLE nocreaterole"),
    case(
        "alter role ROLE noinherit; grant postgres to ROLE; grant usage on schema passbook_read to ROLE; \
         grant select on all tables in schema passbook_read to ROLE; \
         grant execute on all functions in schema passbook_read to ROLE",
        "the role NAME may become postgres, which may do more than read",
        "revoke \"postgres\" from ROLE",
    ),
    case(
        "alter role ROLE noinherit; grant pg_write_all_data to ROLE; grant usage on schema passbook_read to ROLE; \
         grant select on all tables in schema passbook_read to ROLE; \
         grant execute on all functions in schema passbook_read to ROLE",
        "the role NAME may become pg_write_all_data, which may do more than read",
        "revoke \"pg_write_all_data\" from ROLE",
    ),
    case(
        "grant create on schema public to ROLE",
        "the role NAME may create objects in the schema public",
        "revoke create on schema public from ROLE, public",
    ),
    case(
        "grant create on schema passbook_read to public",
        "the role NAME may create objects in the schema passbook_read",
        "revoke create on schema passbook_read from ROLE, public",
    ),
    grant(
        "grant update (target_cents) on passbook.budgets to ROLE",
        WRITES_BUDGETS,
        REMEDY_BUDGETS,
        REVOKE_BUDGETS,
    ),
    grant("grant insert on passbook.budgets to ROLE", WRITES_BUDGETS, REMEDY_BUDGETS, REVOKE_BUDGETS),
    grant("grant update on passbook.budgets to ROLE", WRITES_BUDGETS, REMEDY_BUDGETS, REVOKE_BUDGETS),
    grant("grant delete on passbook.budgets to ROLE", WRITES_BUDGETS, REMEDY_BUDGETS, REVOKE_BUDGETS),
    grant("grant truncate on passbook.budgets to ROLE", WRITES_BUDGETS, REMEDY_BUDGETS, REVOKE_BUDGETS),
    grant("grant insert on passbook.budgets to public", WRITES_BUDGETS, REMEDY_BUDGETS, REVOKE_BUDGETS),
    grant(
        "grant update on passbook_read.current_user_profile to ROLE",
        WRITES_PEOPLE,
        REMEDY_PEOPLE,
        REVOKE_PEOPLE,
    ),
    grant(
        "grant delete on passbook_read.current_user_profile to public",
        WRITES_PEOPLE,
        REMEDY_PEOPLE,
        REVOKE_PEOPLE,
    ),
    grant(
        "alter table passbook.budgets owner to ROLE",
        WRITES_BUDGETS,
        REMEDY_BUDGETS,
        "alter table passbook.budgets owner to passbook_owner",
    ),
    grant(
        "alter view passbook_read.current_user_profile owner to ROLE; grant select on passbook_read.current_user_profile to passbook_reader",
        WRITES_PEOPLE,
        REMEDY_PEOPLE,
        "alter table passbook_read.current_user_profile owner to passbook_owner",
    ),
    case(
        "alter role ROLE set default_transaction_read_only = off",
        "transactions of the role NAME are not read-only by default",
        "alter role ROLE set default_transaction_read_only = on",
    ),
    case(
        "alter role ROLE set statement_timeout = 0",
        "statements of the role NAME have no time limit",
        "alter role ROLE set statement_timeout = '5s'",
    ),
    case(
        "revoke passbook_reader from ROLE",
        "the role NAME may not use the schema passbook_read",
        "grant passbook_reader to ROLE",
    ),
    case(
        "alter table passbook.transactions no force row level security",
        "row-level security is not forced on passbook.transactions",
        "alter table passbook.transactions enable row level security, force row level security",
    ),
    case(
        "alter table passbook.personal_access_tokens disable row level security",
        "row-level security is not forced on passbook.personal_access_tokens",
        "alter table passbook.personal_access_tokens enable row level security, force row level security",
    ),
    case(
        "alter view passbook_read.current_user_profile owner to postgres",
        "the view passbook_read.current_user_profile belongs to a role that bypasses row-level security",
        "alter view passbook_read.current_user_profile owner to passbook_owner",
    ),
    case(
        "alter view passbook.stored_grants owner to postgres",
        "the view passbook.stored_grants belongs to a role that bypasses row-level security",
        "alter view passbook.stored_grants owner to passbook_owner",
    ),
    advice(
        "do $$ declare seen uuid := (select user_id from passbook.users); \
         begin execute format('alter role ROLE set app.user_id = %L', seen); end $$",
        "rows of people are visible although app.user_id is not set",
        CANARY,
        "alter role ROLE reset app.user_id",
    ),
    advice(
        "update passbook.migrations set version = 0 where version = VERSION",
        "the database is at schema version EARLIER, this program needs VERSION",
        MIGRATE,
        "update passbook.migrations set version = VERSION where version = 0",
    ),
    advice(
        "update passbook.migrations set version = LATER where version = VERSION",
        "the database is at schema version LATER, ahead of this program's VERSION",
        NEWER_PROGRAM,
        "update passbook.migrations set version = VERSION where version = LATER",
    ),
];

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

    async fn problems(&self) -> Vec<Problem> {
        problems(&self.database, &self.name).await
    }

    async fn drop(self) {
        self.run("drop owned by ROLE; drop role ROLE").await;
    }
}

/// The problems that the check reports to a new connection of a role.
pub(super) async fn problems(database: &Database, role: &str) -> Vec<Problem> {
    let config = Config::new(database.configuration(role).into()).with_connections_max(1);
    let store = Store::new(config).expect("the configuration is valid");
    let problems = passbook_store::check(&store).await.expect("the check runs").into_iter();
    problems.map(|problem| Problem { finding: problem.finding, remedy: problem.remedy }).collect()
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
    for (number, case) in CASES
        .iter()
        .chain(super::policies::CASES)
        .chain(super::grants::CASES)
        .chain(super::objects::CASES)
        .enumerate()
        .step_by(tests::cases(3, 1))
    {
        let role = Role::create(&database, &format!("Faulty \"reader\" {number}")).await;
        assert_eq!(role.problems().await, [], "before: {}", case.fault);
        role.run(case.fault).await;
        let expected = Problem { finding: role.fill(case.finding), remedy: remedy(role.fill(case.remedy)) };
        assert_eq!(role.problems().await.first(), Some(&expected), "{}", case.fault);
        match case.statement {
            Statement::Remedy => role.run(case.remedy).await,
            Statement::Part(statement) => {
                assert!(case.remedy.split("; if it owns it: ").any(|part| part == statement), "{statement}");
                role.run(statement).await;
            }
            Statement::Other(statement) => role.run(statement).await,
        }
        assert_eq!(role.problems().await, [], "after the remedy: {}", case.fault);
        role.drop().await;
    }
}

/// The problem without the number of tables and views, which grows with the schema.
fn without_numbers(problem: Problem) -> Problem {
    let words =
        problem.finding.split(' ').filter(|word| *word != "RELATIONS" && word.parse::<u32>().is_err());
    Problem { finding: words.collect::<Vec<&str>>().join(" "), ..problem }
}

#[tokio::test]
async fn remedy_for_a_superuser_is_to_connect_as_the_reader() {
    let database = database_with_a_person().await;
    let role = Role::create(&database, "superuser of the check").await;
    role.run("alter role ROLE superuser").await;
    let expected = Problem {
        finding: role.fill("the role NAME may write (superuser, may change RELATIONS tables and views)"),
        remedy: passbook_store::Remedy::ReaderRole,
    };
    let [found] = <[Problem; 1]>::try_from(role.problems().await).expect("one problem");
    assert_eq!(without_numbers(found), without_numbers(expected));
    role.run("alter role passbook_reader login password 'secret'").await;
    assert_eq!(problems(&database, "passbook_reader").await, []);
    role.drop().await;
}

#[tokio::test]
async fn remedy_for_a_writing_role_is_to_connect_as_the_reader() {
    let database = database_with_a_person().await;
    let problems = problems(&database, "passbook_writer").await;
    let expected = Problem {
        finding: "the role passbook_writer may write (may change RELATIONS tables and views)".to_owned(),
        remedy: passbook_store::Remedy::ReaderRole,
    };
    let [found] = <[Problem; 1]>::try_from(problems).expect("one problem");
    assert_eq!(without_numbers(found), without_numbers(expected));
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

#[tokio::test]
async fn database_without_schema_is_reported_with_the_migrate_command() {
    let database = Database::bare().await;
    let finding = "the database has no Passbook schema".to_owned();
    let expected = Problem { finding, remedy: passbook_store::Remedy::Migrate };
    assert_eq!(problems(&database, "passbook_reader").await, [expected]);
    passbook_schema::migrate(&mut database.connect("postgres").await).await.expect("the migration succeeds");
    assert_eq!(problems(&database, "passbook_reader").await, []);
}
