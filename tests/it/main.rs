//! The end-to-end tests, built as one binary, with one module for each boundary. The harness is the library in
//! `tests/src`.

mod admin;
mod auth;
mod dashboard;
mod database;
mod documents;
mod embedding;
mod imports;
mod isolation;
mod numbers;
mod outages;
mod rest;
mod server;
mod tools;
