//! Work per request, counted and never timed: statements and round trips, the rows and blocks that a page reads, and the
//! connections that requests use.

mod connections;
mod plans;
mod statements;
