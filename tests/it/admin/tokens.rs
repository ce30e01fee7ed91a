//! `token create`, `token list`, `token rotate` and `token revoke`: a token is printed once and stored as a hash.

use passbook_auth::personal_access_token::{DEFAULT_PREFIX, PlainToken};
use tests::database::Database;

use tests::admin::{Ended, admin, admin_with_input, number};

const TOKENS: &str = "select count(*) from passbook.personal_access_tokens";

async fn database_with_ada() -> Database {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    database
}

fn create(database: &Database, more: &[&str]) -> Ended {
    let words = ["token", "create", "--user", "ada@example.org", "--name", "laptop"];
    admin(database, &[&words[..], more].concat())
}

#[tokio::test]
async fn token_is_printed_once_and_stored_as_its_hash() {
    let database = database_with_ada().await;
    let ended = create(&database, &[]);
    assert!(!ended.stderr.contains(ended.stdout.trim()), "the token must be on standard output only");
    let text = ended.done();
    let token =
        PlainToken::parse(DEFAULT_PREFIX, text.trim_end()).expect("standard output is one well-formed token");

    let writer = database.connect("passbook_writer").await;
    let query = "select token_hash, to_jsonb(t)::text, last_four, scopes, rest, mcp, \
                 (expires_at - created_at = interval '90 days') from passbook.personal_access_tokens as t";
    let row = writer.query_one(query, &[]).await.expect("one token");
    assert_eq!(row.get::<_, &[u8]>(0), token.hash().as_bytes());
    assert!(!row.get::<_, &str>(1).contains(text.trim_end()), "the row must not contain the token");
    assert_eq!(row.get::<_, &str>(2), token.last_four());
    assert_eq!(row.get::<_, Vec<String>>(3).len(), passbook_domain::scope::Scope::ALL.len());
    assert_eq!((row.get(4), row.get(5), row.get(6)), (true, true, true));

    let listed = admin(&database, &["token", "list"]).done();
    assert!(!listed.contains(text.trim_end()) && !listed.contains(DEFAULT_PREFIX), "{listed}");
    let hash: String = token.hash().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!listed.contains(&hash));
    assert!(listed.contains("laptop") && listed.contains(&token.last_four()) && listed.contains("active"));
}

#[tokio::test]
async fn token_may_have_fewer_scopes_one_surface_and_shorter_life() {
    let database = database_with_ada().await;
    let words = ["--scopes", "banks:read,budgets:read", "--surfaces", "mcp", "--expires-in-days", "7"];
    create(&database, &words).done();
    let as_given = "select count(*) from passbook.personal_access_tokens \
                    where scopes = '{banks:read,budgets:read}' and not rest and mcp \
                    and expires_at - created_at = interval '7 days'";
    assert_eq!(number(&database, as_given).await, 1);
}

#[tokio::test]
async fn repeated_scope_is_stored_once() {
    let database = database_with_ada().await;
    create(&database, &["--scopes", "budgets:read,banks:read,budgets:read"]).done();
    let once =
        "select count(*) from passbook.personal_access_tokens where scopes = '{budgets:read,banks:read}'";
    assert_eq!(number(&database, once).await, 1);
}

#[tokio::test]
async fn token_create_dry_run_prints_and_stores_nothing() {
    let database = database_with_ada().await;
    assert_eq!(create(&database, &["--dry-run"]).done(), "");
    assert_eq!(number(&database, TOKENS).await, 0);
}

#[tokio::test]
async fn revoked_token_stays_revoked() {
    let database = database_with_ada().await;
    create(&database, &[]).done();
    let revoked = "select count(*) from passbook.personal_access_tokens where revoked_at is not null";
    let id: uuid::Uuid = {
        let writer = database.connect("passbook_writer").await;
        writer
            .query_one("select token_id from passbook.personal_access_tokens", &[])
            .await
            .expect("one")
            .get(0)
    };
    let id = id.to_string();

    admin(&database, &["token", "revoke", &id, "--dry-run"]).done();
    assert_eq!(number(&database, revoked).await, 0);
    assert_eq!(admin(&database, &["token", "revoke", &id]).done(), format!("revoked {id}\n"));
    assert_eq!(number(&database, revoked).await, 1);
    assert!(admin(&database, &["token", "list", "--user", "Ada@example.org"]).done().contains("revoked"));
    assert_eq!(admin(&database, &["token", "revoke", &id]).done(), format!("{id} was already revoked\n"));
}

