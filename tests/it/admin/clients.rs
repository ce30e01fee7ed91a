//! `client`, `consent` and `session`: creation, listing and revocation.

use tests::database::Database;

use tests::admin::{Ended, admin, number};

const CLIENTS: &str = "select count(*) from passbook.oauth_clients";
const ID: &str = "7c0f2f4e-1111-4222-8333-0123456789ab";

async fn database_with_ada() -> Database {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    database
}

fn create(database: &Database, more: &[&str]) -> Ended {
    let words =
        ["client", "create", "--name", "Dashboard", "--scopes", "banks:read,cashflow:read,banks:read"];
    admin(database, &[&words[..], more].concat())
}

fn dashboard(database: &Database, more: &[&str]) -> Ended {
    let words = ["--id", ID, "--kind", "personal_dashboard", "--owner", "ADA@example.org"];
    create(database, &[&words[..], more].concat())
}

#[tokio::test]
async fn dashboard_client_is_created_and_listed() {
    let database = database_with_ada().await;
    let uris =
        ["https://ada.example/callback", "http://127.0.0.1:3000/callback", "org.example.ada:/callback"];
    let more: Vec<&str> = uris.iter().flat_map(|uri| ["--redirect-uri", uri]).collect();
    let ended = dashboard(&database, &[&more[..], &["--surfaces", "rest"]].concat());
    assert!(ended.stderr.contains("serves ADA@example.org only"), "{ended:?}");
    assert_eq!(ended.done(), format!("{ID}\n"));
    let as_given = format!(
        "select count(*) from passbook.oauth_clients join passbook.users using (user_id) \
         where client_id = '{ID}' and kind = 'personal_dashboard' and email = 'ada@example.org' \
         and name = 'Dashboard' and scopes = '{{banks:read,cashflow:read}}' and rest and not mcp \
         and redirect_uris = '{{{}}}' and revoked_at is null",
        uris.join(",")
    );
    assert_eq!(number(&database, &as_given).await, 1);
    let listed = admin(&database, &["client", "list"]).done();
    let row = listed.lines().nth(1).expect("one client");
    for part in [ID, "personal_dashboard", "ada@example.org", "active", "banks:read,cashflow:read", uris[2]] {
        assert!(row.contains(part), "{part}: {row}");
    }
}

#[tokio::test]
async fn client_identifier_is_generated_only_on_request() {
    let database = database_with_ada().await;
    let message = create(&database, &["--kind", "known_mcp"]).failed(64);
    assert!(message.contains("--id"), "{message}");
    let message = create(&database, &["--kind", "known_mcp", "--id", ID, "--generate-id"]).failed(64);
    assert!(message.contains("--generate-id"), "{message}");
    assert_eq!(number(&database, CLIENTS).await, 0);
    let ended = create(&database, &["--kind", "known_mcp", "--generate-id"]);
    assert!(ended.stderr.contains("serves all users"), "{ended:?}");
    let id: uuid::Uuid = ended.done().trim().parse().expect("a UUID");
    let everyone = format!(
        "select count(*) from passbook.oauth_clients \
         where client_id = '{id}' and kind = 'known_mcp' and user_id is null and rest and mcp"
    );
    assert_eq!(number(&database, &everyone).await, 1);
    assert!(admin(&database, &["client", "list"]).done().contains("everyone"));
}

#[tokio::test]
async fn client_create_reports_all_faults_on_a_line_each() {
    let database = database_with_ada().await;
    let words = [
        "client",
        "create",
        "--id",
        "a b",
        "--kind",
        "dashboard",
        "--name",
        " ",
        "--owner",
        "bo@example.org",
        "--scopes",
        "everything,banks:read,",
        "--surfaces",
        "fax",
        "--redirect-uri",
        "https://a.example/#x",
        "--redirect-uri",
        "https://a.example/",
        "--redirect-uri",
        "http://a.example/",
    ];
    let message = admin(&database, &words).failed(65);
    let places: Vec<&str> = message.lines().map(|line| line.split(": ").next().expect("a place")).collect();
    assert_eq!(
        places,
        ["id", "kind", "name", "scopes", "scopes", "surfaces", "redirect uri", "redirect uri", "owner"],
        "{message}"
    );
    for allowed in
        ["personal_dashboard, known_mcp; received dashboard", "preferences:read; received everything"]
    {
        assert!(message.contains(allowed), "{allowed}: {message}");
    }
    assert!(
        message.contains("rest, mcp; received fax") && message.contains("received bo@example.org"),
        "{message}"
    );
    assert_eq!(number(&database, CLIENTS).await, 0);
}

