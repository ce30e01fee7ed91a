//! `docs/grants.md`: the commands create and revoke grants as shown, and the statements for Supabase Auth end access,
//! tested on copies of its tables.

use passbook_domain::scope::Scope;
use tests::app::App;
use tests::database::{Database, execute, one};
use tests::documents::{Block, noted};
use tests::temporary::Folder;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::{ADMIN, as_writer};
use crate::auth::grants::{Caller, Connection};

/// The tables of Supabase Auth that the page reads, as of commit bc32168e13fdc928c98b449fc76bc3fdb9a293c5:
/// `20220811173540_add_sessions_table` and every later migration that changes them. Types of columns that this test
/// does not read are shortened to text.
const SUPABASE: &str = include_str!("supabase_auth.sql");

const CLIENT: &str = "9d0f5b52-6f0e-4a43-9c53-2a1f6d1f5f10";
const SESSION: &str = "5e550000-0000-4000-8000-000000000001";
const OTHER_SESSION: &str = "5e550000-0000-4000-8000-000000000002";

fn page_blocks() -> [Block<'static>; 5] {
    let blocks = tests::documents::blocks_of("docs/grants.md");
    let notes = ["create clients", "revoke", "Supabase", "own API keys", "sessions of a host"];
    assert_eq!(blocks.len(), notes.len());
    notes.map(|note| noted(&blocks, note))
}

#[tokio::test]
async fn commands_of_grants_create_and_revoke_as_shown() {
    let [make, take, ..] = page_blocks();
    let database = Database::fresh().await;
    let folder = Folder::create();
    let run = |script: &str| folder.done(&as_writer(&database, script), ADMIN);
    run("passbook-admin user create --email you@example.org");
    let listed = run(make.text);
    for part in [
        "personal_dashboard",
        "known_mcp",
        "you@example.org",
        "everyone",
        "http://127.0.0.1:3000/callback",
        "https://claude.ai/api/mcp/auth_callback",
    ] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    let output = run(take.text);
    assert_eq!(output.lines().filter(|line| line.starts_with("revoked ")).count(), 3, "{output}");
    assert_eq!(
        output.lines().filter(|line| line.contains(" revoked ")).count(),
        2,
        "both lists must show the revocation: {output}"
    );
}

/// A person with a client that is registered at Supabase, in a database with the role of a Supabase project.
struct Project {
    app: App,
    user: Uuid,
    superuser: Client,
}

impl Project {
    /// Runs the statements of the page as the role of the project.
    async fn start(statements: &Block<'_>) -> Project {
        let app = App::start().await;
        let (household, _) = app.add_person().await;
        let (user, superuser) = (household.user.user_id, app.database.connect("postgres").await);
        let role = format!("project_{}", Uuid::new_v4().simple());
        let supabase = SUPABASE.replace("PROJECT_ROLE", &role);
        execute(&superuser, &supabase).await;
        // The page's statements run with the rights of the project role only.
        let project = app.database.connect("postgres").await;
        execute(&project, &format!("set session authorization {role}")).await;
        execute(&project, statements.text).await;
        execute(
            &superuser,
            &format!(
                "insert into passbook.oauth_clients (client_id, kind, name, scopes) \
                 values ('{CLIENT}', 'known_mcp', 'Assistant', '{{cashflow:read}}'); \
                 insert into auth.users (id) values ('{user}'); \
                 insert into auth.oauth_clients \
                   (id, registration_type, redirect_uris, grant_types, client_type, token_endpoint_auth_method) \
                   values ('{CLIENT}', 'manual', 'https://a.example/', 'authorization_code', 'public', 'none'); \
                 insert into auth.sessions (id, user_id, oauth_client_id) \
                   values ('{SESSION}', '{user}', '{CLIENT}'), ('{OTHER_SESSION}', '{user}', '{CLIENT}')"
            ),
        )
        .await;
        Project { app, user, superuser }
    }

    async fn connect(&self, session: Option<&str>) -> Connection {
        Connection::open(&self.app.database, &Caller::client(self.user, CLIENT, session)).await
    }
}

/// A change by Supabase, and the expected statuses for a token of the session, of another session, and without one.
const ENDS: &[(&str, [u16; 3])] = &[
    (
        "insert into auth.oauth_consents (id, user_id, client_id, scopes) \
      select gen_random_uuid(), id, 'CLIENT', 'openid' from auth.users",
        [200; 3],
    ),
    ("update auth.oauth_clients set deleted_at = now()", [401; 3]),
    ("delete from auth.oauth_clients", [401; 3]),
    (
        "insert into auth.oauth_consents (id, user_id, client_id, scopes, revoked_at) \
      select gen_random_uuid(), id, 'CLIENT', 'openid', now() from auth.users",
        [401; 3],
    ),
    ("delete from auth.sessions where id = 'SESSION'", [401, 200, 200]),
    ("update auth.sessions set not_after = now() where id = 'SESSION'", [401, 200, 200]),
    ("update auth.sessions set not_after = now() + interval '1 hour'", [200; 3]),
    ("update auth.sessions set oauth_client_id = null where id = 'SESSION'", [401, 200, 200]),
    ("update passbook.oauth_clients set revoked_at = now()", [401; 3]),
    (
        "insert into passbook.oauth_sessions (user_id, session_id, revoked_at) \
      select id, 'SESSION', now() from auth.users",
        [401, 200, 200],
    ),
];

