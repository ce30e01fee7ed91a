//! The numbers of responses: totals, lists, conversion, portfolio, history and recurring payments.

mod banks;
mod conformance;
mod conversion;
mod derived;
pub(crate) mod history;
mod invariants;
mod merchant_keys;
mod paging;
mod payloads;
mod portfolio;
mod recurring;
mod transactions;
