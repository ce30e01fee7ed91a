//! The example hosts of `docs/embedding.md`, run as programs: responses, callers and errors.

mod direct;
mod mounted;
mod own_ledger;
mod program;
