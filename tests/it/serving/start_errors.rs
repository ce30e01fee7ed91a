//! Start-up errors: every problem is reported with its remedy and without secrets, nothing listens, and the exit code
//! states the kind of problem.

use std::net::TcpListener;
use std::process::Command;

use tests::database::Database;

use tests::server_process::{TestFolder, run};

/// A password that the server must never print.
const SECRET: &str = "hunter2";

/// Runs a server that must not start. Checks the exit code and returns the lines of standard error.
#[track_caller]
fn failed_start(command: Command, code: i32) -> Vec<String> {
    let ended = run(command);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(code), &[][..]), "{}", ended.stderr);
    assert!(!ended.stderr.contains(SECRET), "standard error contains a secret: {}", ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    ended.stderr.lines().map(str::to_owned).collect()
}

/// An invalid setting as flags, environment or settings file, and the start of the expected error line.
struct Bad {
    flags: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    file: &'static str,
    begins: &'static str,
}

const NONE: Bad = Bad { flags: &[], environment: &[], file: "", begins: "" };

const BAD: &[Bad] = &[
    Bad { flags: &["--listen", "here"], begins: "PASSBOOK_LISTEN: must be an address and a port", ..NONE },
    Bad {
        environment: &[("PASSBOOK_LISTEN", "localhost")],
        begins: "PASSBOOK_LISTEN: must be an address",
        ..NONE
    },
    Bad { file: "listen = \"1.2.3.4\"\n", begins: "PASSBOOK_LISTEN: must be an address", ..NONE },
    Bad {
        flags: &["--listen", "0.0.0.0:0"],
        begins: "PASSBOOK_ORIGIN: must be set when PASSBOOK_LISTEN",
        ..NONE
    },
    Bad {
        flags: &["--rate-limit-user", "100001"],
        begins: "PASSBOOK_RATE_LIMIT_USER: must be a whole number from 0 to 100000",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_RATE_LIMIT_CLIENT", "-1")],
        begins: "PASSBOOK_RATE_LIMIT_CLIENT: must be a whole number from 0 to 100000",
        ..NONE
    },
    Bad { environment: &[("PASSBOOK_LISTN", "x")], begins: "PASSBOOK_LISTN: is not a setting", ..NONE },
    Bad {
        environment: &[("PASSBOOK_ADMIN_URL", "x")],
        begins: "PASSBOOK_ADMIN_URL: is not a setting",
        ..NONE
    },
    Bad { file: "listn = \"x\"\n", begins: "listn: is not a setting", ..NONE },
    Bad { file: "listen = [1]\n", begins: "listen: must be text", ..NONE },
    Bad { flags: &["--listn"], begins: "command line: unexpected argument '--listn'", ..NONE },
    Bad { flags: &["--listen"], begins: "command line: a value is required for '--listen", ..NONE },
    Bad {
        flags: &["--database-url=postgresql://x:hunter2@h/d"],
        begins: "command line: unexpected argument '--database-url'",
        ..NONE
    },
    Bad {
        flags: &["--database-url", "postgresql://x:hunter2@h/d"],
        begins: "command line: unexpected argument '--database-url'",
        ..NONE
    },
    Bad {
        flags: &["postgresql://x:hunter2@h/d?a=b"],
        begins: "command line: unexpected word that is not a flag",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_CONNECTIONS", "0")],
        begins: "PASSBOOK_CONNECTIONS: must be a whole number from 1 to",
        ..NONE
    },
    Bad {
        flags: &["--request-seconds", "601"],
        begins: "PASSBOOK_REQUEST_SECONDS: must be a whole number from 1 to 600",
        ..NONE
    },
    Bad {
        file: "drain_seconds = -1\n",
        begins: "PASSBOOK_DRAIN_SECONDS: must be a whole number from 0 to 600",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_HEAD_SECONDS", "ten")],
        begins: "PASSBOOK_HEAD_SECONDS: must be a whole number",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_NO_DOWNLOAD", "perhaps")],
        begins: "PASSBOOK_NO_DOWNLOAD: must be true or false",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_DATA_DIR", "data")],
        begins: "PASSBOOK_DATA_DIR: must be an absolute path",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_TOKEN_PREFIX", "Pbk")],
        begins: "PASSBOOK_TOKEN_PREFIX: must be",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_MCP_ORIGINS", "https://claude.ai/x")],
        begins: "PASSBOOK_MCP_ORIGINS: must be origins without a path",
        ..NONE
    },
    Bad {
        file: "mcp_origins = \"https://claude.ai,claude.com\"\n",
        begins: "PASSBOOK_MCP_ORIGINS: must be origins",
        ..NONE
    },
    Bad {
        flags: &["--oauth-requestable-scopes", "budgets:read,budgets:write"],
        begins: "PASSBOOK_OAUTH_REQUESTABLE_SCOPES: must be scopes separated by commas, out of transactions:read",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_OAUTH_MODE", "both")],
        begins: "PASSBOOK_OAUTH_MODE: must be split, origin or direct",
        ..NONE
    },
    Bad {
        flags: &["--oauth-strip-scopes", "a,,b"],
        begins: "PASSBOOK_OAUTH_STRIP_SCOPES: must be scopes with commas between them, or none",
        ..NONE
    },
    Bad {
        flags: &["--apps-challenge-vendor", "openai"],
        begins: "PASSBOOK_APPS_CHALLENGE_VENDOR: has no effect without PASSBOOK_APPS_CHALLENGE_TOKEN",
        ..NONE
    },
    Bad {
        file: "apps_challenge_token = \"a b\"\n",
        begins: "PASSBOOK_APPS_CHALLENGE_TOKEN: must be 1 to 512 visible ASCII characters",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_OIDC_ISSUER", "http://project.example/auth/v1")],
        begins: "PASSBOOK_OIDC_ISSUER: must be https, or http on a loopback address",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_OIDC_ISSUER", "project"), ("PASSBOOK_OIDC_AUDIENCE", "authenticated")],
        begins: "PASSBOOK_OIDC_ISSUER: must be a URL",
        ..NONE
    },
    Bad {
        file: "oidc_audience = \"authenticated\"\n",
        begins: "PASSBOOK_OIDC_AUDIENCE: has no effect without PASSBOOK_OIDC_ISSUER",
        ..NONE
    },
    Bad {
        flags: &["--oidc-hosts", "keys.example"],
        begins: "PASSBOOK_OIDC_HOSTS: has no effect without PASSBOOK_OIDC_ISSUER",
        ..NONE
    },
    Bad {
        flags: &["--oidc-issuer", "https://project.example", "--oidc-audience", "a,,b"],
        begins: "PASSBOOK_OIDC_AUDIENCE: must be a list",
        ..NONE
    },
    Bad { environment: &[("PASSBOOK_LOG", "=")], begins: "PASSBOOK_LOG: must be a filter", ..NONE },
    Bad {
        environment: &[("PASSBOOK_LOG_FORMAT", "xml")],
        begins: "PASSBOOK_LOG_FORMAT: must be text or json",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_DATABASE_URL", "postgresql://x:hunter2@h:port/d")],
        begins: "PASSBOOK_DATABASE_URL: must be a URL",
        ..NONE
    },
    Bad {
        environment: &[("PASSBOOK_DATABASE_URL", "postgresql://x:hunter2@h/d?sslmode=verify-ca")],
        begins: "PASSBOOK_DATABASE_URL: has sslmode=verify-ca without a file of an authority",
        ..NONE
    },
    Bad { file: "database_url = \"no:hunter2@h\"\n", begins: "PASSBOOK_DATABASE_URL: must be a URL", ..NONE },
    Bad { environment: &[("PASSBOOK_POSTGRES_BIN", "/nowhere")], begins: "PASSBOOK_POSTGRES_BIN: ", ..NONE },
];

