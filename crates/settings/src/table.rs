//! The table of settings. Flags, environment names, file keys, typed keys and `docs/config.toml` all come from this table.

use std::net::SocketAddr;
use std::path::PathBuf;

use passbook_store::ConnectionSettings;

use crate::key::{
    Key, Rule, address, boolean, database_url, list, number, origin, origins, path, text, word,
};
use crate::setting::{Program, Setting, Theme};

const SERVER: &[Program] = &[Program::Server];
const ADMIN: &[Program] = &[Program::Admin];
const SERVER_AND_ADMIN: &[Program] = &[Program::Server, Program::Admin];
const SERVER_AND_DOCTOR: &[Program] = &[Program::Server, Program::Doctor];

const fn server<T>(rule: Rule<T>, name: &'static str, default: &'static str) -> Key<T> {
    Key::new(rule, name, default, SERVER)
}

const fn admin<T>(rule: Rule<T>, name: &'static str, default: &'static str) -> Key<T> {
    Key::new(rule, name, default, ADMIN)
}

const fn shared<T>(rule: Rule<T>, name: &'static str, default: &'static str) -> Key<T> {
    Key::new(rule, name, default, SERVER_AND_ADMIN)
}

const fn examined<T>(rule: Rule<T>, name: &'static str, default: &'static str) -> Key<T> {
    Key::new(rule, name, default, SERVER_AND_DOCTOR)
}

/// Declares the themes with their settings, and the key of each setting.
macro_rules! settings {
    ($($title:literal: $introduction:literal {
        $($name:ident: $type:ty = $key:expr, $meaning:literal;)*
    })*) => {
        /// The key of each setting.
        #[expect(clippy::doc_markdown, reason = "the texts are those of the help, which has no code marks")]
        pub mod keys {
            use super::*;

            $($(
                #[doc = $meaning]
                pub const $name: Key<$type> = $key.with_meaning($meaning);
            )*)*
        }

        /// The themes of the settings, in the order of `docs/config.toml`.
        pub(crate) const THEMES: &[Theme] = &[$(
            Theme { title: $title, introduction: $introduction, settings: &[$(keys::$name.setting),*] },
        )*];

        /// Reads every setting by the rule of its kind.
        #[cfg(test)]
        pub(crate) fn read_all(reader: &mut crate::Reader<'_>) {
            $($(reader.optional(keys::$name);)*)*
        }
    };
}

