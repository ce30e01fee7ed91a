//! Loading: the only writer. Bundles, exchange rates, ledgers and the demo household become records, and one
//! loader stores them in one transaction.

pub mod id;
pub mod record;
pub mod load;
pub mod demo;
pub mod bundle;
pub mod provider_category;
pub mod rates;
pub mod beancount;
pub mod people;
pub mod tokens;
