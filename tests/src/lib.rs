//! The harness of the end-to-end tests: a private PostgreSQL, a served application, an HTTP client, households, and
//! independent models of the counting and valuation rules.

pub mod app;
pub mod assets;
mod binary;
pub mod catalogue;
pub mod database;
pub mod household;
pub mod http;
pub mod mcp;
pub mod model;
pub mod pooler;
pub mod postgres;
pub mod postgres_stub;
pub mod provider;
pub mod proxy;
pub mod random;
pub mod redis;
pub mod signer;
pub mod tenant_pair;
pub mod valuation;

pub use binary::binary;
