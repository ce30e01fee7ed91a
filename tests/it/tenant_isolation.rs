//! Tenant isolation: no response contains data of another person.
//!
//! Two mechanisms isolate tenants: the `user_id` predicates of the queries, and row-level security (RLS). The suite
//! shows that each mechanism suffices alone. With both switched off every operation must leak; otherwise the suite
//! would not detect a leak. Further files cover connections that several people share, and credentials.

mod concurrent_requests;
mod credentials;
mod leaks;
mod protection;
mod requests;
mod sessions;
mod suite;
mod tables;
mod tools;
mod totals;
