//! Work per request, counted and never timed: statements and round trips, and the rows and blocks that a page reads.

mod plans;
mod statements;