fn server_with(folder: &TestFolder, bad: &Bad) -> Command {
    let mut flags = bad.flags.to_vec();
    let path;
    if !bad.file.is_empty() {
        path = folder.file("settings.toml", bad.file);
        flags.splice(0..0, ["--config", path.as_str()]);
    }
    let mut server = folder.server(&flags);
    if bad.file.starts_with("listen") {
        server.env_remove("PASSBOOK_LISTEN");
    }
    server.envs(bad.environment.iter().copied());
    server
}

#[test]
fn invalid_setting_exits_with_64_and_one_line() {
    let folder = TestFolder::create();
    for bad in BAD {
        let lines = failed_start(server_with(&folder, bad), 64);
        assert!(lines[0].starts_with(bad.begins), "expected {:?}, found {lines:?}", bad.begins);
        // Only the message about a missing PostgreSQL has more than one line.
        assert!(lines.len() == 1 || bad.begins.starts_with("PASSBOOK_POSTGRES_BIN"), "{lines:?}");
        assert!(!folder.data_dir().join("postgres/cluster").exists(), "{:?}", bad.begins);
    }
}

/// Origins that are no base address. `https` in upper case and a fragment would otherwise be found only later.
const BAD_ORIGINS: [&[&str]; 6] = [
    &["--origin", "money.example"],
    &["--origin", "HTTPS://money.example"],
    &["--origin", "https://money.example#x"],
    &["--origin", "https://money.example/app"],
    &["--origin", "https://money.example?a"],
    &["--origin", "https://ada@money.example"],
];

