//! The settings, listed once: names, defaults, meanings. Flags, file keys and `docs/configuration.md` follow from
//! this list.

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the environment; the flag is the same in kebab case, the file's key in snake case, both without
    /// the prefix.
    pub name: &'static str,
    /// Its value when nobody gives one; empty when there is none.
    pub default: &'static str,
    /// What it decides, with its unit.
    pub meaning: &'static str,
    /// Whether it may hold a secret: such a setting is no flag and is never repeated.
    pub secret: bool,
}

const fn setting(name: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { name, default, meaning, secret: false }
}

/// Every setting.
pub const SETTINGS: &[Setting] = &[
    setting("PASSBOOK_LISTEN", "127.0.0.1:8080", "Address and port to listen on; port 0 picks a free one."),
    setting(
        "PASSBOOK_ORIGIN",
        "",
        "Public origin, such as https://money.example; `http://` and the listening address when left out. Required when listening on all addresses.",
    ),
    Setting {
        name: "PASSBOOK_DATABASE_URL",
        default: "",
        meaning: "The database, as `postgresql://role:password@host/database`; the role is passbook_reader or a member of it. Left out: the embedded database.",
        secret: true,
    },
    setting("PASSBOOK_DATABASE_CONNECTIONS", "8", "Connections to the database at most, 1 to 1000."),
    setting(
        "PASSBOOK_DATABASE_PREPARED_STATEMENTS",
        "true",
        "Whether questions are prepared once per connection: `true` or `false`. Say `false` behind a pooler that gives each transaction another connection and knows nothing of prepared statements, such as PgBouncer before 1.21 in transaction mode.",
    ),
    setting(
        "PASSBOOK_DATA_DIR",
        "",
        "Folder of the embedded database; `$XDG_DATA_HOME/passbook` when left out, `/var/lib/passbook` for root.",
    ),
    setting(
        "PASSBOOK_POSTGRES_BIN",
        "",
        "Folder that holds `postgres` and `initdb`; looked for in the usual places when left out.",
    ),
    setting(
        "PASSBOOK_NO_DOWNLOAD",
        "false",
        "Whether to refuse to fetch PostgreSQL when none is installed: `true` or `false`.",
    ),
    setting(
        "PASSBOOK_MCP_ORIGINS",
        "https://claude.ai,https://claude.com,https://chatgpt.com",
        "Origins of web pages that may call the tool server, with commas between them, or `none`. Our own always may, and while listening on a loopback address every loopback one.",
    ),
    setting(
        "PASSBOOK_OAUTH_MODE",
        "split",
        "Which issuer the discovery documents name: `split` (assistants are told the origin, dashboards the identity provider's), `origin` (all are told the origin), or `direct` (all are sent to the identity provider itself).",
    ),
    setting(
        "PASSBOOK_OAUTH_STRIP_SCOPES",
        "offline_access",
        "Scopes that `/oauth/authorize` takes out before it hands a request on, with commas between them, or `none` for a provider that gives a refresh token only to who asks for `offline_access`.",
    ),
    setting(
        "PASSBOOK_APPS_CHALLENGE_VENDOR",
        "",
        "Vendor of assistants that verifies the domain, such as `openai`: `/.well-known/openai-apps-challenge` then answers with the token.",
    ),
    setting(
        "PASSBOOK_APPS_CHALLENGE_TOKEN",
        "",
        "The token that the vendor shows for the domain. It is public.",
    ),
    setting(
        "PASSBOOK_OAUTH_REQUESTABLE_SCOPES",
        "",
        "Data scopes that a client can ask for when it signs in, with commas between them. Only for these a tool call without the scope is answered with 403, which makes a client ask.",
    ),
    setting(
        "PASSBOOK_TOKEN_PREFIX",
        "pbk_",
        "What personal access tokens start with: up to 16 lower-case letters, digits and underscores, the last an underscore.",
    ),
    setting(
        "PASSBOOK_OIDC_ISSUER",
        "",
        "The identity provider whose access tokens are accepted, as its documents and tokens name it, byte for byte, such as https://project.example/auth/v1. Left out: personal access tokens only.",
    ),
    setting(
        "PASSBOOK_OIDC_AUDIENCE",
        "",
        "Audiences of access tokens that are meant for this service, separated by commas, such as `authenticated`; besides them its own addresses are accepted: the origin, the base address, and that of the tool server.",
    ),
    setting(
        "PASSBOOK_OIDC_HOSTS",
        "",
        "Hosts besides the issuer's that the identity provider's documents may name, separated by commas.",
    ),
    setting("PASSBOOK_CONNECTIONS", "1024", "Client connections at the same time, 1 to 100000."),
    setting(
        "PASSBOOK_HEAD_SECONDS",
        "75",
        "Seconds for a request's head to arrive, and for a kept connection to idle, 1 to 3600.",
    ),
    setting("PASSBOOK_REQUEST_SECONDS", "10", "Seconds that a request may take, 1 to 600."),
    setting(
        "PASSBOOK_DRAIN_SECONDS",
        "20",
        "Seconds that requests under way get to finish when the server ends, 0 to 600.",
    ),
    setting(
        "PASSBOOK_RATE_LIMIT_USER",
        "300",
        "Requests a minute of a user, through all their clients, 0 to 100000; a fifth of them at once, and 16 at the same time. 0: no limit to either. Every server counts for itself.",
    ),
    setting(
        "PASSBOOK_RATE_LIMIT_CLIENT",
        "120",
        "Requests a minute of one client of a user, 0 to 100000; a third of them at once. 0: no limit.",
    ),
    setting("PASSBOOK_LOG", "info", "What is logged: a filter such as `info` or `passbook_rest=debug,warn`."),
    setting("PASSBOOK_LOG_FORMAT", "text", "`text` or `json`, on standard error."),
];

