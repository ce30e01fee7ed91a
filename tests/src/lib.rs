//! The harness of the end-to-end tests: a private PostgreSQL, a served application, an HTTP client.

pub mod database;