#[tokio::test]
async fn dashboard_requires_an_owner_and_known_client_rejects_one() {
    let database = database_with_ada().await;
    let message = create(&database, &["--id", ID, "--kind", "personal_dashboard"]).failed(65);
    assert!(message.starts_with("owner: must be the address of the person"), "{message}");
    let words = ["--id", ID, "--kind", "known_mcp", "--owner", "ada@example.org"];
    let message = create(&database, &words).failed(65);
    assert!(message.starts_with("owner: must not be given for a known_mcp"), "{message}");
    let message =
        admin(&database, &["client", "create", "--id", ID, "--kind", "known_mcp", "--name", "x"]).failed(64);
    assert!(message.contains("--scopes"), "the scopes must be given: {message}");
    dashboard(&database, &["--dry-run"]).done();
    assert_eq!(number(&database, CLIENTS).await, 0);
    dashboard(&database, &[]).done();
    let message = dashboard(&database, &[]).failed(65);
    assert_eq!(message, format!("id: must not be the identifier of another client; received {ID}\n"));
}

/// Returns the client of [`ID`] as `client list` prints it.
fn listed(database: &Database) -> serde_json::Value {
    let list = admin(database, &["client", "list", "--output", "json"]).done();
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    list[0].clone()
}

#[tokio::test]
async fn client_update_replaces_only_the_given_values() {
    let database = database_with_ada().await;
    dashboard(&database, &["--surfaces", "rest", "--redirect-uri", "https://ada.example/callback"]).done();
    let mut expected = listed(&database);
    let update = |words: &[&str]| admin(&database, &[&["client", "update", ID], words].concat());
    let uris = ["http://127.0.0.1:3000/a", "org.example.ada:/b"];
    for (words, member, value) in [
        (vec!["--name", "Ledger"], "name", serde_json::json!("Ledger")),
        (vec!["--scopes", "spending:read,spending:read"], "scopes", serde_json::json!(["spending:read"])),
        (vec!["--surfaces", "mcp"], "surfaces", serde_json::json!(["mcp"])),
        (
            vec!["--redirect-uri", uris[0], "--redirect-uri", uris[1]],
            "redirect_uris",
            serde_json::json!(uris),
        ),
        (vec!["--no-redirect-uris"], "redirect_uris", serde_json::json!([])),
    ] {
        let rehearsed = update(&[&words[..], &["--dry-run"]].concat());
        assert!(rehearsed.stderr.contains("dry run: nothing was stored"), "{rehearsed:?}");
        rehearsed.done();
        assert_eq!(listed(&database), expected, "{words:?} in a dry run");
        assert_eq!(update(&words).done(), format!("updated {ID}\n"));
        expected[member] = value;
        assert_eq!(listed(&database), expected, "{words:?}");
    }
    admin(&database, &["client", "revoke", ID]).done();
    update(&["--name", "Late", "--surfaces", "rest,mcp"]).done();
    let client = listed(&database);
    assert_eq!((&client["state"], &client["name"]), (&"revoked".into(), &"Late".into()));
}

#[tokio::test]
async fn client_update_reports_all_faults() {
    let database = database_with_ada().await;
    dashboard(&database, &[]).done();
    let before = listed(&database);
    let update = |words: &[&str]| admin(&database, &[&["client", "update", ID], words].concat());
    let message = update(&[]).failed(64);
    assert!(message.contains("--name") && message.contains("--redirect-uri"), "{message}");
    let message = update(&["--no-redirect-uris", "--redirect-uri", "https://a.example/"]).failed(64);
    assert!(message.contains("cannot be used with"), "{message}");
    let words = ["--name", " ", "--scopes", "everything,banks:read", "--surfaces", "fax"];
    let message = update(&[&words[..], &["--redirect-uri", "http://a.example/"]].concat()).failed(65);
    let places: Vec<&str> = message.lines().map(|line| line.split(": ").next().expect("a place")).collect();
    assert_eq!(places, ["name", "scopes", "surfaces", "redirect uri"], "{message}");
    assert_eq!(listed(&database), before);
    let message = admin(&database, &["client", "update", "nobody", "--name", "x"]).failed(65);
    assert!(message.starts_with("CLIENT_ID: must be the id of a client"), "{message}");
}