impl Setting {
    /// The flag's name, without dashes in front.
    pub fn flag(&self) -> String {
        self.key().replace('_', "-")
    }

    /// The file's key.
    pub fn key(&self) -> String {
        self.name.trim_start_matches("PASSBOOK_").to_lowercase()
    }

    /// Whether it is true or false, so that its flag needs no value.
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.default, "true" | "false")
    }

    /// The setting of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }
}

/// `docs/configuration.md`.
pub fn document() -> String {
    let mut text = String::from(HEAD);
    for setting in SETTINGS {
        let flag = if setting.secret {
            "none: it may hold a secret".to_owned()
        } else {
            format!("`--{}`", setting.flag())
        };
        let default =
            if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
        text.push_str(&format!(
            "| `{}` | {flag} | `{}` | {default} | {} |\n",
            setting.name,
            setting.key(),
            setting.meaning
        ));
    }
    text.push_str(TAIL);
    text
}

const HEAD: &str = "# Configuration

This page is generated from the list in `bins/server/src/settings/table.rs`; `cargo xtask bless` writes it.

`passbook-server` needs no settings. Each can be given as a flag, in the environment, or as a key of a TOML file, and the
first of these that has it wins. The file is the one that `--config` names, else `$XDG_CONFIG_HOME/passbook/config.toml`
if it exists. A setting that is unknown or breaks its rule stops the server before anything is bound: every problem is
listed, and the exit code is 64.

| environment | flag | file | default | meaning |
|---|---|---|---|---|
";

const TAIL: &str = "
Flags without a setting: `--demo` serves a generated household in a folder of its own; `--config FILE` names the settings
file.

`passbook-admin` reads `PASSBOOK_ADMIN_DATABASE_URL` (no flag: it may hold a secret), `PASSBOOK_DATA_DIR`,
`PASSBOOK_POSTGRES_BIN`, `PASSBOOK_NO_DOWNLOAD` and `PASSBOOK_TOKEN_PREFIX` from the same places, and `passbook-admin doctor`
also `PASSBOOK_DATABASE_URL`, `PASSBOOK_ORIGIN`, `PASSBOOK_LISTEN`, `PASSBOOK_OIDC_ISSUER`, `PASSBOOK_OIDC_HOSTS` and
`PASSBOOK_OAUTH_MODE`.

Exit codes: 0 after a clean drain, 64 for settings, a database role or a schema that will not do, 69 when the database
cannot be reached at start, 70 for a defect.
";