/// The columns of the tokens that a rotation does not change, one text for each token: the oldest token first.
async fn unchanged_columns(database: &Database) -> Vec<String> {
    let query = "select concat_ws(' ', user_id, name, scopes, rest, mcp, expires_at - created_at) \
                 from passbook.personal_access_tokens order by created_at";
    let rows = database.connect("passbook_writer").await.query(query, &[]).await.expect("the query runs");
    rows.iter().map(|row| row.get(0)).collect()
}

/// The id of the only token that is not revoked.
async fn active_id(database: &Database) -> String {
    let query = "select token_id::text from passbook.personal_access_tokens where revoked_at is null";
    let writer = database.connect("passbook_writer").await;
    writer.query_one(query, &[]).await.expect("one active token").get(0)
}

#[tokio::test]
async fn rotated_token_keeps_everything_but_the_secret() {
    let database = database_with_ada().await;
    let words = ["--scopes", "banks:read,budgets:read", "--surfaces", "mcp", "--expires-in-days", "7"];
    let old = create(&database, &words).done();
    let age = "update passbook.personal_access_tokens set created_at = created_at - interval '20 days', \
               expires_at = expires_at - interval '20 days'";
    database.connect("passbook_writer").await.batch_execute(age).await.expect("the token is made old");
    let old_id = active_id(&database).await;

    assert_eq!(admin(&database, &["token", "rotate", &old_id, "--dry-run"]).done(), "");
    assert_eq!((number(&database, TOKENS).await, active_id(&database).await), (1, old_id.clone()));

    let ended = admin(&database, &["token", "rotate", &old_id]);
    assert!(!ended.stderr.contains(ended.stdout.trim()), "the token must be on standard output only");
    assert!(ended.stderr.contains(&old_id) && ended.stderr.contains("ada@example.org"), "{ended:?}");
    let text = ended.done();
    let new = PlainToken::parse(DEFAULT_PREFIX, text.trim_end()).expect("one well-formed token");
    assert_ne!(text, old);
    let new_id = active_id(&database).await;
    assert_ne!(new_id, old_id);
    let columns = unchanged_columns(&database).await;
    assert_eq!((columns.len(), &columns[0]), (2, &columns[1]));
    let query =
        "select token_hash, expires_at > now() from passbook.personal_access_tokens where revoked_at is null";
    let row = database.connect("passbook_writer").await.query_one(query, &[]).await.expect("one token");
    assert_eq!((row.get::<_, &[u8]>(0), row.get(1)), (new.hash().as_bytes().as_slice(), true));

    let message = admin(&database, &["token", "rotate", &old_id]).failed(65);
    assert!(message.starts_with("TOKEN_ID: must be the id of a token that is not revoked"), "{message}");
    let unknown = "00000000-0000-4000-8000-000000000000";
    let message = admin(&database, &["token", "rotate", unknown]).failed(65);
    assert!(message.starts_with("TOKEN_ID: must be the id of a token;"), "{message}");
    assert_eq!(number(&database, TOKENS).await, 2);
}

