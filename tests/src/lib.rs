//! The harness of the end-to-end tests: a private PostgreSQL, a served application, an HTTP client, households, and
//! independent models of the counting and valuation rules.
#![expect(missing_docs, reason = "only the tests of this repository use these items")]

pub mod admin;
pub mod app;
pub mod assets;
mod binary;
mod cases;
pub mod catalogue;
pub mod database;
pub mod demo_totals;
pub mod documents;
pub mod household;
pub mod http;
pub mod mcp;
pub mod model;
pub mod pooler;
pub mod postgres;
pub mod postgres_programs;
pub mod postgres_stub;
pub mod provider;
pub mod proxy;
pub mod random;
pub mod redis;
mod root;
pub mod server_process;
pub mod signer;
pub mod temporary;
pub mod tenant_pair;
pub mod transcript;
pub mod valuation;

pub use binary::binary;
pub use cases::cases;
pub use root::root;
