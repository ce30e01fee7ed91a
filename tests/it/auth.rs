//! Tokens, grants and OAuth: which requests are accepted, for which user, and until when.

mod discovery;
pub(crate) mod grants;
mod oauth;
mod tokens;
