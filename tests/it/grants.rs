//! The grants of OAuth clients: what a client, a consent and a session may do, how each is taken back, and what it
//! costs to look.

mod kinds;
mod plan;
mod revocation;
pub(crate) mod served;
