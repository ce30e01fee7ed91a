//! The table of settings. Flags, environment names, file keys and `docs/config.toml` all come
//! from this table.

use crate::setting::{Kind, Program, Setting, Theme};

const SERVER: &[Program] = &[Program::Server];
const SERVER_AND_ADMIN: &[Program] = &[Program::Server, Program::Admin];
const SERVER_AND_DOCTOR: &[Program] = &[Program::Server, Program::Doctor];

const fn server(name: &'static str, kind: Kind, default: &'static str, meaning: &'static str) -> Setting {
    Setting { name, kind, default, example: "", meaning, secret: false, read_by: SERVER }
}

const fn examined(name: &'static str, kind: Kind, default: &'static str, meaning: &'static str) -> Setting {
    Setting { read_by: SERVER_AND_DOCTOR, ..server(name, kind, default, meaning) }
}

const fn shared(name: &'static str, kind: Kind, default: &'static str, meaning: &'static str) -> Setting {
    Setting { read_by: SERVER_AND_ADMIN, ..server(name, kind, default, meaning) }
}

const fn secret(setting: Setting) -> Setting {
    Setting { secret: true, ..setting }
}

/// All settings, in the order of `docs/config.toml`.
pub const SETTINGS: &[Setting] = &flattened::<{ count() }>();

