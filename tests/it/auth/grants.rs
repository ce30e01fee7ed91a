//! Grants of OAuth clients: rights of clients, consents and sessions, their revocation, and the cost of a lookup.

pub(crate) mod connection;
mod kinds;
mod lookup_plan;
mod revocation;