#[tokio::test]
async fn client_is_revoked_once() {
    let database = database_with_ada().await;
    dashboard(&database, &[]).done();
    let revoked = "select count(*) from passbook.oauth_clients where revoked_at is not null";
    admin(&database, &["client", "revoke", ID, "--dry-run"]).done();
    assert_eq!(number(&database, revoked).await, 0);
    assert_eq!(admin(&database, &["client", "revoke", ID]).done(), format!("revoked {ID}\n"));
    assert_eq!(number(&database, revoked).await, 1);
    assert!(admin(&database, &["client", "list"]).done().contains("revoked"));
    assert_eq!(admin(&database, &["client", "revoke", ID]).done(), format!("{ID} was already revoked\n"));
    let message = admin(&database, &["client", "revoke", "nobody"]).failed(65);
    assert!(message.starts_with("CLIENT_ID: must be the id of a client"), "{message}");
}

#[tokio::test]
async fn consent_and_session_can_be_revoked_with_and_without_a_record() {
    for (kind, id, rows) in [("consent", ID, "oauth_consents"), ("session", "session-1", "oauth_sessions")] {
        let database = database_with_ada().await;
        dashboard(&database, &[]).done();
        let count = format!("select count(*) from passbook.{rows} where revoked_at is not null");
        let revoke = |more: &[&str]| {
            let words = [kind, "revoke", id, "--user", "ada@example.org"];
            admin(&database, &[&words[..], more].concat())
        };
        revoke(&["--dry-run"]).done();
        assert_eq!(number(&database, &count).await, 0);
        assert_eq!(revoke(&[]).done(), format!("revoked {id}, which was not recorded before\n"));
        assert_eq!(number(&database, &count).await, 1);
        assert_eq!(revoke(&[]).done(), format!("{id} was already revoked\n"));
        let writer = database.connect("passbook_writer").await;
        let restore = format!("update passbook.{rows} set revoked_at = null");
        writer.batch_execute(&restore).await.expect("the writer can run the statement");
        assert!(admin(&database, &[kind, "list", "--user", "Ada@example.org"]).done().contains("active"));
        assert_eq!(revoke(&[]).done(), format!("revoked {id}\n"));
        let listed = admin(&database, &[kind, "list"]).done();
        assert!(
            listed.contains(id) && listed.contains("ada@example.org") && listed.contains("revoked"),
            "{listed}"
        );
        let message = admin(&database, &[kind, "revoke", id, "--user", "bo@example.org"]).failed(65);
        assert!(message.starts_with("--user: must be the e-mail address of a user"), "{message}");
        assert!(admin(&database, &[kind, "list", "--user", "bo@example.org"]).failed(65).contains("bo@"));
    }
}

#[tokio::test]
async fn revocation_for_one_person_does_not_affect_another() {
    for (kind, id, rows, column) in [
        ("consent", ID, "oauth_consents", "client_id"),
        ("session", "session-1", "oauth_sessions", "session_id"),
    ] {
        let database = database_with_ada().await;
        admin(&database, &["user", "create", "--email", "bo@example.org"]).done();
        create(&database, &["--id", ID, "--kind", "known_mcp"]).done();
        let record = format!(
            "insert into passbook.{rows} (user_id, {column}) select user_id, '{id}' from passbook.users"
        );
        let writer = database.connect("passbook_writer").await;
        writer.batch_execute(&record).await.expect("the writer can run the statement");
        let revoked = admin(&database, &[kind, "revoke", id, "--user", "ada@example.org"]).done();
        assert_eq!(revoked, format!("revoked {id}\n"));
        for (email, state, other) in [("ada", "revoked", "bo@"), ("bo", "active", "ada@")] {
            let email = format!("{email}@example.org");
            let listed = admin(&database, &[kind, "list", "--user", &email]).done();
            let [_, row] = listed.lines().collect::<Vec<_>>()[..] else { panic!("{kind}: {listed}") };
            assert!(row.contains(&email) && row.contains(state) && !row.contains(other), "{kind}: {listed}");
        }
        let all = admin(&database, &[kind, "list"]).done();
        assert_eq!(all.lines().count(), 3, "{kind}: {all}");
    }
}

#[tokio::test]
async fn revoking_an_unknown_client_or_invalid_session_is_a_fault() {
    let database = database_with_ada().await;
    let message = admin(&database, &["consent", "revoke", "nobody", "--user", "ada@example.org"]).failed(65);
    assert!(message.starts_with("CLIENT_ID: must be the id of a client"), "{message}");
    let message = admin(&database, &["session", "revoke", "", "--user", "ada@example.org"]).failed(65);
    assert!(message.starts_with("SESSION_ID: must have 1 to 200 characters"), "{message}");
}