#[test]
fn origin_that_is_no_base_address_exits_with_64_before_the_database_is_opened() {
    let folder = TestFolder::create();
    for flags in BAD_ORIGINS {
        let lines = failed_start(server_with(&folder, &Bad { flags, ..NONE }), 64);
        assert!(lines.len() == 1 && lines[0].starts_with("PASSBOOK_ORIGIN: must be an origin"), "{lines:?}");
        assert!(!folder.data_dir().join("postgres/cluster").exists(), "{flags:?}");
    }
}

#[test]
fn all_invalid_settings_are_reported_at_once() {
    let folder = TestFolder::create();
    let everything = Bad {
        flags: &["--listn", "x", "--request-seconds", "0", "--lag=3", "--listen", "here"],
        environment: &[
            ("PASSBOOK_ORIGIN", "here"),
            ("PASSBOOK_UNKNOWN", "x"),
            ("PASSBOOK_DATABASE_URL", "postgresql://x:hunter2@h:port/d"),
        ],
        file: "unknown = 1\nconnections = 0\n",
        ..NONE
    };
    let mut lines = failed_start(server_with(&folder, &everything), 64);
    lines.sort();
    let named: Vec<&str> = lines.iter().map(|line| line.split(": ").next().expect("a name")).collect();
    let expected = [
        "PASSBOOK_CONNECTIONS",
        "PASSBOOK_DATABASE_URL",
        "PASSBOOK_LISTEN",
        "PASSBOOK_ORIGIN",
        "PASSBOOK_REQUEST_SECONDS",
        "PASSBOOK_UNKNOWN",
        "command line",
        "command line",
        "unknown",
    ];
    assert_eq!(named, expected, "{lines:#?}");
}

#[test]
fn unreadable_settings_file_exits_with_64() {
    let folder = TestFolder::create();
    let broken = folder.file("broken.toml", "listen = \"127.0.0.1:0\nsecret = \"hunter2\"");
    let large = folder.file("large.toml", &"#".repeat(65 * 1024));
    let directory = folder.path().to_str().expect("UTF-8").to_owned();
    for (path, why) in [
        ("/nowhere.toml", "cannot be read"),
        (&broken, "is not TOML"),
        (&large, "is larger than"),
        (&directory, "cannot be read"),
    ] {
        let lines = failed_start(folder.server(&["--config", path]), 64);
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("{path}: {why}")), "{lines:?}");
    }
    // A settings file at the default path is read without a flag.
    std::fs::create_dir_all(folder.path().join("settings/passbook")).expect("the folder is created");
    folder.file("settings/passbook/config.toml", "unknown = 1\n");
    let mut server = folder.server(&[]);
    server.env("XDG_CONFIG_HOME", folder.path().join("settings"));
    assert!(failed_start(server, 64)[0].starts_with("unknown: is not a setting"));
}

