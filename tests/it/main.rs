//! The one integration binary. Each module names what it proves; the harness is the library beside it.

mod loading;
mod importing;
mod demo;
mod admin;