#[tokio::test]
async fn token_on_standard_input_is_revoked_and_not_repeated() {
    let database = database_with_ada().await;
    let folder = tests::temporary::folder();
    let settings = tests::admin::file(folder.path(), "config.toml", "token_prefix = \"acme_\"\n");
    for (prefix, more) in [("pbk_", &[][..]), ("acme_", &["--config", &settings])] {
        let token = create(&database, more).done();
        assert!(token.starts_with(prefix), "the settings decide the prefix");
        let id = active_id(&database).await;
        let revoke = |words: &[&str]| {
            let ended = admin_with_input(
                &database,
                &[&["token", "revoke", "-"], words].concat(),
                &format!(" {token}"),
            );
            assert!(!format!("{ended:?}").contains(token.trim()), "{ended:?}");
            ended.done()
        };
        assert_eq!(revoke(&["--dry-run"]), format!("revoked {id}\n"));
        assert_eq!(active_id(&database).await, id);
        assert_eq!(revoke(&[]), format!("revoked {id}\n"));
        assert_eq!(revoke(&[]), format!("{id} was already revoked\n"));
    }
}

#[tokio::test]
async fn unusable_token_on_standard_input_is_not_repeated() {
    let database = database_with_ada().await;
    create(&database, &[]).done();
    let unknown = PlainToken::generate(DEFAULT_PREFIX);
    let unknown = unknown.reveal();
    for (input, rule) in [
        (unknown, "must be a token of this database"),
        (&unknown[..40], "must be one personal access token"),
        ("hunter2", "must be one personal access token"),
        ("", "must be one personal access token"),
    ] {
        let message = admin_with_input(&database, &["token", "revoke", "-"], input).failed(65);
        assert!(message.starts_with(&format!("standard input: {rule}")), "{message}");
        assert!(input.is_empty() || !message.contains(input), "{message}");
    }
    active_id(&database).await;
}

#[tokio::test]
async fn unknown_user_or_token_is_named() {
    let database = Database::fresh().await;
    let message = create(&database, &[]).failed(65);
    assert!(
        message.starts_with("--user: must be the e-mail address of a user")
            && message.contains("ada@example.org"),
        "{message}"
    );
    let unknown = "00000000-0000-4000-8000-000000000000";
    let message = admin(&database, &["token", "revoke", unknown]).failed(65);
    assert!(message.starts_with("TOKEN_ID: must be the id of a token"), "{message}");
    assert!(
        admin(&database, &["token", "list", "--user", "nobody@example.org"]).failed(65).contains("nobody@")
    );
}

#[tokio::test]
async fn invalid_token_options_are_rejected_with_allowed_values() {
    let database = database_with_ada().await;
    for (words, expected) in [
        (["--scopes", "everything"], "preferences:read"),
        (["--surfaces", "fax"], "mcp"),
        (["--expires-in-days", "366"], "365"),
        (["--expires-in-days", "0"], "365"),
    ] {
        let message = create(&database, &words).failed(64);
        assert!(message.contains(expected), "{message}");
    }
    for name in ["x".repeat(101), " \u{a0}".to_owned(), "lap\u{1b}[2Jtop".to_owned(), "lap\ntop".to_owned()] {
        let words = ["token", "create", "--user", "ada@example.org", "--name", &name];
        assert!(admin(&database, &words).failed(65).starts_with("name: must have 1 to 100 characters"));
    }
    let token = PlainToken::generate(DEFAULT_PREFIX);
    let truncated = &token.reveal()[..40];
    let words = ["token", "create", "--user", "ada@example.org", "--name", truncated];
    assert_eq!(
        admin(&database, &words).failed(65),
        "name: must not be a token, because names are displayed\n"
    );
    assert_eq!(number(&database, TOKENS).await, 0);
}

#[tokio::test]
async fn token_has_the_prefix_of_the_settings() {
    let database = database_with_ada().await;
    let folder = tests::temporary::folder();
    let settings = tests::admin::file(folder.path(), "config.toml", "token_prefix = \"acme_\"\n");
    let token = create(&database, &["--config", &settings]).done();
    assert!(PlainToken::parse("acme_", token.trim_end()).is_some(), "{token}");
    let settings = tests::admin::file(folder.path(), "config.toml", "token_prefix = \"ACME\"\n");
    let message = create(&database, &["--config", &settings]).failed(64);
    assert!(message.contains("PASSBOOK_TOKEN_PREFIX: must be up to 16"), "{message}");
}