settings! {
    "Addresses": "The address on which the server listens, and the origin under which clients reach it." {
        LISTEN: SocketAddr = examined(address(), "PASSBOOK_LISTEN", "127.0.0.1:8080"),
            "Address and port to listen on. Port 0 selects a free port.";
        ORIGIN: String = examined(origin(), "PASSBOOK_ORIGIN", "").with_example("https://money.example"),
            "Origin under which clients reach the server, such as `https://money.example`. Without it, the listening address after `https://` with a certificate, otherwise after `http://`. Required if the server listens on all addresses.";
        TLS_CERTIFICATE: PathBuf = examined(path(), "PASSBOOK_TLS_CERTIFICATE", "")
            .with_example("/etc/passbook/certificate.pem"),
            "File with the certificate chain for TLS, in PEM, the server's own certificate first. Without it, connections are not encrypted: clients on other machines then reach the server through a reverse proxy that ends TLS. The files are read again once a minute and on SIGHUP. Requires `PASSBOOK_TLS_KEY`.";
        TLS_KEY: PathBuf = examined(path(), "PASSBOOK_TLS_KEY", "").with_example("/etc/passbook/key.pem"),
            "File with the private key of the certificate, in PEM. Requires `PASSBOOK_TLS_CERTIFICATE`.";
    }
    "Database": "One database has two URLs with different roles. `passbook-server` reads through `database_url`, with a role that cannot write. `passbook-admin` writes through `admin_database_url`. Keep `admin_database_url` away from the server: give it only to the account that runs `passbook-admin`. `passbook-admin doctor` reports URLs that name different databases. Without both URLs, the programs use the embedded database." {
        DATABASE_URL: ConnectionSettings = examined(database_url(), "PASSBOOK_DATABASE_URL", "")
            .with_example("postgresql://passbook_reader:password@localhost/passbook").secret(),
            "Database that the server reads, as `postgresql://role:password@host/database`. The role is `passbook_reader` or a member of it. The parameters `sslmode` and `sslrootcert` select TLS, and several hosts with `target_session_attrs` select a primary and standbys (`docs/deployment.md`). Without it, the embedded database.";
        ADMIN_DATABASE_URL: ConnectionSettings = admin(database_url(), "PASSBOOK_ADMIN_DATABASE_URL", "")
            .with_example("postgresql://passbook_writer:password@localhost/passbook").secret(),
            "Database that `passbook-admin` changes, as `postgresql://role:password@host/database`. The role is a member of `passbook_writer`. For `migrate`, it is a member of `passbook_owner` and `passbook_deriver` too, or it may create roles. `sslmode` and `sslrootcert` select TLS. Without it, the embedded database.";
        DATABASE_CONNECTIONS: usize = server(number(1, 1_000), "PASSBOOK_DATABASE_CONNECTIONS", "8"),
            "Maximum number of database connections for requests, to each host of the database. The readiness check has one more; with several hosts, the search for the primary has another one. Each user has at most half of this number of concurrent requests, at most 16; a further request waits for up to a second.";
        DATABASE_CONNECTION_AGE_SECONDS: u64 = server(number(1, 604_800), "PASSBOOK_DATABASE_CONNECTION_AGE_SECONDS", "1800"),
            "Age at which a database connection is closed after its request, in seconds, less a random part of up to an eighth. Idle connections are closed too. If PostgreSQL begins a smart shutdown, which waits for the end of all connections, the server closes all of them within 10 seconds, whatever their age.";
        DATABASE_STANDBY_LAG_SECONDS: u64 = server(number(1, 60), "PASSBOOK_DATABASE_STANDBY_LAG_SECONDS", "5"),
            "Maximum time by which the data of a standby may be behind the primary, in seconds. A standby that is further behind is not read. Only with several hosts and `target_session_attrs=prefer-standby` in the database URL.";
        DATABASE_PREPARED_STATEMENTS: bool = examined(boolean(), "PASSBOOK_DATABASE_PREPARED_STATEMENTS", "true"),
            "Prepare each query once per database connection. Set `false` behind a pooler that does not support prepared statements in transaction mode, such as PgBouncer before 1.21. `docs/deployment.md` has the details.";
    }
    "Embedded database": "The PostgreSQL that Passbook starts itself if no URL names a database." {
        DATA_DIR: PathBuf = shared(path(), "PASSBOOK_DATA_DIR", "").with_example("/var/lib/passbook"),
            "Folder of the embedded database. Without it, `$XDG_DATA_HOME/passbook`. Without that variable, `/var/lib/passbook` for root and `~/.local/share/passbook` for other accounts.";
        POSTGRES_BIN: PathBuf = shared(path(), "PASSBOOK_POSTGRES_BIN", "")
            .with_example("/usr/lib/postgresql/17/bin"),
            "Folder that contains the PostgreSQL programs `postgres` and `initdb`. Without it, the folders of `PATH` and the usual folders are searched.";
        NO_DOWNLOAD: bool = shared(boolean(), "PASSBOOK_NO_DOWNLOAD", "false"),
            "Never download PostgreSQL for the embedded database.";
    }
    "Sign-in": "The identity provider whose access tokens are accepted, and the discovery documents that name it. Without an issuer, only personal access tokens are accepted." {
        OIDC_ISSUER: String = examined(text(), "PASSBOOK_OIDC_ISSUER", "")
            .with_example("https://project.example/auth/v1"),
            "Issuer of the accepted access tokens, such as `https://project.example/auth/v1`: `https`, or `http` on a loopback address. Must equal the issuer in the provider's documents and tokens byte for byte. Without it, only personal access tokens are accepted.";
        OIDC_AUDIENCE: Vec<String> = examined(list(), "PASSBOOK_OIDC_AUDIENCE", "")
            .with_example("authenticated"),
            "Accepted audiences of access tokens, such as `authenticated`. The origin, the base address and the address of the tool server are always accepted. Requires `PASSBOOK_OIDC_ISSUER`.";
        OIDC_HOSTS: Vec<String> = examined(list(), "PASSBOOK_OIDC_HOSTS", "")
            .with_example("keys.project.example"),
            "Hosts besides the issuer's host that the URLs in the identity provider's documents may name. Requires `PASSBOOK_OIDC_ISSUER`.";
        OAUTH_MODE: String = examined(word(&["split", "origin", "direct"]), "PASSBOOK_OAUTH_MODE", "split"),
            "Issuer in the discovery documents: `split` is Passbook's origin in the document that assistants read and the identity provider in the document that dashboards read, `origin` is Passbook's origin in both, `direct` is the identity provider in both. `docs/oauth.md` explains the choice.";
        OAUTH_STRIP_SCOPES: String = server(text(), "PASSBOOK_OAUTH_STRIP_SCOPES", "offline_access"),
            "Scopes that `/oauth/authorize` removes from a request before it redirects to the identity provider, separated by commas. Set `none` for a provider that issues refresh tokens only for `offline_access`.";
        OAUTH_REQUESTABLE_SCOPES: String = server(text(), "PASSBOOK_OAUTH_REQUESTABLE_SCOPES", "")
            .with_example("transactions:read,cashflow:read"),
            "Data scopes that a client can request when it signs in, separated by commas. If a tool call lacks one of these scopes, the response is HTTP 403 and the client asks the user for the scope. If it lacks any other scope, the result has `isError`.";
    }
    "Tokens and assistants": "Personal access tokens, and the clients of the tool server." {
        TOKEN_PREFIX: String = shared(text(), "PASSBOOK_TOKEN_PREFIX", "pbk_"),
            "Prefix of personal access tokens: up to 16 lower-case letters, digits and underscores, with an underscore at the end.";
        MCP_ORIGINS: Vec<String> = server(origins(), "PASSBOOK_MCP_ORIGINS", "https://claude.ai,https://claude.com,https://chatgpt.com"),
            "Origins of web pages that may send requests to the tool server. The server's own origin is always allowed. Every loopback origin is allowed if the server listens on a loopback address.";
        APPS_CHALLENGE_VENDOR: String = server(text(), "PASSBOOK_APPS_CHALLENGE_VENDOR", "")
            .with_example("openai"),
            "Assistant vendor that verifies the domain, such as `openai`. `/.well-known/openai-apps-challenge` then returns the token. Requires `PASSBOOK_APPS_CHALLENGE_TOKEN`.";
        APPS_CHALLENGE_TOKEN: String = server(text(), "PASSBOOK_APPS_CHALLENGE_TOKEN", "")
            .with_example("token-of-the-vendor"),
            "Token that the vendor shows when it verifies the domain. The token is public. Requires `PASSBOOK_APPS_CHALLENGE_VENDOR`.";
    }
    "Dashboard": "The page that shows a person's money in a browser, at the root of the origin. `docs/dashboard.md` describes the page and its sign-in. The settings have no effect in a build without the feature `dashboard`." {
        DASHBOARD: bool = server(boolean(), "PASSBOOK_DASHBOARD", "true"),
            "Serve the page. With `false`, the root of the origin is a page of links.";
        DASHBOARD_CLIENT_ID: String = server(text(), "PASSBOOK_DASHBOARD_CLIENT_ID", "")
            .with_example("0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90002"),
            "Identifier of the page as a public client at the identity provider. Its redirect URI is the origin followed by `/session/callback`. Without it, people enter a personal access token. Requires `PASSBOOK_OIDC_ISSUER`.";
        SESSION_KEY: String = server(text(), "PASSBOOK_SESSION_KEY", "")
            .with_example("0000000000000000000000000000000000000000000000000000000000000000").secret(),
            "Key that encrypts the session cookies of the page: 64 hexadecimal digits, such as those that `openssl rand -hex 32` prints. Without it, a random key: every session ends with the process, and several processes do not know each other's sessions.";
    }
    "Limits": "Limits of connections, durations and rates." {
        CONNECTIONS: usize = server(number(1, 100_000), "PASSBOOK_CONNECTIONS", "1024"),
            "Maximum number of open network connections to the server.";
        CONNECTIONS_PER_ADDRESS: usize = server(number(1, 100_000), "PASSBOOK_CONNECTIONS_PER_ADDRESS", "256"),
            "Maximum number of open connections of one client address. An IPv6 address counts with its /64 network. Trusted proxies have no such limit; each client behind them has at most this number of requests in progress.";
        TRUSTED_PROXIES: String = server(text(), "PASSBOOK_TRUSTED_PROXIES", "")
            .with_example("127.0.0.1,10.0.0.0/8"),
            "Addresses and networks of reverse proxies, separated by commas. Their `X-Forwarded-For` header names the client: the last address in it that is not a trusted proxy.";
        REQUESTS_IN_PROGRESS: usize = server(number(1, 100_000), "PASSBOOK_REQUESTS_IN_PROGRESS", "256"),
            "Maximum number of requests that are handled at the same time. Further requests get 503 with `Retry-After` at once. `/api/health` and `/api/ready` are always answered.";
        WORKER_THREADS: usize = server(number(0, 256), "PASSBOOK_WORKER_THREADS", "0"),
            "Number of threads that handle requests. With `0`, half of the processors, at least one: PostgreSQL needs about as much processor time for a request as the server does. Set the number of processors if PostgreSQL has a machine of its own.";
        HEAD_SECONDS: u64 = server(number(1, 3_600), "PASSBOOK_HEAD_SECONDS", "10"),
            "Maximum time from the start of a connection to its first byte, and from the first byte of a request to the end of its head, in seconds.";
        IDLE_SECONDS: u64 = server(number(1, 3_600), "PASSBOOK_IDLE_SECONDS", "75"),
            "Maximum time between a response and the next request on the same connection, in seconds. Longer than the time for which a reverse proxy keeps idle connections.";
        WRITE_SECONDS: u64 = server(number(1, 3_600), "PASSBOOK_WRITE_SECONDS", "30"),
            "Maximum time for a response to leave after it was computed, in seconds. It has one more second for each 8 KiB.";
        CONNECTION_AGE_SECONDS: u64 = server(number(1, 604_800), "PASSBOOK_CONNECTION_AGE_SECONDS", "3600"),
            "Age at which a connection ends after the request in progress, in seconds, so that load moves to new servers.";
        REQUEST_SECONDS: u64 = server(number(1, 600), "PASSBOOK_REQUEST_SECONDS", "10"),
            "Maximum duration of a request, in seconds.";
        DRAIN_SECONDS: u64 = server(number(0, 600), "PASSBOOK_DRAIN_SECONDS", "20"),
            "Maximum time for running requests to finish when the server stops, in seconds.";
        STOP_NOTICE_SECONDS: u64 = server(number(0, 600), "PASSBOOK_STOP_NOTICE_SECONDS", "0"),
            "Time between the signal to stop and the end of accepting connections, in seconds. `/ready` fails in this time. Set it to the time that a balancer needs to notice.";
        RATE_LIMIT_USER: u32 = server(number(0, RATE_LIMIT_MAX), "PASSBOOK_RATE_LIMIT_USER", "300"),
            "Maximum number of requests per minute of a user, summed over all OAuth clients and tokens. A fifth of them may come at once. `0` disables the limit. Each server process counts separately, unless `PASSBOOK_RATE_LIMIT_STORE` is set.";
        RATE_LIMIT_CLIENT: u32 = server(number(0, RATE_LIMIT_MAX), "PASSBOOK_RATE_LIMIT_CLIENT", "120"),
            "Maximum number of requests per minute of each OAuth client or token of a user. A third of them may come at once. `0` disables the limit.";
        RATE_LIMIT_STORE: String = server(text(), "PASSBOOK_RATE_LIMIT_STORE", "")
            .with_example("redis://:password@10.0.0.5:6379/0").secret(),
            "Redis or Valkey in which several servers count requests together, as `redis://:password@host:port/number` or `unix:///path`. The connection is not encrypted. While the store cannot be used, each server counts alone. Needs a build with the cargo feature `shared-rate-limit`.";
    }
    "Monitoring": "The log on standard error, and the metrics for Prometheus." {
        LOG: String = server(text(), "PASSBOOK_LOG", "info"),
            "Log filter, such as `info` or `passbook_rest=debug,warn`.";
        LOG_FORMAT: String = server(word(&["text", "json"]), "PASSBOOK_LOG_FORMAT", "text"),
            "Format of the log on standard error.";
        METRICS_LISTEN: SocketAddr = server(address(), "PASSBOOK_METRICS_LISTEN", "")
            .with_example("127.0.0.1:9464"),
            "Address and port on which the server serves metrics at `/metrics`, a loopback or private address. Without it, no metrics. `docs/operating.md` lists them.";
    }
}

