//! A ledger in memory, with the sessions and tokens of its people. The program `passbook-own-ledger-host` serves the
//! ledger; other example hosts use it too.

pub mod books;
#[cfg(test)]
mod conformance;
