//! What is expected of each client at each setting, and why. Measured, and held so.

/// An issuer mode of the service beside a provider of one shape.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// As `PASSBOOK_OAUTH_MODE`.
    pub(super) mode: &'static str,
    /// As `PASSBOOK_OAUTH_STRIP_SCOPES`.
    pub(super) strip: &'static str,
}

/// How the provider behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// It names itself in callbacks, and gives a refresh token only for `offline_access`.
    Strict,
    /// As Supabase Auth: no name in callbacks, no scope it does not know, always a refresh token.
    Supabase,
}

impl Shape {
    pub(super) const ALL: [Shape; 2] = [Shape::Strict, Shape::Supabase];

    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::Strict => "strict",
            Shape::Supabase => "supabase",
        }
    }
}

const STRIPPED: &str = "offline_access";

pub(super) const SETTINGS: [Setting; 7] = [
    Setting { name: "supabase-split", shape: Shape::Supabase, mode: "split", strip: STRIPPED },
    Setting { name: "supabase-origin", shape: Shape::Supabase, mode: "origin", strip: STRIPPED },
    Setting { name: "supabase-direct", shape: Shape::Supabase, mode: "direct", strip: STRIPPED },
    Setting { name: "strict-split", shape: Shape::Strict, mode: "split", strip: STRIPPED },
    Setting { name: "strict-split-unstripped", shape: Shape::Strict, mode: "split", strip: "none" },
    Setting { name: "strict-origin", shape: Shape::Strict, mode: "origin", strip: STRIPPED },
    Setting { name: "strict-direct", shape: Shape::Strict, mode: "direct", strip: STRIPPED },
];

/// Somebody's program.
#[derive(Debug)]
pub(super) struct Client {
    /// Of its script, too, with underscores.
    pub(super) name: &'static str,
    /// How people call it.
    pub(super) title: &'static str,
    pub(super) kind: Kind,
    pub(super) runs: Runs,
    /// At each of [`SETTINGS`].
    pub(super) expected: [End; 7],
}

/// What a client is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It serves everyone, and asks tools. Whether it adds `offline_access` where a document lists it.
    Assistant { asks_offline: bool },
    /// It serves its owner, and asks REST.
    Dashboard,
}

/// What runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    Node,
    /// With the packages of `requirements-1.txt`.
    PythonOne,
    /// With the packages of `requirements-2.txt`.
    PythonTwo,
}

/// How a sign-in ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Data came; there was no refresh token.
    SignedIn,
    /// Data came, also with a token that came for the refresh token.
    Refreshed,
    /// The provider's metadata names another issuer than the client asked for.
    AtMetadata,
    /// The callback names another issuer than the metadata.
    AtCallback,
    /// The ID token names another issuer than the metadata.
    AtIdToken,
}

use End::{AtCallback, AtIdToken, AtMetadata, Refreshed, SignedIn};

const SILENT: Kind = Kind::Assistant { asks_offline: false };
const ASKING: Kind = Kind::Assistant { asks_offline: true };

#[rustfmt::skip]
pub(super) const CLIENTS: [Client; 8] = [
    client("mcp-typescript-1", "MCP TypeScript SDK 1", SILENT, Runs::Node,
        [Refreshed, Refreshed, Refreshed, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-typescript-2", "MCP TypeScript SDK 2", ASKING, Runs::Node,
        [Refreshed, Refreshed, Refreshed, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("mcp-python-1", "MCP Python SDK 1", SILENT, Runs::PythonOne,
        [Refreshed, Refreshed, Refreshed, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-python-2", "MCP Python SDK 2", ASKING, Runs::PythonTwo,
        [Refreshed, Refreshed, Refreshed, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("openid-client-document", "openid-client, by document", Kind::Dashboard, Runs::Node,
        [Refreshed, AtIdToken, Refreshed, SignedIn, Refreshed, AtCallback, SignedIn]),
    client("authlib-document", "Authlib, by document", Kind::Dashboard, Runs::PythonTwo,
        [Refreshed, AtIdToken, Refreshed, SignedIn, Refreshed, AtIdToken, SignedIn]),
    client("openid-client-issuer", "openid-client, by issuer", Kind::Dashboard, Runs::Node,
        [AtMetadata, AtIdToken, Refreshed, AtMetadata, AtMetadata, AtCallback, SignedIn]),
    client("oauth4webapi-issuer", "oauth4webapi, by issuer", Kind::Dashboard, Runs::Node,
        [AtMetadata, AtIdToken, Refreshed, AtMetadata, AtMetadata, AtCallback, SignedIn]),
];

const fn client(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    runs: Runs,
    expected: [End; 7],
) -> Client {
    Client { name, title, kind, runs, expected }
}

impl Client {
    /// The committed list that pins its package, and the name of that.
    pub(super) fn package(&self) -> (&'static str, &'static str) {
        match (self.runs, self.name) {
            (Runs::Node, "mcp-typescript-1") => ("package.json", "@modelcontextprotocol/sdk"),
            (Runs::Node, "mcp-typescript-2") => ("package.json", "@modelcontextprotocol/client"),
            (Runs::Node, "oauth4webapi-issuer") => ("package.json", "oauth4webapi"),
            (Runs::Node, _) => ("package.json", "openid-client"),
            (Runs::PythonOne, _) => ("requirements-1.txt", "mcp"),
            (Runs::PythonTwo, "authlib-document") => ("requirements-2.txt", "Authlib"),
            (Runs::PythonTwo, _) => ("requirements-2.txt", "mcp"),
        }
    }
}

impl End {
    /// The name of the step, as the clients print it, at which it ends; none for a sign-in.
    pub(super) fn failed_at(self) -> Option<&'static str> {
        match self {
            SignedIn | Refreshed => None,
            AtMetadata => Some("provider metadata"),
            AtCallback => Some("callback"),
            AtIdToken => Some("ID token"),
        }
    }

    /// Whether the person came to the provider.
    pub(super) fn came_to_consent(self) -> bool {
        self != AtMetadata
    }
}
