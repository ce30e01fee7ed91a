//! Rows that programs write: loaded bundles and exchange rates, imported ledgers and statements, and the demo household.

mod importing;
mod loading;
mod statements;
