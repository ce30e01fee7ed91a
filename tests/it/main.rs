//! The one integration binary. Each module names what it proves; the harness is the library beside it.

mod admin;
mod banks;
mod catalogue;
mod contract;
mod conversion;
mod demo;
mod documents;
mod embedding;
mod extension;
mod head;
mod history;
mod importing;
mod invariants;
mod loading;
mod outages;
mod paging;
mod payloads;
mod portfolio;
mod roles;
mod schema_versions;
mod serving;
mod snapshots;
mod tidy;
mod tokens;
mod transactions;
mod walls;
