//! The program `passbook-admin`: the effect of each command on a real database, its output, and its exit code.

mod backup;
mod clients;
mod data;
mod database_location;
mod doctor;
mod people;
mod program;
mod schema_version;
mod tokens;
