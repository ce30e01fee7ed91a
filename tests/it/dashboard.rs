//! The dashboard at HTTP level: page and assets, sessions, data requests, and the sign-in with its attacks.

mod attacks;
mod browser;
mod data;
mod mounted;
mod page;
mod sign_in;