#[tokio::test]
async fn access_ended_by_supabase_is_refused_on_the_next_request() {
    let [_, _, supabase, ..] = page_blocks();
    for (end, after) in ENDS {
        let project = Project::start(&supabase).await;
        let mut connections = Vec::new();
        for session in [Some(SESSION), Some(OTHER_SESSION), None] {
            let mut connection = project.connect(session).await;
            assert_eq!(connection.status("/v1/cashflow/summary").await, 200, "{session:?}");
            connections.push(connection);
        }
        let end_access = end.replace("CLIENT", CLIENT).replace("SESSION", SESSION);
        execute(&project.superuser, &end_access).await;
        for (connection, after) in connections.iter_mut().zip(after) {
            assert_eq!(connection.status("/v1/cashflow/summary").await, *after, "{end}");
        }
    }
}

#[tokio::test]
async fn unknown_supabase_session_or_client_is_refused_and_personal_token_works() {
    let [_, _, supabase, ..] = page_blocks();
    let project = Project::start(&supabase).await;
    for session in ["5e550000-0000-4000-8000-00000000000f", "session-1", "' or true --"] {
        let mut connection = project.connect(Some(session)).await;
        assert_eq!(connection.status("/v1/cashflow/summary").await, 401, "{session}");
    }
    // Also refused: a client that only Passbook knows, and an identifier that Supabase cannot have assigned.
    for client in ["9d0f5b52-6f0e-4a43-9c53-000000000000", "connector"] {
        project.app.add_client(client, None, &[Scope::CashflowRead], true).await;
        let caller = Caller::client(project.user, client, None);
        let mut connection = Connection::open(&project.app.database, &caller).await;
        assert_eq!(connection.status("/v1/cashflow/summary").await, 401, "{client}");
    }
    let token = project.app.token(project.user).await;
    let mut connection = Connection::open(&project.app.database, &Caller::Token(token)).await;
    assert_eq!(connection.status("/v1/cashflow/summary").await, 200);
}

#[tokio::test]
async fn reader_cannot_read_the_tables_of_supabase() {
    let [_, _, supabase, ..] = page_blocks();
    let project = Project::start(&supabase).await;
    for role in ["passbook_reader", "passbook_owner"] {
        for table in ["oauth_clients", "oauth_consents", "sessions"] {
            let client = project.app.database.connect("postgres").await;
            execute(&client, &format!("set session authorization {role}")).await;
            let refused = client.batch_execute(&format!("select from auth.{table}")).await;
            let refused = refused.expect_err(&format!("{role} reads {table}"));
            assert_eq!(refused.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{refused:?}");
        }
    }
    // Without a named person, the reader sees no grants.
    let reader = project.app.database.connect(passbook_schema::READER).await;
    let rows: i64 = one(&reader, "select count(*) from passbook_read.grants").await;
    assert_eq!(rows, 0, "no grant may be visible without a named person");
}

/// Statements that end the session of the host, and the expected status.
const SESSION_ENDS: [(&str, u16); 4] = [
    ("update app.sessions set areas = '{spending}'", 403),
    ("update app.sessions set ended = true", 401),
    ("update app.sessions set ends_at = now()", 401),
    ("delete from app.sessions", 401),
];

#[tokio::test]
async fn session_of_a_host_is_a_grant_without_a_client() {
    let [.., sessions] = page_blocks();
    let app = App::start().await;
    let ((household, token), (other, _)) = (app.add_person().await, app.add_person().await);
    let (user, stranger) = (household.user.user_id, other.user.user_id);
    let superuser = app.database.connect("postgres").await;
    let table = "create schema app; create table app.sessions \
         (id text, person uuid, areas text[], ends_at timestamptz, ended boolean, primary key (id, person))";
    execute(&superuser, table).await;
    execute(&superuser, sessions.text).await;
    for (end, expected) in SESSION_ENDS {
        let begin = format!(
            "delete from app.sessions; insert into app.sessions \
             values ('s-1', '{user}', '{{cashflow}}', now() + interval '1 hour', false)"
        );
        execute(&superuser, &begin).await;
        let mut session = Connection::open(&app.database, &Caller::host(user, "s-1")).await;
        let mut foreign = Connection::open(&app.database, &Caller::host(stranger, "s-1")).await;
        assert_eq!(session.status("/v1/cashflow/summary").await, 200, "{end}");
        assert_eq!(session.status("/v1/spending/summary").await, 403, "{end}");
        assert_eq!(foreign.status("/v1/me").await, 401, "{end}");
        execute(&superuser, end).await;
        assert_eq!(session.status("/v1/cashflow/summary").await, expected, "{end}");
    }
    let mut connection = Connection::open(&app.database, &Caller::Token(token)).await;
    assert_eq!(connection.status("/v1/cashflow/summary").await, 200);
}
