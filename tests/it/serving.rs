//! The server as a program: what it prints, how it ends, what it refuses and why, with its embedded database and
//! with another's; and that the first command of the README, run in a fresh clone, does what the README says.

mod demo;
mod lifecycle;
mod program;
mod question;
mod readme;
mod refusals;
mod secrets;
mod settings;
mod sign_in;
mod totals;
