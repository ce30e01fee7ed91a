//! The tests that need programs which the README does not name: bash, git, jq, psql, pg_dump, Python and redis-server.
//! `cargo xtask ci` installs the programs and runs this target; `cargo test --workspace` does not build it.

mod documents;
mod shared_rate_limits;
mod terminal;
