//! The program `passbook-admin`: the effect of each command on a real database, its output, and its exit code.

mod account_maps;
mod accounts;
mod backup;
mod clients;
mod data;
mod database_location;
mod definitions;
mod deletion;
mod demo_revocations;
mod derive;
mod doctor;
mod listings;
mod load_permissions;
mod people;
mod psql;
mod schema_version;
mod secrets;
mod statements;
mod tokens;
