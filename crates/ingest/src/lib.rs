//! Loading: the only writer. Bundles, exchange rates, ledgers and the demo household become records, and one
//! loader stores them in one transaction.

pub mod beancount;
pub mod bundle;
pub mod clients;
pub mod consents;
pub mod demo;
pub mod id;
pub mod load;
pub mod people;
pub mod provider_category;
pub mod rates;
pub mod record;
pub mod redirect_uri;
pub mod revocation;
pub mod sessions;
pub mod tokens;
