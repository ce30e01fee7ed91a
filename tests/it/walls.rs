//! One person's money never reaches another: twins ask the same questions of one database, in every world in which
//! one of the two walls is missing, and of one connection in every way that a connection can be left.
//!
//! The walls are the predicates of the questions and row-level security. Either must suffice alone; without both,
//! every operation has to leak, else the suite would see nothing.

mod asks;
mod credentials;
mod crowd;
mod findings;
mod sessions;
mod suite;
mod tables;
mod tools;
mod totals;
mod worlds;
