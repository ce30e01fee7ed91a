//! The operator's tool as a program: what each command does to a real database, what it prints, and how it ends.

mod clients;
mod data;
mod doctor;
mod people;
mod place;
mod program;
mod schema_version;
mod tokens;
