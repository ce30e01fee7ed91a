//! The matrix of expected outcomes: each client at each setting, as measured.

/// A setting of the sign-in suite: an issuer mode of the service, with a provider of one kind.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// The value of `PASSBOOK_OAUTH_MODE`.
    pub(super) mode: &'static str,
    /// The value of `PASSBOOK_OAUTH_STRIP_SCOPES`.
    pub(super) strip: &'static str,
}

/// The kind of identity provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A provider that names itself in callbacks (`iss`), and issues a refresh token only for the scope
    /// `offline_access`.
    Strict,
    /// A provider like Supabase Auth: no `iss` in callbacks, unknown scopes are an error, and it always issues a
    /// refresh token.
    Supabase,
    /// A provider that knows the data scopes, so that people can consent to some of them only.
    Scoped,
}

impl Shape {
    pub(super) const ALL: [Shape; 3] = [Shape::Strict, Shape::Supabase, Shape::Scoped];

    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::Strict => "strict",
            Shape::Supabase => "supabase",
            Shape::Scoped => "scoped",
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

/// The setting in which narrowed consent, step-up and key rotation are checked. It is no column of the matrix.
pub(super) const SCOPED: Setting =
    Setting { name: "scoped-split", shape: Shape::Scoped, mode: "split", strip: "none" };

/// A third-party client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: &'static str,
    /// The name of the client's script, without the extension.
    pub(super) script: &'static str,
    pub(super) identity: Identity,
    /// Name of the client in `docs/oauth.md`.
    pub(super) title: &'static str,
    pub(super) kind: Kind,
    pub(super) runs: Runs,
    /// The expected outcome at each of [`SETTINGS`].
    pub(super) expected: [End; 7],
}

/// The purpose of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A client that serves every user, over MCP. With `requests_offline` it requests the scope `offline_access` if a
    /// document lists the scope.
    Assistant { requests_offline: bool },
    /// A client that serves only its owner, over REST.
    Dashboard,
}

/// The client identifier that a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// An identifier that is registered at the provider.
    Registered,
    /// The URL of a client metadata document, which the provider reads.
    MetadataDocument,
}

/// The runtime that executes a client's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    Node,
    /// Python with the packages of `requirements-1.txt`.
    PythonOne,
    /// Python with the packages of `requirements-2.txt`.
    PythonTwo,
}

/// The outcome of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The client got data. The provider issued no refresh token.
    SignedIn,
    /// The client got data, also with a refreshed token.
    Refreshed,
    /// The sign-in failed because the provider's metadata names another issuer than the client expected.
    AtMetadata,
    /// The sign-in failed because the client is not registered, and the provider reads no client metadata documents.
    AtRegistration,
    /// The sign-in failed because the callback names another issuer than the metadata.
    AtCallback,
    /// The sign-in failed because the ID token names another issuer than the metadata.
    AtIdToken,
}

use End::{AtCallback, AtIdToken, AtMetadata, AtRegistration, Refreshed, SignedIn};

const WITHOUT_OFFLINE: Kind = Kind::Assistant { requests_offline: false };
const WITH_OFFLINE: Kind = Kind::Assistant { requests_offline: true };

const REGISTERED: Identity = Identity::Registered;
const DOCUMENT: Identity = Identity::MetadataDocument;

