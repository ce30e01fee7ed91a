//! Access tokens of an identity provider: acceptance and rejection, provider documents, keys, and outages of the
//! provider.

mod attacks;
mod boundaries;
mod documents;
mod floods;
mod keys;
mod outages;
mod serving;
mod signed_in;
mod token_scopes;
mod vectors;
mod verified;