/// The themes of the settings, in the order of `docs/config.toml`.
pub(crate) const THEMES: &[Theme] = &[
    Theme {
        title: "Addresses",
        introduction: "The address on which the server listens, and the origin under which clients reach it.",
        settings: &[
    examined(
        "PASSBOOK_LISTEN",
        Kind::Address,
        "127.0.0.1:8080",
        "Address and port to listen on. Port 0 selects a free port.",
    ),
    examined(
        "PASSBOOK_ORIGIN",
        Kind::Origin,
        "",
        "Origin under which clients reach the server, such as `https://money.example`. Without it, `http://` and the listening address. Required if the server listens on all addresses.",
    )
    .with_example("https://money.example"),
    examined(
        "PASSBOOK_TLS_CERTIFICATE",
        Kind::Path,
        "",
        "File with the certificate chain for TLS, in PEM, the server's own certificate first. Without it, connections are not encrypted: clients on other machines then reach the server through a reverse proxy that ends TLS. The files are read again once a minute and on SIGHUP. Requires `PASSBOOK_TLS_KEY`.",
    )
    .with_example("/etc/passbook/certificate.pem"),
    server(
        "PASSBOOK_TLS_KEY",
        Kind::Path,
        "",
        "File with the private key of the certificate, in PEM. Requires `PASSBOOK_TLS_CERTIFICATE`.",
    )
    .with_example("/etc/passbook/key.pem"),
        ],
    },
    Theme {
        title: "Database",
        introduction: "One database has two URLs with different roles. `passbook-server` reads through `database_url`, with a role that cannot write. `passbook-admin` writes through `admin_database_url`. Keep `admin_database_url` away from the server: give it only to the account that runs `passbook-admin`. `passbook-admin doctor` reports URLs that name different databases. Without both URLs, the programs use the embedded database.",
        settings: &[
    secret(examined(
        "PASSBOOK_DATABASE_URL",
        Kind::DatabaseUrl,
        "",
        "Database that the server reads, as `postgresql://role:password@host/database`. The role is `passbook_reader` or a member of it. The parameters `sslmode` and `sslrootcert` select TLS, and several hosts with `target_session_attrs` select a primary and standbys (`docs/deployment.md`). Without it, the embedded database.",
    ))
    .with_example("postgresql://passbook_reader:password@localhost/passbook"),
    secret(Setting {
        read_by: &[Program::Admin],
        ..server(
            "PASSBOOK_ADMIN_DATABASE_URL",
            Kind::DatabaseUrl,
            "",
            "Database that `passbook-admin` changes, as `postgresql://role:password@host/database`. The role is a member of `passbook_writer`. For `migrate`, it is a member of `passbook_owner` and `passbook_deriver` too, or it may create roles. `sslmode` and `sslrootcert` select TLS. Without it, the embedded database.",
        )
    })
    .with_example("postgresql://passbook_writer:password@localhost/passbook"),
    server(
        "PASSBOOK_DATABASE_CONNECTIONS",
        Kind::Number(1, 1_000),
        "8",
        "Maximum number of database connections for requests, to each host of the database. The readiness check has one more; with several hosts, the search for the primary has another one. Each user has at most half of this number of concurrent requests, at most 16; a further request waits for up to a second.",
    ),
    server(
        "PASSBOOK_DATABASE_CONNECTION_AGE_SECONDS",
        Kind::Number(1, 604_800),
        "1800",
        "Age at which a database connection is closed after its request, in seconds, less a random part of up to an eighth. Idle connections are closed too. If PostgreSQL begins a smart shutdown, which waits for the end of all connections, the server closes all of them within 10 seconds, whatever their age.",
    ),
    server(
        "PASSBOOK_DATABASE_STANDBY_LAG_SECONDS",
        Kind::Number(1, 60),
        "5",
        "Maximum time by which the data of a standby may be behind the primary, in seconds. A standby that is further behind is not read. Only with several hosts and `target_session_attrs=prefer-standby` in the database URL.",
    ),
    examined(
        "PASSBOOK_DATABASE_PREPARED_STATEMENTS",
        Kind::Boolean,
        "true",
        "Prepare each query once per database connection. Set `false` behind a pooler that does not support prepared statements in transaction mode, such as PgBouncer before 1.21. `docs/deployment.md` has the details.",
    ),
        ],
    },
    Theme {
        title: "Embedded database",
        introduction: "The PostgreSQL that Passbook starts itself if no URL names a database.",
        settings: &[
    shared(
        "PASSBOOK_DATA_DIR",
        Kind::Path,
        "",
        "Folder of the embedded database. Without it, `$XDG_DATA_HOME/passbook`. Without that variable, `/var/lib/passbook` for root and `~/.local/share/passbook` for other accounts.",
    )
    .with_example("/var/lib/passbook"),
    shared(
        "PASSBOOK_POSTGRES_BIN",
        Kind::Path,
        "",
        "Folder that contains the PostgreSQL programs `postgres` and `initdb`. Without it, the folders of `PATH` and the usual folders are searched.",
    )
    .with_example("/usr/lib/postgresql/17/bin"),
    shared(
        "PASSBOOK_NO_DOWNLOAD",
        Kind::Boolean,
        "false",
        "Never download PostgreSQL for the embedded database.",
    ),
        ],
    },
    Theme {
        title: "Sign-in",
        introduction: "The identity provider whose access tokens are accepted, and the discovery documents that name it. Without an issuer, only personal access tokens are accepted.",
        settings: &[
    examined(
        "PASSBOOK_OIDC_ISSUER",
        Kind::Text,
        "",
        "Issuer of the accepted access tokens, such as `https://project.example/auth/v1`: `https`, or `http` on a loopback address. Must equal the issuer in the provider's documents and tokens byte for byte. Without it, only personal access tokens are accepted.",
    )
    .with_example("https://project.example/auth/v1"),
    examined(
        "PASSBOOK_OIDC_AUDIENCE",
        Kind::List,
        "",
        "Accepted audiences of access tokens, such as `authenticated`. The origin, the base address and the address of the tool server are always accepted. Requires `PASSBOOK_OIDC_ISSUER`.",
    )
    .with_example("authenticated"),
    examined(
        "PASSBOOK_OIDC_HOSTS",
        Kind::List,
        "",
        "Hosts besides the issuer's host that the URLs in the identity provider's documents may name. Requires `PASSBOOK_OIDC_ISSUER`.",
    )
    .with_example("keys.project.example"),
    examined(
        "PASSBOOK_OAUTH_MODE",
        Kind::Word(&["split", "origin", "direct"]),
        "split",
        "Issuer in the discovery documents: `split` is Passbook's origin in the document that assistants read and the identity provider in the document that dashboards read, `origin` is Passbook's origin in both, `direct` is the identity provider in both. `docs/oauth.md` explains the choice.",
    ),
    server(
        "PASSBOOK_OAUTH_STRIP_SCOPES",
        Kind::Text,
        "offline_access",
        "Scopes that `/oauth/authorize` removes from a request before it redirects to the identity provider, separated by commas. Set `none` for a provider that issues refresh tokens only for `offline_access`.",
    ),
    server(
        "PASSBOOK_OAUTH_REQUESTABLE_SCOPES",
        Kind::Text,
        "",
        "Data scopes that a client can request when it signs in, separated by commas. If a tool call lacks one of these scopes, the response is HTTP 403 and the client asks the user for the scope. If it lacks any other scope, the result has `isError`.",
    )
    .with_example("transactions:read,cashflow:read"),
        ],
    },
    Theme {
        title: "Tokens and assistants",
        introduction: "Personal access tokens, and the clients of the tool server.",
        settings: &[
    shared(
        "PASSBOOK_TOKEN_PREFIX",
        Kind::Text,
        "pbk_",
        "Prefix of personal access tokens: up to 16 lower-case letters, digits and underscores, with an underscore at the end.",
    ),
    server(
        "PASSBOOK_MCP_ORIGINS",
        Kind::Origins,
        "https://claude.ai,https://claude.com,https://chatgpt.com",
        "Origins of web pages that may send requests to the tool server. The server's own origin is always allowed. Every loopback origin is allowed if the server listens on a loopback address.",
    ),
    server(
        "PASSBOOK_APPS_CHALLENGE_VENDOR",
        Kind::Text,
        "",
        "Assistant vendor that verifies the domain, such as `openai`. `/.well-known/openai-apps-challenge` then returns the token. Requires `PASSBOOK_APPS_CHALLENGE_TOKEN`.",
    )
    .with_example("openai"),
    server(
        "PASSBOOK_APPS_CHALLENGE_TOKEN",
        Kind::Text,
        "",
        "Token that the vendor shows when it verifies the domain. The token is public. Requires `PASSBOOK_APPS_CHALLENGE_VENDOR`.",
    )
    .with_example("token-of-the-vendor"),
        ],
    },
    Theme {
        title: "Dashboard",
        introduction: "The page that shows a person's money in a browser, at the root of the origin. `docs/dashboard.md` describes the page and its sign-in. The settings have no effect in a build without the feature `dashboard`.",
        settings: &[
    server("PASSBOOK_DASHBOARD", Kind::Boolean, "true", "Serve the page. With `false`, the root of the origin is a page of links."),
    server(
        "PASSBOOK_DASHBOARD_CLIENT_ID",
        Kind::Text,
        "",
        "Identifier of the page as a public client at the identity provider. Its redirect URI is the origin followed by `/session/callback`. Without it, people enter a personal access token. Requires `PASSBOOK_OIDC_ISSUER`.",
    )
    .with_example("0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90002"),
    secret(server(
        "PASSBOOK_SESSION_KEY",
        Kind::Text,
        "",
        "Key that encrypts the session cookies of the page: 64 hexadecimal digits, such as those that `openssl rand -hex 32` prints. Without it, a random key: every session ends with the process, and several processes do not know each other's sessions.",
    ))
    .with_example("0000000000000000000000000000000000000000000000000000000000000000"),
        ],
    },
    Theme {
        title: "Limits",
        introduction: "Limits of connections, durations and rates.",
        settings: &[
    server(
        "PASSBOOK_CONNECTIONS",
        Kind::Number(1, 100_000),
        "1024",
        "Maximum number of open network connections to the server.",
    ),
    server(
        "PASSBOOK_CONNECTIONS_PER_ADDRESS",
        Kind::Number(1, 100_000),
        "256",
        "Maximum number of open connections of one client address. An IPv6 address counts with its /64 network. Trusted proxies have no such limit; each client behind them has at most this number of requests in progress.",
    ),
    server(
        "PASSBOOK_TRUSTED_PROXIES",
        Kind::Text,
        "",
        "Addresses and networks of reverse proxies, separated by commas. Their `X-Forwarded-For` header names the client: the last address in it that is not a trusted proxy.",
    )
    .with_example("127.0.0.1,10.0.0.0/8"),
    server(
        "PASSBOOK_REQUESTS_IN_PROGRESS",
        Kind::Number(1, 100_000),
        "256",
        "Maximum number of requests that are handled at the same time. Further requests get 503 with `Retry-After` at once. `/api/health` and `/api/ready` are always answered.",
    ),
    server(
        "PASSBOOK_WORKER_THREADS",
        Kind::Number(0, 256),
        "0",
        "Number of threads that handle requests. With `0`, half of the processors, at least one: PostgreSQL needs about as much processor time for a request as the server does. Set the number of processors if PostgreSQL has a machine of its own.",
    ),
    server(
        "PASSBOOK_HEAD_SECONDS",
        Kind::Number(1, 3_600),
        "10",
        "Maximum time from the start of a connection to its first byte, and from the first byte of a request to the end of its head, in seconds.",
    ),
    server(
        "PASSBOOK_IDLE_SECONDS",
        Kind::Number(1, 3_600),
        "75",
        "Maximum time between a response and the next request on the same connection, in seconds. Longer than the time for which a reverse proxy keeps idle connections.",
    ),
    server(
        "PASSBOOK_WRITE_SECONDS",
        Kind::Number(1, 3_600),
        "30",
        "Maximum time for a response to leave after it was computed, in seconds. It has one more second for each 8 KiB.",
    ),
    server(
        "PASSBOOK_CONNECTION_AGE_SECONDS",
        Kind::Number(1, 604_800),
        "3600",
        "Age at which a connection ends after the request in progress, in seconds, so that load moves to new servers.",
    ),
    server(
        "PASSBOOK_REQUEST_SECONDS",
        Kind::Number(1, 600),
        "10",
        "Maximum duration of a request, in seconds.",
    ),
    server(
        "PASSBOOK_DRAIN_SECONDS",
        Kind::Number(0, 600),
        "20",
        "Maximum time for running requests to finish when the server stops, in seconds.",
    ),
    server(
        "PASSBOOK_STOP_NOTICE_SECONDS",
        Kind::Number(0, 600),
        "0",
        "Time between the signal to stop and the end of accepting connections, in seconds. `/ready` fails in this time. Set it to the time that a balancer needs to notice.",
    ),
    server(
        "PASSBOOK_RATE_LIMIT_USER",
        Kind::Number(0, RATE_LIMIT_MAX),
        "300",
        "Maximum number of requests per minute of a user, summed over all OAuth clients and tokens. A fifth of them may come at once. `0` disables the limit. Each server process counts separately, unless `PASSBOOK_RATE_LIMIT_STORE` is set.",
    ),
    server(
        "PASSBOOK_RATE_LIMIT_CLIENT",
        Kind::Number(0, RATE_LIMIT_MAX),
        "120",
        "Maximum number of requests per minute of each OAuth client or token of a user. A third of them may come at once. `0` disables the limit.",
    ),
    secret(server(
        "PASSBOOK_RATE_LIMIT_STORE",
        Kind::Text,
        "",
        "Redis or Valkey in which several servers count requests together, as `redis://:password@host:port/number` or `unix:///path`. The connection is not encrypted. While the store cannot be used, each server counts alone. Needs a build with the cargo feature `shared-rate-limit`.",
    ))
    .with_example("redis://:password@10.0.0.5:6379/0"),
        ],
    },
    Theme {
        title: "Monitoring",
        introduction: "The log on standard error, and the metrics for Prometheus.",
        settings: &[
    server("PASSBOOK_LOG", Kind::Text, "info", "Log filter, such as `info` or `passbook_rest=debug,warn`."),
    server(
        "PASSBOOK_LOG_FORMAT",
        Kind::Word(&["text", "json"]),
        "text",
        "Format of the log on standard error.",
    ),
    server(
        "PASSBOOK_METRICS_LISTEN",
        Kind::Address,
        "",
        "Address and port on which the server serves metrics at `/metrics`, a loopback or private address. Without it, no metrics. `docs/operating.md` lists them.",
    )
    .with_example("127.0.0.1:9464"),
        ],
    },
];

/// Returns the setting with the environment name `name`; `None` if there is none.
pub(crate) fn named(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Returns the number of settings in all themes.
const fn count() -> usize {
    let (mut count, mut theme) = (0, 0);
    while theme < THEMES.len() {
        count += THEMES[theme].settings.len();
        theme += 1;
    }
    count
}

/// Returns the settings of all themes in one array.
const fn flattened<const COUNT: usize>() -> [Setting; COUNT] {
    let mut settings = [THEMES[0].settings[0]; COUNT];
    let (mut next, mut theme) = (0, 0);
    while theme < THEMES.len() {
        let mut index = 0;
        while index < THEMES[theme].settings.len() {
            settings[next] = THEMES[theme].settings[index];
            next += 1;
            index += 1;
        }
        theme += 1;
    }
    settings
}

/// Largest value of a rate-limit setting, in requests per minute.
const RATE_LIMIT_MAX: u64 = 100_000;

#[cfg(test)]
mod tests;