/// All settings, in the order of `docs/config.toml`.
pub const SETTINGS: &[Setting] = &flattened::<{ count() }>();

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
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_have_the_prefix() {
        let names: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        assert_eq!(names.len(), SETTINGS.len());
        assert!(names.iter().all(|name| name.starts_with("PASSBOOK_")));
    }

    #[test]
    fn secrets_have_no_flag() {
        for setting in SETTINGS.iter().filter(|setting| setting.secret) {
            let has_flag = |program| setting.has_flag(program);
            assert!(!has_flag(Program::Server) && !has_flag(Program::Admin), "{}", setting.name);
        }
        let secrets = SETTINGS.iter().filter(|setting| setting.secret).map(|setting| setting.name);
        let expected = [
            "PASSBOOK_DATABASE_URL",
            "PASSBOOK_ADMIN_DATABASE_URL",
            "PASSBOOK_RATE_LIMIT_STORE",
            "PASSBOOK_SESSION_KEY",
        ];
        assert_eq!(BTreeSet::from_iter(secrets), BTreeSet::from(expected));
    }

    #[test]
    fn every_setting_has_either_a_default_or_an_example() {
        for setting in SETTINGS {
            assert_ne!(setting.default.is_empty(), setting.example.is_empty(), "{}", setting.name);
        }
    }

    #[test]
    fn every_setting_is_read_by_a_program() {
        assert!(SETTINGS.iter().all(|setting| !setting.read_by.is_empty()));
    }
}
