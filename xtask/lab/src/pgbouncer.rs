//! `PgBouncer` in transaction mode, in front of the PostgreSQL of a demo server.

mod pooler;
mod program;

pub(crate) use pooler::Pooler;
pub(crate) use program::{Program, find};