#[tokio::test]
async fn unsuitable_database_exits_with_64_and_unreachable_one_with_69() {
    let (fresh, bare) = (Database::fresh().await, Database::bare().await);
    let behind = Database::fresh().await;
    let delete =
        "delete from passbook.migrations where version = (select max(version) from passbook.migrations)";
    behind.connect("postgres").await.batch_execute(delete).await.expect("a superuser can delete the row");
    let secret = |url: String, role: &str| url.replace(&format!("//{role}@"), &format!("//{role}:{SECRET}@"));
    let reader = |database: &Database| secret(database.url("passbook_reader"), "passbook_reader");
    let folder = TestFolder::create();
    let unreachable = format!(
        "postgresql://passbook_reader:{SECRET}@{}/x",
        folder.path().to_string_lossy().replace('/', "%2F")
    );
    let older = format!("schema version {}", passbook_schema::latest_version() - 1);
    for (name, url, code, words) in [
        ("a superuser", secret(fresh.url("postgres"), "postgres"), 64, &["passbook_reader", "superuser"][..]),
        ("no schema", reader(&bare), 64, &["passbook-admin migrate", "no Passbook schema"]),
        ("an older schema", reader(&behind), 64, &["passbook-admin migrate", &older]),
        (
            "no such database",
            format!("{}_elsewhere", reader(&fresh)),
            64,
            &["PASSBOOK_DATABASE_URL", "does not exist"],
        ),
        (
            "no such role",
            secret(fresh.url("nobody_here"), "nobody_here"),
            64,
            &["PASSBOOK_DATABASE_URL", "nobody_here"],
        ),
        ("no server at the socket", unreachable, 69, &["PASSBOOK_DATABASE_URL: cannot connect to"]),
    ] {
        let mut server = folder.server(&[]);
        server.env("PASSBOOK_DATABASE_URL", url);
        let lines = failed_start(server, code).join("\n");
        for word in words {
            assert!(lines.contains(word), "{name}: {word} is missing in {lines}");
        }
    }
}

#[tokio::test]
async fn role_that_may_write_is_reported_in_one_line() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let superuser = database.connect("postgres").await;
    superuser
        .batch_execute(
            "create role operator_of_all login; grant all on all tables in schema passbook, passbook_read to operator_of_all; \
             create role operator_of_migrations login createrole; grant passbook_owner to operator_of_migrations",
        )
        .await
        .expect("the roles are created");
    let count = "select count(*) from pg_class where relkind in ('r', 'p', 'v') and relnamespace in \
                 ('passbook'::regnamespace, 'passbook_read'::regnamespace)";
    let relations: i64 = superuser.query_one(count, &[]).await.expect("the query runs").get(0);
    for (role, causes) in [
        ("postgres", format!("superuser, may change {relations} tables and views")),
        ("passbook_owner", format!("may change {relations} tables and views")),
        ("operator_of_all", format!("may change {relations} tables and views")),
        (
            "operator_of_migrations",
            format!("member of passbook_owner, may create roles, may change {relations} tables and views"),
        ),
    ] {
        let login = format!("alter role {role} login");
        superuser.batch_execute(&login).await.expect("the role may log in");
        let mut server = folder.server(&[]);
        server.env("PASSBOOK_DATABASE_URL", database.url(role));
        let line = format!(
            "PASSBOOK_DATABASE_URL: connect as passbook_reader or a member of it (alter role passbook_reader login \
             password '…'); the role {role} may write ({causes})"
        );
        assert_eq!(failed_start(server, 64), [line], "{role}");
    }
    // The role has more than one cause here, so it has more than one line.
    let bare = Database::bare().await;
    let mut server = folder.server(&[]);
    server.env("PASSBOOK_DATABASE_URL", bare.url("postgres"));
    let lines = failed_start(server, 64);
    assert!(lines.len() == 2 && lines[1].contains("passbook-admin migrate"), "{lines:?}");
    superuser
        .batch_execute(
            "alter role passbook_owner nologin; drop owned by operator_of_all, operator_of_migrations; \
             drop role operator_of_all, operator_of_migrations",
        )
        .await
        .expect("the roles are dropped");
}

#[tokio::test]
async fn port_in_use_exits_with_64() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut server = folder.server(&["--listen", &address]);
    server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let lines = failed_start(server, 64);
    assert!(lines[0].starts_with(&format!("PASSBOOK_LISTEN: cannot listen on {address}")), "{lines:?}");
    // The embedded database that was started before listening failed is stopped again.
    let lines = failed_start(folder.server(&["--listen", &address]), 64);
    assert!(lines.iter().any(|line| line.starts_with("PASSBOOK_LISTEN: cannot listen")), "{lines:#?}");
    assert!(!folder.data_dir().join("postgres/cluster/postmaster.pid").exists());
}