#[rustfmt::skip]
pub(super) const CLIENTS: [Client; 13] = [
    client("mcp-typescript-1", "MCP TypeScript SDK 1", "mcp_typescript_1", REGISTERED, WITHOUT_OFFLINE, Runs::Node,
        [Refreshed, Refreshed, Refreshed, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-typescript-2", "MCP TypeScript SDK 2", "mcp_typescript_2", REGISTERED, WITH_OFFLINE, Runs::Node,
        [Refreshed, Refreshed, Refreshed, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("mcp-python-1", "MCP Python SDK 1", "mcp_python_1", REGISTERED, WITHOUT_OFFLINE, Runs::PythonOne,
        [Refreshed, Refreshed, Refreshed, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-python-2", "MCP Python SDK 2", "mcp_python_2", REGISTERED, WITH_OFFLINE, Runs::PythonTwo,
        [Refreshed, Refreshed, Refreshed, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("mcp-typescript-1-url", "MCP TypeScript SDK 1, by URL", "mcp_typescript_1", DOCUMENT, WITHOUT_OFFLINE, Runs::Node,
        [AtRegistration, AtRegistration, AtRegistration, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-typescript-2-url", "MCP TypeScript SDK 2, by URL", "mcp_typescript_2", DOCUMENT, WITH_OFFLINE, Runs::Node,
        [AtRegistration, AtRegistration, AtRegistration, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("mcp-python-1-url", "MCP Python SDK 1, by URL", "mcp_python_1", DOCUMENT, WITHOUT_OFFLINE, Runs::PythonOne,
        [AtRegistration, AtRegistration, AtRegistration, SignedIn, SignedIn, SignedIn, SignedIn]),
    client("mcp-python-2-url", "MCP Python SDK 2, by URL", "mcp_python_2", DOCUMENT, WITH_OFFLINE, Runs::PythonTwo,
        [AtRegistration, AtRegistration, AtRegistration, AtCallback, AtCallback, AtCallback, Refreshed]),
    client("openid-client-document", "openid-client, by document", "openid_client_document", REGISTERED, Kind::Dashboard, Runs::Node,
        [Refreshed, AtIdToken, Refreshed, SignedIn, Refreshed, AtCallback, SignedIn]),
    client("authlib-document", "Authlib, by document", "authlib_document", REGISTERED, Kind::Dashboard, Runs::PythonTwo,
        [Refreshed, AtIdToken, Refreshed, SignedIn, Refreshed, AtIdToken, SignedIn]),
    client("auth-js", "Auth.js, by provider", "auth_js", REGISTERED, Kind::Dashboard, Runs::Node,
        [Refreshed, Refreshed, Refreshed, SignedIn, Refreshed, SignedIn, SignedIn]),
    client("openid-client-issuer", "openid-client, by issuer", "openid_client_issuer", REGISTERED, Kind::Dashboard, Runs::Node,
        [AtMetadata, AtIdToken, Refreshed, AtMetadata, AtMetadata, AtCallback, SignedIn]),
    client("oauth4webapi-issuer", "oauth4webapi, by issuer", "oauth4webapi_issuer", REGISTERED, Kind::Dashboard, Runs::Node,
        [AtMetadata, AtIdToken, Refreshed, AtMetadata, AtMetadata, AtCallback, SignedIn]),
];

const fn client(
    name: &'static str,
    title: &'static str,
    script: &'static str,
    identity: Identity,
    kind: Kind,
    runs: Runs,
    expected: [End; 7],
) -> Client {
    Client { name, script, identity, title, kind, runs, expected }
}

impl Client {
    /// Returns true if the client sends the user through the authorization proxy. In the mode `direct` only a client
    /// does that whose configuration, instead of a document, has the address of the proxy.
    pub(super) fn uses_proxy(&self, setting: &Setting) -> bool {
        setting.mode != "direct" || self.script == "auth_js"
    }

    /// Returns the committed list that pins the client's package, and the name of the package.
    pub(super) fn package(&self) -> (&'static str, &'static str) {
        match (self.runs, self.script) {
            (Runs::Node, "mcp_typescript_1") => ("package.json", "@modelcontextprotocol/sdk"),
            (Runs::Node, "mcp_typescript_2") => ("package.json", "@modelcontextprotocol/client"),
            (Runs::Node, "oauth4webapi_issuer") => ("package.json", "oauth4webapi"),
            (Runs::Node, "auth_js") => ("package.json", "@auth/core"),
            (Runs::Node, _) => ("package.json", "openid-client"),
            (Runs::PythonOne, _) => ("requirements-1.txt", "mcp"),
            (Runs::PythonTwo, "authlib_document") => ("requirements-2.txt", "Authlib"),
            (Runs::PythonTwo, _) => ("requirements-2.txt", "mcp"),
        }
    }
}

impl End {
    pub(super) const ALL: [End; 6] = [SignedIn, Refreshed, AtMetadata, AtRegistration, AtCallback, AtIdToken];

    /// Returns the name of the step at which the sign-in failed, as the clients print it. `None` for a success.
    pub(super) fn failed_at(self) -> Option<&'static str> {
        match self {
            SignedIn | Refreshed => None,
            AtMetadata => Some("provider metadata"),
            AtRegistration => Some("registration"),
            AtCallback => Some("callback"),
            AtIdToken => Some("ID token"),
        }
    }

    /// Returns true if the authorization request reached the provider.
    pub(super) fn reached_provider(self) -> bool {
        !matches!(self, AtMetadata | AtRegistration)
    }
}
