//! Access tokens of an identity provider: which are accepted, which are refused and why, and what happens while the
//! provider is not there.

mod attacks;
mod boundaries;
mod documents;
mod keys;
mod outages;
mod serving;
mod vectors;
mod verified;
