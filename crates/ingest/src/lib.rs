//! Loading: the only writer. Bundles, exchange rates, ledgers and the demo household become records, and one
//! loader stores them in one transaction.

pub mod id;
pub mod record;
