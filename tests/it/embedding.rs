//! The example hosts of `docs/embedding.md`, run as programs: what they serve, to whom, and what they refuse.

mod direct;
mod mounted;
mod own_ledger;
mod program;
