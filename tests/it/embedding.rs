//! The example hosts of `docs/embedding.md`, run as programs: responses, callers and errors.

mod direct;
mod mounted;
mod own_ledger;
mod own_operation;
mod own_pool;
mod program;
mod sessions;
mod table;
mod weekly_mail;
