//! Rows that programs write: loaded bundles and exchange rates, imported ledgers and statements, and the demo household.

mod demo;
mod importing;
mod loading;
mod statements;
