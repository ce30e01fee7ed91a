//! Tenant isolation: no response contains data of another person.
//!
//! Two mechanisms isolate tenants: the `user_id` predicates of the queries, and row-level security (RLS). The suite
//! shows that each mechanism suffices alone. With both switched off every operation must leak; otherwise the suite
//! would not detect a leak. Further files cover connections that several people share, and credentials.
//!
//! The fixture is a pair of users in one database (`tests/src/tenant_pair.rs`). Both have the same banks, accounts,
//! merchants, dates and budgets, and rows in every table of personal data. The rows differ only in the mark of their user:
//! a word in the texts, the end of the identifiers, two categories, and the size of the amounts. Compared responses may
//! differ only in the request id, the date and the values that the request sent.
//!
//! A proxy on a Unix socket rewrites the predicates in `Parse` messages and reads the rows that PostgreSQL returns. The
//! test fails if the proxy has not rewritten every query that has the predicate. The predicate of `open_session` is in
//! the database, and the test removes it there. A new function of `passbook_read` that receives a user must name that
//! parameter `of_user`, so that the test finds its predicate.

mod credentials;
mod protection;
mod requests;
mod sessions;
mod suite;
