//! The end-to-end tests, built as one binary, with one module for each boundary. The harness is the library in
//! `tests/src`.

/// The program `passbook-admin` on a real database, where a transcript (`admin/transcripts`) cannot show it: concurrency, other
/// servers, damaged files, and properties of many imports.
mod admin {
    mod backup;
    mod commands;
    mod dialogues;
    mod doctor;
    mod transcripts;
}

/// Tokens, grants and OAuth: which requests are accepted, for which user, and until when.
mod auth {
    mod discovery;
    pub(crate) mod grants;
    mod oauth;
    mod tokens;
}

mod dashboard;

/// The database: schema, roles, stored rows, statements per request, TLS, replication, and the private PostgreSQL.
mod database {
    mod efficiency;
    mod embedded;
    mod replication;
    mod roles;
    mod schema_versions;
    mod stored_rows;
    mod tls;
}

mod documents;
mod embedding;

/// Rows that programs write: loaded bundles and exchange rates, imported ledgers and statements, and the demo household.
mod imports {
    mod importing;
    mod loading;
    mod statements;
}

mod isolation;

/// The numbers of responses: the rules of `ledger-kit`, derived data, conversion, pages and the demo household.
mod numbers {
    mod conformance;
    mod derived;
    mod functions;
    mod paging;
    mod recurring;
    mod wallet_addresses;
}

mod outages;

/// Requests and responses over HTTP: routes, heads, headers, rate limits, documents of the interface, and adapters.
mod rest {
    pub(crate) mod catalogue;
    pub(crate) mod contract;
    mod extension;
    mod http_head;
    pub(crate) mod pipeline;
    mod rate_limits;
    pub(crate) mod response_headers;
    pub(crate) mod snapshots;
}

mod server;
mod tools;
