//! The numbers of responses: the rules of `ledger-kit`, derived data, conversion, pages and the demo household.

mod conformance;
mod conversion;
mod derived;
mod households;
mod merchant_keys;
mod paging;
mod ranges;
mod recurring;
mod wallet_addresses;
